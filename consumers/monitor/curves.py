"""ROC and calibration curves of the windows of a fixed number of mails."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TypeVar

import msgspec

from .window_stats import MICRO, WindowStats
from .windows import WINDOWS

MAX_POINTS = 120

Item = TypeVar("Item")


class CurvePoint(msgspec.Struct, frozen=True):
    """What predicting the positive class at or above `threshold` (log-odds) would have given."""

    threshold: float
    true_positives: int
    false_positives: int


class CalibrationPoint(msgspec.Struct, frozen=True):
    """The mails whose probability lies in one tenth; `mean_probability` is 0 while there is none."""

    mails: int
    positives: int
    mean_probability: float


class Curve(msgspec.Struct, frozen=True):
    """ROC and calibration of one window with `positives` and `negatives` scored mails.

    Thresholds of `roc` fall; the first, above every score, is left out. `calibration` has a point for each tenth of the
    probability.
    """

    positives: int
    negatives: int
    auc: float | None
    roc: list[CurvePoint]
    calibration: list[CalibrationPoint]


class Curves(msgspec.Struct, frozen=True):
    """The record `curves`: by name of the window; windows of time have none."""

    windows: dict[str, Curve]


def make_curves(stats: Mapping[str, WindowStats]) -> Curves:
    """The curves of these windows' statistics."""
    return Curves({spec.name: _curve(stats[spec.name]) for spec in WINDOWS if spec.seconds is None})


def _curve(stats: WindowStats) -> Curve:
    points = [point for point in stats.roc() if math.isfinite(point.threshold)]
    last = points[-1] if points else None
    return Curve(
        positives=last.true_positives if last else 0,
        negatives=last.false_positives if last else 0,
        auc=stats.ranking.auc(),
        roc=[CurvePoint(p.threshold, p.true_positives, p.false_positives) for p in thin(points, MAX_POINTS)],
        calibration=[
            CalibrationPoint(
                mails=tenth.mails,
                positives=tenth.positives,
                mean_probability=tenth.probability_micro / MICRO / tenth.mails if tenth.mails else 0.0,
            )
            for tenth in stats.bins
        ],
    )


def thin(items: Sequence[Item], limit: int) -> Sequence[Item]:
    """At most `limit` (2 or more) of the items, evenly chosen, both ends among them.

    >>> thin(list(range(10)), 4)
    [0, 3, 6, 9]
    """
    if len(items) <= limit:
        return items
    return [items[round(i * (len(items) - 1) / (limit - 1))] for i in range(limit)]
