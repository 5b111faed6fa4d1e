"""What a lack of complaints says about a mail: that its prediction was right, if that was sure enough.

Silence is weak evidence, and its labels repeat predictions. So they do not measure how good predictions are.
"""

from __future__ import annotations

import math

from stream_nb.kernels.layout import MailUpdate
from stream_nb.mail_nb.feature_part import GRADIENTS
from stream_nb.types import Update

from ..records.schemas import PredictionRecord
from ..records.values import Label

SILENCE_MARGIN = 1.0
"""Least distance of a mail's score from the other classes and from the threshold, in log-odds."""

_MEASURES = (
    MailUpdate.RELIABLE, MailUpdate.DOUBTED, MailUpdate.BIN_GAIN, MailUpdate.ALL_GAIN, MailUpdate.SOURCE_DOUBT
)  # fmt: skip


def sure_label(prediction: PredictionRecord) -> Label | None:
    """The label that silence gives a mail: the predicted one, or None if that was not sure enough.

    A label is sure if it has the best score, by at least `SILENCE_MARGIN` over every other class, and if the log-odds
    are at least as far from the threshold. A mail that is ham only because the threshold is high may be spam that
    the reader puts up with.

    `python -m tests.benchmarks.silence` measures it; docs/figures.md has the figures. Tried and worse: margins of 1.5
    and 2; silence only once people have given 50 or 100 labels.
    """
    scores = prediction.scores
    if len(scores) < 2:
        return None
    best, second, *_ = sorted(scores, key=scores.__getitem__, reverse=True)
    from_threshold = abs(prediction.log_odds - prediction.threshold) if prediction.positive in scores else math.inf
    sure = min(scores[best] - scores[second], from_threshold) >= SILENCE_MARGIN
    return best if sure and best == prediction.label else None


def unmeasured(update: Update) -> Update:
    """A `MailNB` update without the tallies that measure how good scores and sources are.

    It adds nothing to the margins that calibration and the bound on lost ham use, to the counts and weights of numbers
    and categories, nor to the share of wrong labels from reliable sources. It adds nothing to the history of the list
    or sender, because last week's predictions would interrupt the run of labels that shows that people have changed
    their minds. It adds no doubt, because the model made the prediction and would find its own label likely.

    How often silence is wrong is measured by people's corrections (`Update.corrects`): with s labels and c corrections
    its flip rate is (0.1 + c) / (10 + s). This is too low where errors go unnoticed (docs/figures.md).
    """
    tallies = tuple(0 if k in _MEASURES or k >= GRADIENTS else amount for k, amount in enumerate(update.tallies))
    return update._replace(tallies=tallies, originator=None)
