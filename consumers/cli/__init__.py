"""The command line. `commands/` has one file for each command; these files have what several of them share.

| file | what |
|---|---|
| `main.py` | the program `stream-nb` |
| `options.py`, `numeric.py` | options of several commands; the types of numbers |
| `messages.py`, `progress.py` | messages on stderr, progress |
| `mails.py`, `compile_first.py` | the mails that a command reads; compiles before it reads them |
| `feed_files.py`, `feed_imap.py`, `feed_lmtp.py`, `feed_maildir.py` | the kinds of `feed` |
| `worker_start.py` | heartbeats of a worker that is starting |
| `demo_run.py` | all stages of the demo |
| `terminal.py` | what `top` prints |
| `settings_text.py` | what `settings` prints |
"""
