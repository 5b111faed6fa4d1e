"""The accuracy to expect on mail that nobody labelled."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

import msgspec

from stream_nb.mail_nb.decision import UNSURE

from ...records.schemas import PredictionRecord
from ..mail_row import closest
from .joiner import ScoredMail

EDGES = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Bounds of the strata: how much the scores would have to change for another label, in log-odds."""
NO_CLASS = len(EDGES) + 1
"""The stratum of mails for which no class was predicted: none of these predictions is correct."""


class Estimate(msgspec.Struct, frozen=True):
    """Estimated accuracy on the `unlabelled` latest mails, from the `labelled` ones with similar scores.

    `accuracy` is None if no mail is unlabelled, or if labelled mails have fewer than two classes, since labels of one
    class say nothing about mail of another.
    """

    accuracy: float | None
    labelled: int
    unlabelled: int


def estimate(mails: Iterable[ScoredMail]) -> Estimate:
    """The accuracy on unlabelled mails by post-stratification, with strata of confidence.

    This assumes that within a stratum, whether a mail gets a label does not depend on whether its prediction is
    correct; only a random sample (`audit.py`) does without that assumption. Each stratum's accuracy is smoothed with
    one correct and one wrong mail.
    """
    correct = [0] * (NO_CLASS + 1)
    labelled = [0] * (NO_CLASS + 1)
    unlabelled = [0] * (NO_CLASS + 1)
    classes: set[str] = set()
    for mail in mails:
        stratum = mail.stratum
        if stratum is None:  # not each second for all mails
            stratum = mail.stratum = _stratum(mail.prediction)
        if mail.outcome is None:
            unlabelled[stratum] += 1
        else:
            labelled[stratum] += 1
            correct[stratum] += mail.outcome.correct
            classes.add(mail.outcome.true_label)
    total, known = sum(unlabelled), sum(labelled)
    if not total or len(classes) < 2:
        return Estimate(None, known, total)
    rates = [(hits + 1) / (n + 2) for hits, n in zip(correct, labelled, strict=True)]
    rates[NO_CLASS] = 0.0
    expected = sum(rate * n for rate, n in zip(rates, unlabelled, strict=True))
    return Estimate(expected / total, known, total)


def _stratum(prediction: PredictionRecord) -> int:
    if prediction.label in (None, UNSURE):
        return NO_CLASS
    margin, _ = closest(prediction)
    confidence = abs(prediction.log_odds - prediction.threshold) if margin is None else margin
    return bisect_right(EDGES, confidence)
