# A mail was moved or copied into a junk folder: its user calls it spam.
require ["copy", "environment", "imap4flags", "imapsieve", "variables", "vnd.dovecot.pipe"];

# `stream-nb feed imap:// --on-spam move` marks so what it moves itself: a prediction teaches nothing.
if hasflag "$StreamNBMoving" {
  stop;
}
if environment :matches "imap.user" "*" {
  set "user" "${1}";
}
pipe :copy "stream-nb-learn" ["spam", "${user}"];
