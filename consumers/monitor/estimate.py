"""How good the filter probably is on mail that nobody labelled."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from .joiner import ScoredMail

EDGES = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Bounds of the strata: distance of the log-odds from the threshold."""


class Estimate(msgspec.Struct, frozen=True):
    """Estimated accuracy on the `unlabelled` latest mails, from what their scores meant on `labelled` ones.

    `accuracy` None: nothing is labelled, or nothing unlabelled.
    """

    accuracy: float | None
    labelled: int
    unlabelled: int


def estimate(mails: Iterable[ScoredMail]) -> Estimate:
    """Post-stratification: in each stratum of confidence the unlabelled mails are as often right as the labelled.

    It trusts that within a stratum it does not depend on being right whether a mail gets a label; only a random
    sample (`audit.py`) does without that trust. One right and one wrong mail are added to each stratum.
    """
    right = [0] * (len(EDGES) + 1)
    labelled = [0] * (len(EDGES) + 1)
    unlabelled = [0] * (len(EDGES) + 1)
    for seen in mails:
        prediction = seen.prediction
        stratum = sum(abs(prediction.log_odds - prediction.threshold) >= edge for edge in EDGES)
        if seen.judgement is None:
            unlabelled[stratum] += 1
        else:
            labelled[stratum] += 1
            right[stratum] += seen.judgement.right
    total, known = sum(unlabelled), sum(labelled)
    if not total or not known:
        return Estimate(None, known, total)
    rates = [(hits + 1) / (n + 2) for hits, n in zip(right, labelled, strict=True)]
    expected = sum(rate * n for rate, n in zip(rates, unlabelled, strict=True))
    return Estimate(expected / total, known, total)
