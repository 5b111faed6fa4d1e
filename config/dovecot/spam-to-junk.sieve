# Deliver mail predicted as spam into Junk. The mail server must remove this header from incoming mail.
require ["fileinto", "mailbox"];

if header :matches "X-Stream-NB" "spam;*" {
  fileinto :create "Junk";
}
