"""The overview in a terminal."""

from __future__ import annotations

import io
from threading import Event

from rich.console import Console

from consumers.cli.terminal import run_top
from consumers.evaluation.log_report import report_log
from consumers.log.base import ProducerRecord
from consumers.records.schemas import PREDICTIONS, encode
from tests.consumers.monitor.stream import BEGIN, catch_up, monitor_of, new_log, prediction, stream


def drawn(log, width: int = 140, **options) -> str:
    console = Console(file=io.StringIO(), width=width, height=50, **options)
    run_top(log, Event(), console, clock=lambda: BEGIN + 100)
    return console.file.getvalue()


def test_figures_are_those_of_the_log():
    log = new_log()
    for records in stream(150, seed=3):
        log.append(records)
    catch_up(monitor_of(log))
    text = drawn(log)
    report = report_log(log, "spam")
    line = next(line for line in text.splitlines() if "since start" in line)
    assert f" {report.n} " in line
    assert f"{100 * report.accuracy:.2f} %" in line
    assert f"{100 * report.precision:.2f} %" in line


def test_without_a_monitor_it_says_so():
    assert "Is `stream-nb monitor` running" in drawn(new_log())


def test_a_hostile_subject_is_shown_as_it_is_and_moves_no_cursor():
    log = new_log()
    hostile = "[red]alarm[/red] \x1b[2J\x1b]0;title\x07 \u202egpj.exe"
    record = prediction(1, 2.0, BEGIN)
    values = {name: getattr(record, name) for name in record.__struct_fields__} | {"subject": hostile}
    log.append([ProducerRecord(PREDICTIONS, b"m1", encode(type(record)(**values)), 0, BEGIN)])
    catch_up(monitor_of(log))
    text = drawn(log, force_terminal=False)
    assert "[red]alarm[/red]" in text
    assert not set("\x1b\x07\u202e") & set(text)
