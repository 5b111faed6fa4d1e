"""`stream-nb top`: the overview in a terminal."""

from __future__ import annotations

import io
from threading import Event

import pytest
from rich.console import Console

from consumers.cli.terminal import Screen, run_top
from consumers.evaluation.log_report import report_log
from consumers.log.base import ProducerRecord, TopicPartition
from consumers.log.consumer_loop import Progress
from consumers.monitor.figures.history import RINGS, HistoryPoint
from consumers.monitor.topic import MONITOR_PARTITION, history_record
from consumers.records.heartbeat import FILTER, MONITOR, WORKER, HeartbeatWriter
from consumers.records.schemas import EMAILS, LABELS, PREDICTIONS, encode
from consumers.settings import LearnerSettings
from tests.support.memory_log import new_log
from tests.support.monitor_stream import BEGIN, catch_up, monitor_of, prediction, stream


def drawn(log, width: int = 140, **options) -> str:
    console = Console(file=io.StringIO(), width=width, height=50, **options)
    run_top(log, Event(), console, clock=lambda: BEGIN + 100)
    return console.file.getvalue()


def monitored_log():
    log = new_log()
    for records in stream(150, seed=3):
        log.append(records)
    catch_up(monitor_of(log))
    return log


def test_figures_equal_those_of_the_log():
    log = monitored_log()
    text = drawn(log)
    report = report_log(log, "spam")
    line = next(line for line in text.splitlines() if "since start" in line)
    assert f" {report.n} " in line
    assert f"{100 * report.accuracy:.2f} %" in line
    assert f"{100 * report.precision:.2f} %" in line


def test_a_second_that_takes_the_slot_of_an_old_one_replaces_it():
    """Else a screen that is open for days would sort all seconds since it was opened, each second."""
    log = monitored_log()
    screen = Screen(log)
    for start in range(3):
        times = [int(BEGIN) + 1_000 + start * RINGS[1] + second for second in range(4)]
        points = [HistoryPoint(1, time, 9, 9, 0.9, 0.01 + start / 100, 0.9, 0.5, 0.5, 1.0, 9) for time in times]
        log.append([history_record(slot, point) for slot, point in enumerate(points)])
        screen.follow()
    console = Console(file=io.StringIO(), width=140, height=50)
    console.print(screen.draw(BEGIN + 9_000, 140, 50))
    curve = next(line for line in console.file.getvalue().splitlines() if "▁" in line)
    assert curve.split()[1] == "3.0", "the lowest accuracy"


def test_nothing_is_shown_of_a_topic_that_was_deleted():
    log = monitored_log()
    screen = Screen(log)
    screen.follow()
    assert screen.view is not None and screen.rows
    log.topics.records[MONITOR_PARTITION].clear()
    log.append([history_record(0, HistoryPoint(1, int(BEGIN), 9, 9, 0.9, 0.9, 0.9, 0.5, 0.5, 1.0, 9))])
    screen.follow()
    assert (screen.view, screen.rows) == (None, {})


def test_workers_with_different_settings_are_reported():
    log = new_log()
    for member, settings in (("a", LearnerSettings()), ("b", LearnerSettings(smoothing=5.0))):
        HeartbeatWriter(log, WORKER, member, clock=lambda: BEGIN + 100, learner=settings).beat()
    text = " ".join(drawn(log).split())
    assert "Workers differ in [learner]: smoothing 0.1 or 5.0; start all with the same settings." in text


def beat(log, stage: str, at: float, stopped: bool = False) -> None:
    HeartbeatWriter(log, stage, "host-0", dict, lambda: at).beat(stopped)


def test_a_missing_monitor_is_reported():
    text = " ".join(drawn(new_log()).split())
    assert "Worker never ran; start it: stream-nb worker. Monitor never ran; start it: stream-nb monitor." in text


@pytest.fixture(scope="module")
def watched():
    log = monitored_log()
    for stage in (WORKER, MONITOR):
        beat(log, stage, BEGIN + 95)
    return log


@pytest.mark.parametrize("terminal", [True, False])
def test_a_stage_that_does_not_run_is_reported_before_the_figures(terminal):
    """Otherwise old figures of a stopped monitor would look current."""
    log = new_log()
    for records in stream(50, seed=3):
        log.append(records)
    catch_up(monitor_of(log))
    beat(log, MONITOR, BEGIN - 1_100)
    beat(log, WORKER, BEGIN + 95)
    console = Console(file=io.StringIO(), width=80, height=24, force_terminal=terminal, color_system=None)
    screen = Screen(log)
    screen.follow()
    console.print(screen.draw(BEGIN + 100, 80, 24) if terminal else screen.plain(BEGIN + 100, 80))
    lines = console.file.getvalue().splitlines()

    # One that restarts in a loop, before it can write a heartbeat, is silent, too.
    assert "Monitor silent for 20 min; start it or read its output: stream-nb monitor." in lines[terminal]
    assert "50 mails, " in lines[1 + terminal] and len(lines) <= 24
    beat(log, MONITOR, BEGIN + 99)
    console.print(screen.plain(BEGIN + 100, 80))
    assert console.file.getvalue().count("Monitor") == 1
    console.print(screen.plain(BEGIN + 107, 80))
    assert console.file.getvalue().count("Worker last seen 12 s ago.") == 1


