# A mail was moved or copied into a junk folder: label it spam.
require ["copy", "environment", "imap4flags", "imapsieve", "variables", "vnd.dovecot.pipe"];

# `stream-nb feed imap:// --on-spam move` sets this keyword on mails that it moves: its predictions are no labels.
if hasflag "$StreamNBMoving" {
  stop;
}
if environment :matches "imap.user" "*" {
  set "user" "${1}";
}
pipe :copy "stream-nb-learn" ["spam", "${user}"];
