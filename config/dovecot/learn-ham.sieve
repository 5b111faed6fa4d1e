# A mail was moved or copied out of a junk folder: label it ham, unless it goes to another junk folder, a folder below one,
# or the trash, which is no label. Folders with other names are recognised by their special_use in Dovecot's settings (in
# capitals here, so that replacing Junk by another name does not change it).
require ["copy", "environment", "imap4flags", "imapsieve", "special-use", "variables", "vnd.dovecot.pipe"];

# `stream-nb feed imap:// --on-spam move` sets this keyword on mails that it moves: its predictions are no labels.
if hasflag "$StreamNBMoving" {
  stop;
}
if environment :matches "imap.mailbox" "*" {
  set "mailbox" "${1}";
}
if anyof (
  specialuse_exists "${mailbox}" "\\JUNK",
  specialuse_exists "${mailbox}" "\\TRASH",
  string :matches "${mailbox}" ["Junk", "Junk.*", "Junk/*", "Spam", "Spam.*", "Spam/*"],
  string :matches "${mailbox}" ["Trash", "*.Trash", "*/Trash", "Deleted *", "*.Deleted *", "*/Deleted *"]
) {
  stop;
}
if environment :matches "imap.user" "*" {
  set "user" "${1}";
}
pipe :copy "stream-nb-learn" ["ham", "${user}"];
