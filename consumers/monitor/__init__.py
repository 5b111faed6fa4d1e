"""The monitor: a consumer of predictions and labels that keeps the filter's quality figures up to date.

| file | what |
|---|---|
| `figures/` | the figures, each counted from one record at a time |
| `policy_preview.py` | how another policy would have decided on the latest labelled mails |
| `search.py` | search over all remembered mails |
| `ask_list.py` | the unlabelled mails most worth labelling |
| `log_status.py` | lag, quarantine and the state of the model |
| `stages.py` | which stages a log needs, the topics they read, and their commands |
| `health.py` | which stages run, when each was last seen, and its backlog |
| `heartbeats.py` | the latest heartbeat of each process |
| `unread.py` | unread records of a partition, without the offsets that hold none |
| `state.py` | all figures, updated one record at a time |
| `totals.py` | the part of the state that is stored |
| `view.py`, `mail_row.py` | what dashboards show |
| `topic.py` | the monitor's records on the log, which dashboards read |
| `latest.py` | where the latest records of a topic begin; rereads them at a start, which fills the windows |
| `service.py`, `process.py` | the loop: read, count, publish, commit; the process |
| `metrics.py` | figures for Prometheus |
"""
