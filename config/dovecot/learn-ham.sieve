# A mail was moved or copied out of a junk folder: its user calls it ham, unless it goes to another one, or to the
# trash, which says nothing. Folders of other names are known by what marks them (special_use in Dovecot's settings;
# in capitals here, so that a name put in place of Junk leaves it alone).
require ["copy", "environment", "imap4flags", "imapsieve", "special-use", "variables", "vnd.dovecot.pipe"];

# `stream-nb feed imap:// --on-spam move` marks so what it moves itself: a prediction teaches nothing.
if hasflag "$StreamNBMoving" {
  stop;
}
if environment :matches "imap.mailbox" "*" {
  set "mailbox" "${1}";
}
if anyof (
  specialuse_exists "${mailbox}" "\\JUNK",
  specialuse_exists "${mailbox}" "\\TRASH",
  string :matches "${mailbox}" ["Junk", "Spam", "Trash", "*.Trash", "*/Trash", "Deleted *", "*.Deleted *", "*/Deleted *"]
) {
  stop;
}
if environment :matches "imap.user" "*" {
  set "user" "${1}";
}
pipe :copy "stream-nb-learn" ["ham", "${user}"];
