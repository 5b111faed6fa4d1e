"""Log lines are limited to one of a kind per minute, within a process and over restarts."""

import io
import logging
import sys
import threading
from functools import partial

import pytest

from consumers.errors import STATUS_RESTART
from consumers.runtime import child, log_lines
from consumers.runtime.log_lines import EVERY_S, OncePerMinute, OneLine, start_logging
from consumers.runtime.supervisor import supervise
from tests.support.restarts import note_restarts


@pytest.fixture
def limited():
    """A logger with the filter, a function that returns its lines, and a clock to set."""
    now, out = [0.0], io.StringIO()
    handler = logging.StreamHandler(out)
    handler.addFilter(OncePerMinute(clock=lambda: now[0]))
    logger = logging.Logger("consumers.worker")
    logger.addHandler(handler)
    return logger, lambda: out.getvalue().splitlines(), now


def test_lines_that_differ_only_in_values_are_written_once_a_minute(limited):
    logger, lines, now = limited
    for second in range(int(3 * EVERY_S)):
        now[0] = float(second)
        logger.error("no connection to %s", second)
    assert lines() == [f"no connection to {second}" for second in (0, 60, 120)]


def test_a_line_of_another_kind_is_written_at_once(limited):
    logger, lines, _ = limited
    for place in ("a", "b", "a"):
        logger.warning("%s passed over", place, extra={"kind": place})
        logger.warning("away")
        logger.warning("back")
    assert lines() == ["a passed over", "away", "back", "b passed over"]


def test_all_lines_of_a_library_are_one_kind(limited):
    ours, lines, _ = limited
    library = logging.Logger("kafka.client")
    library.addHandler(ours.handlers[0])
    library.error("connection lost")
    library.error("metadata refresh failed")
    ours.warning("starting again")
    assert lines() == ["connection lost", "starting again"]


def complain_and_end(number, status, stop):
    """Log an error and end, as a worker does for each failed attempt to reach its broker."""
    logging.getLogger("library").error("no connection, try by %s", number)
    raise SystemExit(status)


def test_tracebacks_of_libraries_are_omitted_and_ours_kept():
    formatter = OneLine("%(message)s")
    try:
        raise ConnectionResetError("reset by peer")
    except ConnectionResetError:
        raised = sys.exc_info()

    def text(logger):
        return formatter.format(logging.LogRecord(logger, logging.ERROR, "", 1, "it broke", (), raised))

    assert text("kafka.net.transport") == "it broke"
    assert "reset by peer" in text("consumers.filter.writer")


def test_a_process_name_may_contain_percent_signs(monkeypatch):
    out = io.StringIO()
    monkeypatch.setattr(logging.getLogger(), "handlers", [logging.StreamHandler(out)])
    start_logging("a 100%s name")
    logging.getLogger("consumers.worker").warning("away")
    assert out.getvalue().endswith(" a 100%s name: away\n")
    assert len(logging.getLogger().handlers) == 1


def test_without_a_handler_a_process_logs_to_stderr_once_a_minute_and_no_warnings_of_its_client(monkeypatch, capsys):
    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    logging.getLogger("kafka").setLevel(logging.NOTSET)
    start_logging("worker 1")
    logging.getLogger("kafka.client").warning("connecting again")
    for number in range(2):
        logging.getLogger("consumers.worker").warning("away %s", number)
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith(" worker 1: away 0")


@pytest.mark.parametrize(("status", "times"), [(STATUS_RESTART, 0), (1, 2)])
def test_restarted_processes_log_the_same_line_once(monkeypatch, capfd, caplog, status, times):
    """A process that ends with the status for a restart has logged the reason itself."""
    monkeypatch.setattr(child, "LONGEST_PAUSE_S", 0.05)
    monkeypatch.setattr(log_lines, "EVERY_S", 3600.0)  # six starts can take more than a minute
    stop, ends = threading.Event(), []

    def note(status):
        ends.append(status)
        if len(ends) == 6:
            stop.set()

    note_restarts(monkeypatch, note)
    assert supervise([partial(complain_and_end, number, status) for number in (1, 2)], stop) == 0

    lines = capfd.readouterr().err.splitlines()
    assert sorted(line.partition("try")[2] for line in lines if "no connection" in line) == [" by 1", " by 2"]
    assert len([r for r in caplog.records if "ended with status" in r.getMessage()]) == times
