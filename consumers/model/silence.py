"""What it says of a mail that nobody complains about it: as much as its prediction was sure of.

Silence is weak evidence, and its labels are predictions come back. So they say nothing of how good predictions are.
"""

from __future__ import annotations

import math

from stream_nb.kernels.layout import MailTotal, MailUpdate
from stream_nb.types import Label, Update

from ..records.schemas import PredictionRecord

SILENCE_MARGIN = 1.0
"""How far a mail must be from its other classes and from the cut, in log-odds."""

_GAIN, _ALL_GAIN = MailUpdate.BIN_GAIN - MailUpdate.TOTALS, MailUpdate.ALL_GAIN - MailUpdate.TOTALS
_DOUBT = MailUpdate.SOURCE + 1 - MailUpdate.TOTALS


def sure_label(prediction: PredictionRecord) -> Label | None:
    """The label that silence gives a mail: the predicted one, or None where that was not sure enough.

    Sure is a label that has the best score, `SILENCE_MARGIN` before every other class, and as far from the cut. What is
    called ham only because the cut is high might as well be spam that its reader bears with.

    `python -m tests.benchmarks.silence` measures it; docs/figures.md has the figures. Tried and worse: margins of 1.5
    and 2; silence only once people have given 50 or 100 labels.
    """
    scores = prediction.scores
    if len(scores) < 2:
        return None
    best, second, *_ = sorted(scores, key=scores.__getitem__, reverse=True)
    from_cut = abs(prediction.log_odds - prediction.threshold) if prediction.positive in scores else math.inf
    sure = min(scores[best] - scores[second], from_cut) >= SILENCE_MARGIN
    return best if sure and best == prediction.label else None


def unmeasured(update: Update) -> Update:
    """An update of a `MailNB` without what labels tell of how good scores and sources are.

    It adds nothing to the margins that calibration, the bound on lost ham and the weights of numbers and categories are
    read from, nor to the share of wrong labels among those of reliable sources, and nothing to what is known of the
    list or sender: else the predictions of last week would end the run of labels by which people show that they have
    changed their minds. It has no doubt either: the model made the prediction, and would find its own label likely.
    What tells how often silence is wrong is that people correct it (`Update.corrects`): of s labels and c corrections
    its flip rate is (0.1 + c) / (10 + s). That is what is known, and too little where errors stay unseen
    (docs/figures.md).
    """
    tallies = list(update.tallies)
    for place in (MailTotal.RELIABLE, MailTotal.DOUBTED, _GAIN, _ALL_GAIN, _DOUBT):
        tallies[place] = 0
    return update._replace(tallies=tuple(tallies), originator=None)
