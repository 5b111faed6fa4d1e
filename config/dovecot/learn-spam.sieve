# A mail was moved or copied into a junk folder: its user calls it spam.
require ["copy", "environment", "imapsieve", "variables", "vnd.dovecot.pipe"];

if environment :matches "imap.user" "*" {
  set "user" "${1}";
}
pipe :copy "stream-nb-learn" ["spam", "${user}"];
