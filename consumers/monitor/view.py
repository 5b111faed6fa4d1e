"""What a dashboard is told: the figures as one JSON record, the curves as another, each mail as its own."""

from __future__ import annotations

import copy
import math

import msgspec

from ..evaluation.report import Report
from ..records.sanitize import show_safely
from .audit import AuditView
from .drift import Change
from .estimate import Estimate, estimate
from .joiner import ScoredMail
from .label_sources import SourceView
from .log_status import Facts
from .state import State
from .traffic import Histogram
from .windows import MICRO, START, Tally

CURVE_POINTS = 120
CURVES = ("100", "1000", "10000", START)


class WindowView(msgspec.Struct, frozen=True):
    """The figures of one window; the accuracies of the baselines are over the same mails."""

    report: Report
    base: float | None
    last: float | None
    losses: dict[str, float | None]


class View(msgspec.Struct, frozen=True):
    """The record `view`: how things stand; `at` is the time of the newest record counted.

    `coverage` is the share of the latest mails that have a label. Quantiles are median, 95th and 99th percentile in
    seconds; `latency` and `delay` count since the start.
    """

    at: float
    positive: str
    classes: list[str]
    mails: int
    labels: int
    mails_per_s: float
    labels_per_s: float
    windows: dict[str, WindowView]
    coverage: float | None
    delay_s: list[float] | None
    latency_s: list[float] | None
    estimate: Estimate
    audit: AuditView
    changes: list[Change]
    change_counts: dict[str, int]
    latency: Histogram
    delay: Histogram
    signals: dict[str, float]
    sources: list[SourceView]
    facts: Facts


class Curve(msgspec.Struct, frozen=True):
    """ROC and calibration of one window.

    `roc` holds [threshold, true positives, false positives] with thresholds falling (the first, above every score, is
    left out); `bins` holds [mails, positives, mean probability] for each tenth of the probability.
    """

    positives: int
    negatives: int
    auc: float | None
    roc: list[tuple[float, int, int]]
    bins: list[tuple[int, int, float]]


class Row(msgspec.Struct, frozen=True):
    """One mail of the feed; `place` is partition and offset of the mail on `emails`.

    `subject`, `sender` and `source` are safe to show, `id` is not: it names the mail as it is.
    `truth` is what the mail is called now and `source` who said so; `learned` is the label that counts in the model.
    `audit` says that the mail was drawn at random to be labelled.
    """

    place: tuple[int, int]
    id: str
    subject: str
    sender: str
    given: str | None
    odds: float
    probability: float
    threshold: float
    labels_learned: int
    arrived_at: float
    truth: str | None
    source: str
    labelled_at: float
    learned: str | None
    learned_at: float
    audit: bool


def view_of(state: State, facts: Facts) -> View:
    """The figures of now."""
    covered = sum(seen.truth is not None for seen in state.lately)
    return View(
        at=state.last_at,
        positive=state.positive,
        classes=sorted(label for label, count in state.baselines.counts.items() if count),
        mails=state.mails,
        labels=state.labels,
        mails_per_s=state.arrivals.per_s(state.now),
        labels_per_s=state.labelled.per_s(state.now),
        windows={name: _window(tally) for name, tally in state.windows.tallies().items()},
        coverage=covered / len(state.lately) if state.lately else None,
        delay_s=state.delays.get(),
        latency_s=state.latencies.get(),
        estimate=estimate(state.lately),
        audit=state.audit.view(),
        changes=list(state.detectors.changes),
        change_counts=dict(state.change_counts),
        latency=copy.deepcopy(state.latency),
        delay=copy.deepcopy(state.delay),
        signals=state.detectors.means(),
        sources=state.sources.view(),
        facts=facts,
    )


def curves_of(state: State) -> dict[str, Curve]:
    """The record `curves`: ROC and calibration by window."""
    tallies = state.windows.tallies()
    return {name: _curve(tallies[name]) for name in CURVES}


def row_of(seen: ScoredMail) -> Row:
    """A mail as the feed shows it."""
    prediction = seen.prediction
    return Row(
        place=seen.place,
        id=prediction.id,
        subject=show_safely(prediction.subject, 200),
        sender=show_safely(prediction.sender, 100),
        given=prediction.label,
        odds=prediction.log_odds,
        probability=prediction.probability,
        threshold=prediction.threshold,
        labels_learned=prediction.labels_learned,
        arrived_at=prediction.arrived_at,
        truth=seen.truth,
        source=show_safely(seen.source, 60),
        labelled_at=seen.labelled_at,
        learned=seen.learned,
        learned_at=seen.learned_at,
        audit=seen.weight > 0,
    )


def _window(tally: Tally) -> WindowView:
    report = tally.report()
    n = report.n
    base, last = (hits / n if n else None for hits in (tally.base_hits, tally.last_hits))
    return WindowView(report, base, last, tally.mean_losses())


def _curve(tally: Tally) -> Curve:
    points = [point for point in tally.roc() if math.isfinite(point.threshold)]
    last = points[-1] if points else None
    positives = last.true_positives if last else 0
    negatives = last.false_positives if last else 0
    return Curve(
        positives,
        negatives,
        tally.ranking.auc(),
        [(p.threshold, p.true_positives, p.false_positives) for p in thin(points, CURVE_POINTS)],
        [(n, hits, total / MICRO / n if n else 0.0) for n, hits, total in tally.bins],
    )


def thin(points: list, limit: int) -> list:
    """At most `limit` of the points, evenly chosen, both ends among them.

    >>> thin(list(range(10)), 4)
    [0, 3, 6, 9]
    """
    if len(points) <= limit:
        return points
    return [points[round(i * (len(points) - 1) / (limit - 1))] for i in range(limit)]
