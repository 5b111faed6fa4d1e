"""The monitor: a consumer of predictions and labels that always knows how good the filter is.

| file | what |
|---|---|
| `joined.py` | predictions joined with labels, whichever comes first |
| `windows.py` | rolling figures over the last n mails, the last t seconds, and since the start |
| `drift.py` | change detectors and the list of changes |
| `traffic.py` | rates, latency, label delay and coverage |
| `audit.py` | a random sample to label, and what it says about all mail |
| `sources.py` | who labels, how much, how reliably |
| `history.py` | the past in three resolutions |
| `facts.py` | what the log says beside: lag, quarantine, the model |
| `heartbeat.py` | what waits, and who gave a sign of life when |
| `state.py` | all of the above, fed one record at a time |
| `topic.py` | the monitor's records on the log, which dashboards read |
| `service.py` | the loop: read, count, publish, commit |
| `exporter.py` | Prometheus figures and health |
"""
