"""What is on each topic: the records, how they are written and read, and the limits of their values.

| file | what |
|---|---|
| `schemas.py`, `values.py` | the topics and their records; types, limits and checks of the values |
| `messages.py`, `json_marks.py` | a record of `emails` -> a message to score; whether it is JSON or a raw mail |
| `mail_id.py` | the id of a mail by its content, and how it is found again |
| `scores.py` | the score in a prediction |
| `policy.py`, `heartbeat.py` | the records of the topics `policy` and `health` |
| `replay.py`, `lookup.py` | reads whole topics; finds one mail by its id |
| `skipped.py` | foreign records on our own topics |
| `sources.py`, `forget.py` | the names of label sources; withdraws the labels of one |
| `sanitize.py`, `number_text.py` | text of strangers, safe to show; numbers in text for people |
| `setup.py`, `stage_process.py` | opens the log with all topics; the frame of a stage's process |
"""
