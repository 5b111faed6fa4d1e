"""Metrics for mail classifiers that river lacks; for all others use `river.metrics`.

| file | contents |
|---|---|
| `roc.py` | exact ROC curve and area; scores can be added and removed one at a time |
| `threshold.py` | a threshold from a ROC curve: best accuracy, least cost, or a limit on lost ham |
| `losses.py` | 0-1, L2, hinge, exponential and log loss, with running means that revert exactly |
| `lam.py` | logistic average misclassification, as in the TREC spam tracks |
| `interval.py` | Wilson's interval for a proportion, such as an accuracy; Clopper and Pearson's upper bound |
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
