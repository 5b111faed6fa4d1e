"""The monitor: a consumer of predictions and labels that keeps the filter's quality figures up to date.

| file | what |
|---|---|
| `joiner.py` | predictions joined with labels, whichever comes first |
| `windows.py`, `window_stats.py` | rolling figures over the last n mails, the last t seconds, and since the start |
| `grid_roc.py` | the ROC curve since the start, in bounded memory |
| `drift.py` | change detectors and the list of changes |
| `baselines.py` | two classifiers that read no mail |
| `traffic.py` | rates, latency and label delay |
| `policy_preview.py` | how another policy would have decided on the latest labelled mails |
| `search.py` | search over all remembered mails |
| `ask_list.py` | the unlabelled mails most worth labelling |
| `audit.py` | a random sample to label, and the accuracy on it |
| `estimate.py` | the accuracy to expect on mail that nobody labelled |
| `label_sources.py` | label sources: how many labels each gave, and how many contradict the prediction |
| `sender_labels.py` | senders whose mails have conflicting labels |
| `misplaced.py` | labels on another partition than their mail |
| `history.py` | the history at three resolutions |
| `log_status.py` | lag, quarantine and the state of the model |
| `stages.py` | which stages a log needs, the topics they read, and their commands |
| `health.py` | which stages run, when each was last seen, and its backlog |
| `heartbeats.py` | the latest heartbeat of each process |
| `unread.py` | unread records of a partition, without the offsets that hold none |
| `state.py` | all of the above, updated one record at a time |
| `totals.py` | the part of the state that is stored |
| `view.py`, `curves.py`, `mail_row.py` | what dashboards show |
| `topic.py` | the monitor's records on the log, which dashboards read |
| `latest.py` | where the latest records of a topic begin |
| `rewind.py` | rereads the latest records at a start, which fills the windows |
| `service.py`, `process.py` | the loop: read, count, publish, commit; the process |
| `metrics.py` | figures for Prometheus |
"""
