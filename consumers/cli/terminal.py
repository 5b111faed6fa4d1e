"""The dashboard's overview in a terminal: `run_top` draws the monitor's view until it is stopped."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Event

from rich.console import Console, Group
from rich.live import Live
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from ..errors import BadRecord
from ..log.base import Log, Record
from ..monitor import topic
from ..monitor.history import HistoryPoint
from ..monitor.mail_row import MailRow
from ..monitor.view import View
from ..monitor.windows import WINDOWS
from ..records.skipped import SkippedRecords

BARS = " ▁▂▃▄▅▆▇█"
CURVE_STEPS = 120
REFRESH_S = 1.0


class Screen:
    """What is on the monitor's topic, drawn for a terminal."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._next_offset = log.start_offset(topic.MONITOR_PARTITION)
        self.view: View | None = None
        self.rows: dict[bytes, MailRow] = {}
        self._accuracy: dict[int, float | None] = {}
        self._skipped = SkippedRecords()

    def follow(self) -> None:
        """Read what is new."""
        while records := topic.read_from(self._log, self._next_offset):
            self._next_offset = records[-1].offset + 1
            for record in records:
                try:
                    self._take(record)
                except BadRecord as error:
                    self._skipped.skip(record, error)

    def _take(self, record: Record) -> None:
        value = topic.decode_record(record).value
        if isinstance(value, View):
            self.view = value
        elif isinstance(value, MailRow):
            self.rows[record.key or b""] = value
        elif isinstance(value, HistoryPoint) and value.step_s == 1:
            self._accuracy[value.timestamp] = value.accuracy_1000

    def draw(self, now: float, height: int) -> Group:
        """The screen; `now` is in seconds since 1970, `height` in lines."""
        if self.view is None:
            return Group(Panel("No view yet. Is `stream-nb monitor` running on this log?", title="stream_nb"))
        parts = [self._figures(self.view), self._curve(), self._mails(now, height - 26)]
        return Group(Panel(Group(*parts), title="stream_nb", subtitle="Ctrl-C leaves"))

    def _figures(self, view: View) -> Table:
        table = Table.grid(padding=(0, 3))
        windows = Table(box=None, header_style="bold")
        for heading in ("window", "mails", "accuracy", "95 % interval", "base rate", "precision", "recall", "1-AUC %"):
            windows.add_column(heading, justify="left" if heading == "window" else "right")
        for spec in WINDOWS:
            window = view.windows[spec.name]
            report = window.report
            windows.add_row(
                spec.title,
                str(report.n),
                _percent(report.accuracy),
                f"{_percent(report.accuracy_low, 1)} to {_percent(report.accuracy_high, 1)}" if report.n else "-",
                _percent(window.majority_class_accuracy),
                _percent(report.precision),
                _percent(report.recall),
                "-" if report.one_minus_auc_pct is None else f"{report.one_minus_auc_pct:.3f}",
            )
        counts = Table.grid(padding=(0, 1))
        for name, value in (
            ("mails/s", f"{view.mails_per_s:.1f}"),
            ("mails", f"{view.mails}"),
            ("labelled", _percent(view.coverage, 1)),
            ("learned", f"{view.log_status.labels_learned}"),
            ("waiting", f"{sum(lag.records for lag in view.log_status.lag)}"),
            ("quarantine", f"{sum(view.log_status.quarantine.values())}"),
        ):
            counts.add_row(Text(name, style="dim"), Text(value, style="bold"))
        table.add_row(windows, counts)
        return table

    def _curve(self) -> Text:
        """Accuracy over the last 1,000 mails as a line of bars, scaled from its minimum to 100 %."""
        points = [value for _, value in sorted(self._accuracy.items()) if value is not None][-CURVE_STEPS:]
        if not points:
            return Text("no label yet", style="dim")
        low = min(points)
        span = 1.0 - low or 1.0
        line = "".join(BARS[1 + round((len(BARS) - 2) * (value - low) / span)] for value in points)
        return Text(f"\n{_percent(low, 1)} {line} {_percent(points[-1], 1)}\n", style="cyan", no_wrap=True)

    def _mails(self, now: float, lines: int) -> Table:
        table = Table(box=None, header_style="bold", expand=True)
        table.add_column("", width=8)
        table.add_column("called", width=10)
        table.add_column("log-odds", width=8, justify="right")
        table.add_column("label", width=12)
        table.add_column("subject", ratio=2, no_wrap=True)
        table.add_column("from", ratio=1, no_wrap=True)
        newest = sorted(self.rows.values(), key=lambda row: -row.arrived_at)
        for row in newest[: max(3, lines)]:
            wrong = row.true_label is not None and row.true_label != row.label
            # Text objects, never markup: a subject such as [red] is shown as it is.
            table.add_row(
                Text(f"{max(0.0, now - row.arrived_at):.0f} s", style="dim"),
                Text(row.label or "unknown", style="red" if wrong else ""),
                Text(f"{row.log_odds:+.2f}"),
                Text(row.true_label or ""),
                Text(row.subject),
                Text(row.sender, style="dim"),
            )
        return table


def run_top(log: Log, stop: Event, console: Console | None = None, clock: Callable[[], float] = time.time) -> None:
    """Draw every second until `stop` is set; without a terminal draw once."""
    console = console or Console()
    screen = Screen(log)
    screen.follow()
    if not console.is_terminal:
        console.print(screen.draw(clock(), console.height))
        return
    with Live(console=console, screen=True, auto_refresh=False) as live:
        while not stop.is_set():
            screen.follow()
            live.update(screen.draw(clock(), console.height), refresh=True)
            stop.wait(REFRESH_S)


def _percent(share: float | None, digits: int = 2) -> str:
    return "-" if share is None else f"{100 * share:.{digits}f} %"
