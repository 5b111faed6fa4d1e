"""The dashboard's overview in a terminal: `run_top` draws the monitor's view until it is stopped."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Event

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from ..log.base import Log
from ..monitor import topic
from ..monitor.figures.history import HistoryPoint
from ..monitor.figures.windows import WINDOWS
from ..monitor.health import LATE_S, RESTARTING, SILENT, STARTING, HealthObserver
from ..monitor.mail_row import MailRow
from ..monitor.stages import NEEDED
from ..monitor.view import View
from ..records.number_text import age, pace, percent, percentage
from ..records.skipped import SkippedRecords, readable

BARS = " ▁▂▃▄▅▆▇█"
ASCII_BARS = " .:-=+*#@"
CURVE_STEPS = 120
NO_VIEW = "No view yet."
DIFFERENT = "Workers differ in [learner]"
ALIKE = "start all with the same settings"
MISPLACED = "Labels not learned, on another partition than their mail"
MURMUR2 = "set each producer's partitioner to murmur2, unless partitions were added (docs/records.md)"
HEADINGS = ("window", "mails", "accuracy", "95 % interval", "base rate", "precision", "recall", "1-AUC %")
LEFT_OUT_FIRST = ("95 % interval", "base rate", "1-AUC %", "recall", "precision")
WIDE_MAILS = 70
"""Minimum width, in columns, at which mails are shown with score and sender."""
OTHER_LINES = 16
"""Lines of the screen that are not mails, at 80 columns."""
REFRESH_S = 1.0
FIRST_READ_S = 5.0
"""Timeout of the first read. A broker returns nothing without waiting, so a view printed only once would be empty."""


class Screen:
    """The records of the monitor's topic on a log that needs the stages `needed`, drawn for a terminal."""

    def __init__(self, log: Log, needed: tuple[str, ...] = NEEDED) -> None:
        self._log = log
        self._next_offset = log.start_offset(topic.MONITOR_PARTITION)
        self.view: View | None = None
        self.rows: dict[bytes, MailRow] = {}
        self._seconds: dict[bytes, HistoryPoint] = {}
        self._skipped = SkippedRecords()
        self._health = HealthObserver(log, needed)

    def follow(self, timeout_s: float = 0.0) -> None:
        """Read the new records, waiting up to `timeout_s` seconds for those known to exist."""
        end = self._log.end_offset(topic.MONITOR_PARTITION)
        if end < self._next_offset:  # the topic was created anew
            self._next_offset, self.view, self.rows, self._seconds = 0, None, {}, {}
        while self._next_offset < end and (
            records := self._log.read({topic.MONITOR_PARTITION: self._next_offset}, timeout_s=timeout_s)
        ):
            self._next_offset = records[-1].offset + 1
            for record, (value, _) in readable(records, topic.decode_record, self._skipped):
                self._apply(record.key or b"", value)

    def _apply(self, key: bytes, value: topic.Value) -> None:
        if isinstance(value, View):
            self.view = value
        elif isinstance(value, MailRow):
            self.rows[key] = value
        elif isinstance(value, HistoryPoint) and value.step_s == 1:
            self._seconds[key] = value  # in a ring of slots, like the mails

    def draw(self, now: float, width: int, height: int, ascii_only: bool = False) -> RenderableType:
        """The screen; `now` is in seconds since 1970, `width` in columns, `height` in lines. With `ascii_only`, the
        terminal can show only ASCII."""
        missing = self._missing(now)
        if self.view is None:
            return Panel(Text(f"{NO_VIEW} {missing}"), title="stream_nb")
        inner = width - 4
        lines = [Text(missing, style="bold red")] if missing else []
        parts = [
            *lines,
            Text(_counts(self.view)),
            _figures(self.view, inner),
            self._curve(ASCII_BARS if ascii_only else BARS, inner - 16),
            self._mails(now, inner, height - OTHER_LINES - (len(missing) + inner - 1) // inner),
        ]
        return Panel(Group(*parts), title="stream_nb", subtitle="Ctrl-C leaves")

    def plain(self, now: float, width: int) -> RenderableType:
        """The figures at `now` (seconds since 1970) as one table of `width` columns without borders, for pipes and
        terminals that cannot be redrawn."""
        missing = self._missing(now)
        if self.view is None:
            return Text(f"{NO_VIEW} {missing}")
        lines = [Text(missing)] if missing else []
        return Group(*lines, Text(_counts(self.view)), _figures(self.view, width))

    def _missing(self, now: float) -> str:
        """The expected stages that do not run, with since when and the command that starts them; processes that fail
        again and again; stages that have not been seen lately; labels that cannot be learned. Empty if all is well."""
        health = self._health.look(now)
        problems = [f"{p.name.capitalize()} restarting: {p.note}." for p in health.stages if p.state == RESTARTING]
        for stage in health.expected:
            processes = [process for process in health.stages if process.stage == stage]
            latest = max(processes, key=lambda process: process.seen_at)
            if any(process.runs or process.is_starting for process in processes):
                if latest.state == STARTING:
                    problems.append(f"{stage.capitalize()} starting: {latest.note}.")
                if now - latest.seen_at > LATE_S:
                    problems.append(f"{stage.capitalize()} last seen {age(now - latest.seen_at)} ago.")
                missed = [process for process in processes if process.is_missed]
                problems += [f"{each.name.capitalize()} {each.state} for {age(now - each.seen_at)}." for each in missed]
                continue
            since = f" for {age(now - latest.seen_at)}" if latest.seen_at else ""
            advice = "start it or read its output" if latest.state == SILENT else "start it"
            problems.append(f"{stage.capitalize()} {latest.state}{since}; {advice}: {latest.command}.")
        if health.differences:
            problems.append(f"{DIFFERENT}: {', '.join(health.differences)}; {ALIKE}.")
        if self.view is not None and self.view.misplaced_labels:
            problems.append(f"{MISPLACED}: {self.view.misplaced_labels}; {MURMUR2}.")
        return " ".join(problems)

    def _curve(self, bars: str, steps: int) -> Text:
        """Accuracy over the last 1,000 mails as a line of bars, scaled from its minimum to 100 %."""
        seconds = sorted(self._seconds.values(), key=lambda point: point.timestamp)
        known = [point.accuracy_1000 for point in seconds if point.accuracy_1000 is not None]
        points = known[-min(steps, CURVE_STEPS) :]
        if not points:
            return Text("no label yet", style="dim")
        low = min(points)
        span = 1.0 - low or 1.0
        line = "".join(bars[1 + round((len(bars) - 2) * (value - low) / span)] for value in points)
        return Text(f"\n{percent(low, 1)} {line} {percent(points[-1], 1)}\n", style="cyan", no_wrap=True)

    def _mails(self, now: float, width: int, lines: int) -> Table:
        """The newest mails; without score and sender on a narrow terminal."""
        wide = width >= WIDE_MAILS
        table = Table(box=None, header_style="bold", expand=True, pad_edge=False)
        table.add_column("", width=7, no_wrap=True)
        table.add_column("predicted", width=9, no_wrap=True)
        if wide:
            table.add_column("log-odds", width=8, justify="right", no_wrap=True)
        table.add_column("label", width=9, no_wrap=True)
        table.add_column("subject", ratio=2, no_wrap=True)
        if wide:
            table.add_column("from", ratio=1, no_wrap=True)
        newest = sorted(self.rows.values(), key=lambda row: -row.arrived_at)
        for row in newest[: max(3, lines)]:
            wrong = row.true_label is not None and row.true_label != row.label
            # Text objects, never markup, so that a subject such as [red] is shown literally.
            table.add_row(
                Text(age(now - row.arrived_at), style="dim"),
                Text(row.label or "unknown", style="red" if wrong else ""),
                *([Text(f"{row.log_odds:+z.2f}")] if wide else []),
                Text(row.true_label or ""),
                Text(row.subject),
                *([Text(row.sender, style="dim")] if wide else []),
            )
        return table


def _counts(view: View) -> str:
    status = view.log_status
    return (
        f"{view.mails} mails, {pace(view.mails_per_s)}, {percent(view.coverage, 1)} labelled, "
        f"{status.labels_learned} learned, {sum(lag.records for lag in status.lag)} waiting, "
        f"{sum(status.quarantine.values())} in quarantine"
    )


def _figures(view: View, width: int) -> Table:
    """The windows, with as many of their figures as fit into the width."""
    columns: dict[str, list[str]] = {heading: [] for heading in HEADINGS}
    for spec in WINDOWS:
        window = view.windows[spec.name]
        report = window.report
        figures = (
            spec.title,
            str(report.n),
            percent(report.accuracy),
            f"{percent(report.accuracy_low, 1)} to {percent(report.accuracy_high, 1)}" if report.n else "-",
            percent(window.base_rate),
            percent(report.precision),
            percent(report.recall),
            percentage(report.one_minus_auc_pct, 3),
        )
        for heading, figure in zip(HEADINGS, figures, strict=True):
            columns[heading].append(figure)
    for heading in LEFT_OUT_FIRST:
        if sum(max(map(len, (name, *cells))) + 2 for name, cells in columns.items()) - 2 > width:
            del columns[heading]
    table = Table(box=None, header_style="bold", pad_edge=False)
    for heading in columns:
        table.add_column(heading, justify="left" if heading == "window" else "right", no_wrap=True)
    for row in zip(*columns.values(), strict=True):
        table.add_row(*row)
    return table


def run_top(
    log: Log,
    stop: Event,
    console: Console | None = None,
    clock: Callable[[], float] = time.time,
    needed: tuple[str, ...] = NEEDED,
) -> None:
    """Redraw every second until `stop` is set; without a terminal that can be redrawn, print the figures once.

    `console` is where to draw, None for standard output; `clock` returns seconds since 1970; the log needs the stages
    `needed`.
    """
    console = console or Console()
    if reconfigure := getattr(console.file, "reconfigure", None):
        reconfigure(errors="replace")  # subjects are in any script, and the locale may be ASCII
    screen = Screen(log, needed)
    screen.follow(FIRST_READ_S)
    if not console.is_terminal or console.is_dumb_terminal:
        console.print(screen.plain(clock(), console.width))
        return
    ascii_only = console.options.ascii_only
    with Live(console=console, screen=True, auto_refresh=False) as live:
        while not stop.is_set():
            screen.follow()
            live.update(screen.draw(clock(), console.width, console.height, ascii_only), refresh=True)
            stop.wait(REFRESH_S)
