"""A snapshot of the monitor's figures, as dashboards and metrics show them."""

from __future__ import annotations

import copy

import msgspec

from ..evaluation.report import Report
from .figures.audit import AuditView
from .figures.drift import Change
from .figures.estimate import Estimate, estimate
from .figures.label_sources import SourceView
from .figures.sender_labels import SenderView
from .figures.traffic import DurationQuantiles, Histogram
from .figures.window_stats import WindowStats
from .log_status import LogStatus
from .state import State


class WindowView(msgspec.Struct, frozen=True):
    """The figures of one window, with the accuracies of the two baselines over the same mails; `is_cut` if the
    window holds only the latest of its mails."""

    report: Report
    base_rate: float | None
    last_class_accuracy: float | None
    losses: dict[str, float | None]
    is_cut: bool


class View(msgspec.Struct, frozen=True):
    """The record `view`; `timestamp` is that of the newest counted record, in seconds since 1970 (0: none).

    `classes` are the classes of labelled mails. `coverage` is the share of the latest mails that have a label, and
    `misplaced_labels` the number of those whose label is on another partition than the mail, so that no worker learns
    it. `latency` is the time from a mail's arrival to its prediction, `delay` from its arrival to its label, since the
    start; `recent_latency` and `recent_delay` are None without durations. `signals` are the means of the change
    detectors' signals since their last change. `senders` are the senders with conflicting labels, among the mails
    joined with labels since the monitor's process started.
    """

    timestamp: float
    positive: str
    classes: list[str]
    mails: int
    labels: int
    mails_per_s: float
    labels_per_s: float
    windows: dict[str, WindowView]
    coverage: float | None
    misplaced_labels: int
    recent_latency: DurationQuantiles | None
    recent_delay: DurationQuantiles | None
    estimate: Estimate
    audit: AuditView
    changes: list[Change]
    change_counts: dict[str, int]
    latency: Histogram
    delay: Histogram
    signals: dict[str, float]
    sources: list[SourceView]
    senders: list[SenderView]
    log_status: LogStatus


def make_view(state: State, log_status: LogStatus) -> View:
    """The current figures; later changes of the state do not affect them."""
    with_label = sum(mail.true_label is not None for mail in state.recent)
    labelled = state.baselines.counts.total()
    return View(
        timestamp=state.last_at,
        positive=state.positive,
        classes=sorted(state.baselines.counts),
        mails=state.mails,
        labels=state.labels,
        mails_per_s=state.mail_rate.per_s(state.now),
        labels_per_s=state.label_rate.per_s(state.now),
        windows={
            name: _window(stats, state.windows.is_cut(name, state.now, labelled))
            for name, stats in state.windows.stats().items()
        },
        coverage=with_label / len(state.recent) if state.recent else None,
        misplaced_labels=state.label_partitions.misplaced(state.recent),
        recent_latency=state.latency.quantiles(),
        recent_delay=state.delay.quantiles(),
        estimate=estimate(state.recent),
        audit=state.audit.view(),
        changes=list(state.detectors.changes),
        change_counts=dict(state.change_counts),
        latency=copy.deepcopy(state.latency.histogram),
        delay=copy.deepcopy(state.delay.histogram),
        signals=state.detectors.means(),
        sources=state.sources.view(),
        senders=state.senders.view(),
        log_status=log_status,
    )


def _window(stats: WindowStats, is_cut: bool) -> WindowView:
    return WindowView(
        report=stats.figures.report(),
        base_rate=stats.base_rate(),
        last_class_accuracy=stats.last_class_accuracy(),
        losses=stats.mean_losses(),
        is_cut=is_cut,
    )
