"""The figures: counted from one record at a time, without I/O.

| file | what |
|---|---|
| `joiner.py` | predictions joined with labels, whichever comes first |
| `windows.py`, `window_stats.py` | rolling figures over the last n mails, the last t seconds, and since the start |
| `grid_roc.py` | the ROC curve since the start, in bounded memory |
| `drift.py` | change detectors and the list of changes |
| `baselines.py` | two classifiers that read no mail |
| `traffic.py` | rates, latency and label delay |
| `audit.py` | a random sample to label, and the accuracy on it |
| `estimate.py` | the accuracy to expect on mail that nobody labelled |
| `label_sources.py` | label sources: how many labels each gave, and how many contradict the prediction |
| `sender_labels.py` | senders whose mails have conflicting labels |
| `misplaced.py` | labels on another partition than their mail |
| `history.py` | the history at three resolutions |
| `curves.py` | the ROC and calibration curves |
"""
