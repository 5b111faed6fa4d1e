r"""The plumbing: everything that touches files, sockets, clocks or a broker.

    feed -> emails ----\                          /-> predictions -\
                        > log -> worker -> log --<                   > monitor -> dashboard, /metrics
    people -> labels --/        (stream_nb)       \-> model (deltas)/
       ^______________________ label buttons ______________________________________|

Each stage is a command and a process of its own: `stream-nb feed | worker | monitor | dashboard`; `stream-nb demo` runs
them all. The rooms, each of which uses only those before it:

errors.py    what can go wrong, and what a process then does
settings     one frozen object of all settings, from a file and the environment
runtime      processes, health probes, shutdown, private files
log          the record log: one interface, SQLite and Kafka behind it
records      what is on each topic
ingest       mail formats, generated mail, the feeder
mailbox      mailboxes that are followed where they are: IMAP, Maildir
model        the changelog on the model topic, the replica that follows it, the ledger of labels
studies      plots and tables of the theory, on mail
evaluation   test-then-train without a log, recounts of a log
worker       score, learn, commit
silence      label mails that nobody complained about as they were predicted
combiner     add up what workers learn
monitor      figures from the topics
dashboard    the page that shows them
filter       answers mail servers, mailboxes and scripts in protocols that they speak
cli          the commands

Reading order: log/base.py (what a log promises), records/schemas.py (what is on it), worker/worker.py (the loop) with
worker/partition_task.py (one partition), model/ledger.py (labels that change) and model/changelog.py (what workers
tell each other); then monitor/service.py with monitor/state.py (figures), and dashboard/app.py (the page).
"""
