"""Follows mailboxes: new mail is appended to the log, and a move into or out of the junk folder is a label.

| file | what |
|---|---|
| `known_mails.py` | where each mail was last seen, stored on the log, and the labels that moves imply |
| `known_mail.py` | what is stored about each mail |
| `folder_class.py` | the class of a folder |
| `maildir.py` | follows a Maildir |
| `maildir_folders.py` | its folders |
| `renamed.py` | its folders that are renamed |
| `keywords.py` | the keywords of its mails |
| `file_names.py` | the names of its files |
| `imap.py` | follows an IMAP mailbox with IDLE |
| `followed.py` | the folders that are followed |
| `reading.py` | reads its new mails |
| `connection.py` | a connection to an IMAP server |
| `folders.py` | lists the folders there |
| `login.py` | logs in to it |
| `access_token.py` | the access token of a user without a password |
| `imap_errors.py` | how a connection fails |
| `address.py` | imap://user@host/INBOX |
| `treatment.py` | moves or marks spam in the mailbox, and undoes that |
"""
