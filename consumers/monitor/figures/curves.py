"""ROC and calibration curves of the windows that are not defined by time."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TypeVar

import msgspec

from stream_nb.metrics import RocPoint

from .window_stats import MICRO, WindowStats
from .windows import WINDOWS

MAX_POINTS = 120
UNSURE_BAND = 1.0
"""Mails whose log-odds are nearer to the threshold than this are shown as unsure, whatever the policy says."""

T = TypeVar("T")


class CurvePoint(msgspec.Struct, frozen=True):
    """The result of predicting the positive class above `threshold` (log-odds), which no mail's score equals."""

    threshold: float
    true_positives: int
    false_positives: int


class CalibrationPoint(msgspec.Struct, frozen=True):
    """The mails whose probability lies in one tenth; `mean_probability` is 0 if there are none."""

    mails: int
    positives: int
    mean_probability: float


class Curve(msgspec.Struct, frozen=True):
    """ROC and calibration of one window with `positives` and `negatives` scored mails.

    The thresholds of `roc` fall; the point above every score is left out. `unsure` mails are within `UNSURE_BAND` of
    the current threshold. `calibration` has one point for each tenth of the probability.
    """

    positives: int
    negatives: int
    unsure: int
    auc: float | None
    roc: list[CurvePoint]
    calibration: list[CalibrationPoint]


class Curves(msgspec.Struct, frozen=True):
    """The record `curves`, by the window's name; windows defined by time have no curves."""

    windows: dict[str, Curve]


def make_curves(stats: Mapping[str, WindowStats], threshold: float) -> Curves:
    """The curves of these windows' statistics; `threshold` is the current one, in log-odds."""
    return Curves({spec.name: _curve(stats[spec.name], threshold) for spec in WINDOWS if spec.seconds is None})


def _curve(stats: WindowStats, threshold: float) -> Curve:
    points = [point for point in stats.ranking.roc() if math.isfinite(point.threshold)]
    last = points[-1] if points else None
    return Curve(
        positives=last.true_positives if last else 0,
        negatives=last.false_positives if last else 0,
        unsure=_mails_within(points, threshold),
        auc=stats.ranking.auc(),
        roc=_curve_points(points),
        calibration=[
            CalibrationPoint(
                mails=tenth.mails,
                positives=tenth.positives,
                mean_probability=tenth.probability_micro / MICRO / tenth.mails if tenth.mails else 0.0,
            )
            for tenth in stats.bins
        ],
    )


def _curve_points(points: list[RocPoint]) -> list[CurvePoint]:
    """At most `MAX_POINTS` points of the curve. Each threshold is half-way to the next lower score, because a policy's
    threshold is exclusive."""
    scores = [*(point.threshold for point in points), points[-1].threshold - 1.0] if points else []
    return [
        CurvePoint((scores[n] + scores[n + 1]) / 2, points[n].true_positives, points[n].false_positives)
        for n in thin(range(len(points)), MAX_POINTS)
    ]


def _mails_within(points: list[RocPoint], threshold: float) -> int:
    """The number of mails whose score is nearer to the threshold than `UNSURE_BAND`."""
    mails = before = 0
    for point in points:
        total = point.true_positives + point.false_positives
        if abs(point.threshold - threshold) < UNSURE_BAND:
            mails += total - before
        before = total
    return mails


def thin(items: Sequence[T], limit: int) -> Sequence[T]:
    """At most `limit` (2 or more) evenly spaced elements of `items`, including the first and the last.

    >>> thin(list(range(10)), 4)
    [0, 3, 6, 9]
    """
    if len(items) <= limit:
        return items
    return [items[round(i * (len(items) - 1) / (limit - 1))] for i in range(limit)]
