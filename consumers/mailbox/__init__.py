"""People's mailboxes, followed: new mail goes onto the log, a move into or out of the junk folder is a label.

places.py      where each mail was last seen, kept on the log; what its next place says
maildir.py     a Maildir, followed
imap.py        an IMAP mailbox, followed with IDLE
connection.py  what is asked of an IMAP server
address.py     imap://user@host/INBOX
treatment.py   what is done with spam in the mailbox, and undone
"""
