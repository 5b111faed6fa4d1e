"""Mail on its way to the log: `formats/` reads it, `synthetic/` generates it, the feeder sends it.

| file | what |
|---|---|
| `feeder.py` | sends mails and their labels |
| `log_mails.py` | the mails of a log, for whatever else reads mail |
| `labelled.py` | the mails that a model can learn |
| `class_case.py` | classes whose names differ only in case |
| `class_runs.py` | whether labels come one class after another |
| `copies.py` | mails with the id of an earlier one |
"""
