r"""The plumbing: all code that uses files, sockets, clocks or a broker.

    feed -> emails ----\                          /-> predictions -\
                        > log -> worker -> log --<                   > monitor -> dashboard, /metrics
    people -> labels --/        (stream_nb)       \-> model (deltas)/
       ^______________________ label buttons ______________________________________|

Each stage is a command and a process of its own: `stream-nb feed | worker | monitor | dashboard`; `stream-nb demo` runs
all of them. A room may import only the rooms listed before it (tests/test_layers.py has the exact order):

errors.py    the errors, and how a process reacts to each
settings     one frozen object of all settings, from a file and the environment
runtime      processes, health probes, shutdown, private files
log          the record log: one interface, SQLite and Kafka behind it
records      what is on each topic
ingest       mail formats, generated mail, the feeder
model        the changelog on the model topic, the replica that follows it, the ledger of labels
explain      why a mail has its score, and what the model knows
studies      plots and tables of the theory, on mail
evaluation   test-then-train without a worker, recounts of a log
worker       score, learn, commit
silence      confirms the predictions of mails that nobody complained about
combiner     adds up what workers learn
monitor      figures from the topics
dashboard    the page that shows the figures
filter       answers mail servers, mailboxes and scripts in their own protocols
mailbox      follows IMAP mailboxes and Maildirs in place
cli          the commands

Reading order: log/base.py (the contract of a log), records/schemas.py (the records on it), worker/worker.py (the loop)
with worker/partition_task.py (one partition), model/ledger.py (labels that change) and model/changelog.py (the records
that workers exchange); then monitor/service.py with monitor/state.py (figures), and dashboard/app.py (the page).
"""
