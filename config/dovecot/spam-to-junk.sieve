# What the filter called spam goes into Junk. The mail server must take this header off mails that come from outside.
require ["fileinto", "mailbox"];

if header :matches "X-Stream-NB" "spam;*" {
  fileinto :create "Junk";
}
