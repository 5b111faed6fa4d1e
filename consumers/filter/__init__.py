"""The filter: one listener that answers MTAs, mailboxes and scripts in the protocols they already speak.

| file | what |
|---|---|
| `server.py` | the port: selects the dialect of each connection |
| `serving.py` | the serving loop, shared with lmtp.py |
| `dialect.py` | the base class of the dialects, and their limits |
| `rspamd.py` | rspamd's HTTP protocol: check, learn, stat, metrics |
| `content_encoding.py` | decompresses the mails of rspamc |
| `spamd.py` | SpamAssassin's spamd protocol, and rspamd's older one that Exim speaks |
| `path.py` | the path of a mail: append it to the log, wait for its prediction |
| `writer.py` | one thread that appends for all connections |
| `follower.py` | one thread that reads predictions for all connections |
| `lmtp.py` | an LMTP server that an MTA delivers to |
| `next_hop.py` | relays mails from there to the next mail server |
| `words.py` | the words behind a score |
| `passed.py` | the ids of the mails that have passed |
| `access.py` | who may send labels |
| `verdict.py` | turns a prediction into a score, an action and symbols |
| `headers.py` | adds header fields to a mail and removes forged ones |
| `metrics.py` | the filter's counters |
| `client.py` | a client of a running filter, for our own commands |
| `mail_input.py` | reads the mails for these commands |
| `model_file.py` | a filter without a log: a model in a file, for one person's mail |
"""
