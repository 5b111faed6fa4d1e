"""The worker: scores each mail on arrival, learns each label on arrival, and commits both or neither.

| file | what |
|---|---|
| `worker.py` | the loop over all partitions of the worker |
| `partition_task.py` | the work on one partition between two commits |
| `reading.py` | its mails to read |
| `model_queue.py` | its mails to score and labels to learn |
| `catch_up.py` | the labels that the last owner of a partition has learned |
| `quota.py` | how many labels of one source count in an hour |
| `quarantine.py` | what could not be used |
| `forgetting.py` | what the owner of partition 0 removes from the model |
| `snapshot_writer.py` | a snapshot, written in parts |
| `commit_pace.py` | the size of a commit |
| `same_topic.py` | refuses a topic that was created again |
| `process.py`, `preload.py`, `warm.py` | the process, and what it imports and compiles before mail has to wait |
| `metrics.py` | figures for Prometheus |
"""
