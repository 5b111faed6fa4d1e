"""The record log in SQLite files: no server, one machine.

| file | what |
|---|---|
| `log.py` | the log |
| `consumer.py` | the only member of a group |
| `store.py` | records and positions, in one file for each writer |
| `file.py` | one file; the only one that imports sqlite3 |
| `retention.py` | deletes old records |
"""
