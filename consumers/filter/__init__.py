"""In front of real mail: one listener that MTAs, mailboxes and scripts ask, in the protocols they speak already.

server.py    the port: which dialect a connection speaks, how much and how long it may ask
rspamd.py    rspamd's HTTP: check, learn, stat, metrics
spamd.py     SpamAssassin's spamd protocol, and the older one of rspamd that Exim speaks
path.py      the path of a mail: onto the log, and back with its prediction
writer.py    one thread that appends for all connections
follower.py  one thread that reads predictions for all connections
lmtp.py      an LMTP server that an MTA delivers into
next_hop.py  where it passes mails on to
words.py     the words behind a score
mail_id.py   the id of a mail that passes, and how it is found again
passed.py    which mails have passed
access.py    who may send labels
verdict.py   from a prediction to a score, an action and symbols
headers.py   header fields put on a mail and taken off it
metrics.py   what the filter counts
client.py    a running filter, asked by our own commands
model_file.py  the same without a log: a model in a file, for one person's mail
"""
