"""Measures of a mail classifier that river lacks; for all others use `river.metrics`.

| file | what |
|---|---|
| `roc.py` | exact ROC curve and area, ties counted half, scores added and taken back one at a time |
| `threshold.py` | a cut chosen from such a curve: best accuracy, least cost, or a limit on lost ham |
| `losses.py` | 0-1, L2, hinge, exponential and log loss, with running means that revert exactly |
| `lam.py` | logistic average misclassification, as in the TREC spam tracks |
| `interval.py` | Wilson's interval for a share, such as an accuracy over 50 mails; Clopper and Pearson's bound of one |
"""

from stream_nb.metrics.interval import share_at_most, wilson
from stream_nb.metrics.lam import lam_pct
from stream_nb.metrics.losses import Losses, exponential, hinge, log_loss, squared, zero_one
from stream_nb.metrics.roc import Ranking, RocPoint
from stream_nb.metrics.threshold import best_accuracy, least_cost, losing_at_most

__all__ = [
    "Losses",
    "Ranking",
    "RocPoint",
    "best_accuracy",
    "exponential",
    "hinge",
    "lam_pct",
    "least_cost",
    "log_loss",
    "losing_at_most",
    "share_at_most",
    "squared",
    "wilson",
    "zero_one",
]
