"""The monitor: a consumer of predictions and labels that always knows how good the filter is.

| file | what |
|---|---|
| `joiner.py` | predictions joined with labels, whichever comes first |
| `windows.py`, `window_stats.py` | rolling figures over the last n mails, the last t seconds, and since the start |
| `grid_roc.py` | the ROC curve since the start, in bounded memory |
| `drift.py` | change detectors and the list of changes |
| `baselines.py` | two classifiers that read no mail |
| `traffic.py` | rates, latency and label delay |
| `policy_preview.py` | what another policy would have made of the latest labelled mails |
| `search.py` | search over all remembered mails |
| `audit.py` | a random sample to label, and the accuracy on it |
| `estimate.py` | the accuracy to expect on mail that nobody labelled |
| `label_sources.py` | who labels, how much, and how often against the prediction |
| `sender_labels.py` | senders about whose mails labels differ |
| `misplaced.py` | labels on another partition than their mail |
| `history.py` | the past in three resolutions |
| `log_status.py` | the state of the log beside: lag, quarantine, the model |
| `health.py` | which stages run, when each was last seen, and what waits for it |
| `unread.py` | how many records wait, where some offsets hold none |
| `state.py` | all of the above, fed one record at a time |
| `totals.py` | the part of the state that is stored |
| `view.py`, `curves.py`, `mail_row.py` | what dashboards are shown |
| `topic.py` | the monitor's records on the log, which dashboards read |
| `service.py` | the loop: read, count, publish, commit |
| `metrics.py` | figures for Prometheus |
"""