def test_a_dead_worker_is_reported_until_another_one_has_its_partitions():
    log = monitored_log()

    def beat_of(member: str, partitions: int, at: float) -> None:
        places = [TopicPartition(topic, partition) for topic in (EMAILS, LABELS) for partition in range(partitions)]
        HeartbeatWriter(log, WORKER, member, lambda: dict.fromkeys(places, Progress(0, 0)), lambda: at).beat()

    beat_of("host-0", 1, BEGIN)
    beat(log, MONITOR, BEGIN + 99)
    beat_of("host-1", 0, BEGIN + 99)
    assert "Worker 1 silent for 2 min." in drawn(log)
    beat_of("host-1", 1, BEGIN + 99)
    assert "silent" not in drawn(log)


def test_a_filter_that_died_is_reported():
    """Without it mail has no score, and nothing else in a terminal tells."""
    log = monitored_log()
    beat(log, FILTER, BEGIN - 20)
    for stage in (WORKER, MONITOR):
        beat(log, stage, BEGIN + 95)
    assert "Filter silent for 2 min; start it or read its output: stream-nb filter." in drawn(log)
    beat(log, FILTER, BEGIN + 96, stopped=True)
    assert "Filter" not in drawn(log)


def test_a_worker_that_fails_again_and_again_is_reported():
    """It was called running or starting, although it learned nothing."""
    log = monitored_log()
    for number in range(8):
        beat(log, WORKER, BEGIN + 45 + 7 * number)
    beat(log, MONITOR, BEGIN + 99)
    assert "Worker restarting: 7 times in a minute; read its output." in drawn(log)


@pytest.mark.parametrize("width", [50, 80, 140])
def test_a_pipe_gets_one_plain_table(watched, width):
    """Each window is one line of complete figures; columns that do not fit are omitted, not truncated."""
    text = drawn(watched, width)
    lines = text.splitlines()
    headings = next(line for line in lines if line.startswith("window"))

    assert text.isascii() and "..." not in text
    assert max(map(len, lines)) <= width
    assert headings.split()[:3] == ["window", "mails", "accuracy"]
    assert ("95 % interval" in headings, "recall" in headings) == (width == 140, True)
    for title in ("last 100", "last 10,000", "24 h", "since start"):
        [line] = [line for line in lines if line.startswith(f"{title} ")]
        assert "78.95 %" in line


def test_a_terminal_without_cursor_control_gets_the_plain_table(watched, monkeypatch):
    monkeypatch.setenv("TERM", "dumb")

    assert drawn(watched, 80, force_terminal=True).strip() == drawn(watched, 80).strip()


@pytest.mark.parametrize("width", [50, 80])
def test_a_small_terminal_shows_complete_figures_and_mails(watched, width):
    console = Console(file=io.StringIO(), width=width, height=24, force_terminal=True, color_system=None)
    screen = Screen(watched)
    screen.follow()
    console.print(screen.draw(BEGIN + 100, width, 24))
    lines = console.file.getvalue().splitlines()

    assert len(lines) <= 24
    assert {len(line) for line in lines} == {width}
    assert any("since start" in line and "78.95 %" in line for line in lines)
    assert any("subject 149" in line for line in lines)


@pytest.mark.parametrize("terminal", [True, False])
def test_an_ascii_locale_is_no_error(watched, terminal):
    """Characters that the locale cannot encode are replaced."""
    values = {"subject": "gr\u00fc\u00dfe"}
    file = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    stop = Event()

    def clock() -> float:
        stop.set()
        return BEGIN + 100

    log = new_log()
    record = prediction(1, 2.0, BEGIN)
    changed = {name: getattr(record, name) for name in record.__struct_fields__} | values
    log.append([ProducerRecord(PREDICTIONS, b"m1", encode(type(record)(**changed)), 0, BEGIN)])
    catch_up(monitor_of(log))
    run_top(log, stop, Console(file=file, width=80, height=24, force_terminal=terminal), clock)
    file.flush()
    text = file.buffer.getvalue().decode("ascii")
    assert "since start" in text
    assert ("gr??e" in text) == terminal


def test_markup_and_escape_sequences_in_a_subject_have_no_effect():
    log = new_log()
    hostile = "[red]alarm[/red] \x1b[2J\x1b]0;title\x07 \u202egpj.exe"
    record = prediction(1, 2.0, BEGIN)
    values = {name: getattr(record, name) for name in record.__struct_fields__} | {"subject": hostile}
    log.append([ProducerRecord(PREDICTIONS, b"m1", encode(type(record)(**values)), 0, BEGIN)])
    catch_up(monitor_of(log))
    console = Console(file=io.StringIO(), width=140, height=50)
    screen = Screen(log)
    screen.follow()
    console.print(screen.draw(BEGIN + 100, 140, 50))
    text = console.file.getvalue()
    assert "[red]alarm[/red]" in text
    assert not set("\x1b\x07\u202e") & set(text)


def test_a_score_that_rounds_to_0_is_not_negative():
    log = new_log()
    log.append([ProducerRecord(PREDICTIONS, b"m0", encode(prediction(0, -0.001, BEGIN)), 0, BEGIN)])
    catch_up(monitor_of(log))
    console = Console(file=io.StringIO(), width=140, height=50)
    screen = Screen(log)
    screen.follow()
    console.print(screen.draw(BEGIN + 100, 140, 50))
    assert " +0.00 " in console.file.getvalue()
