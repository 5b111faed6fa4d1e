"""A process that waits for its restart holds up no other, waits longer each time, and is named if it cannot start."""

import re
import threading
import time
from functools import partial
from unittest.mock import Mock

from consumers.errors import STATUS_RESTART, Restart, TopicMismatch
from consumers.runtime import child
from consumers.runtime.supervisor import supervise
from tests.support.own_log import own_messages
from tests.support.restarts import note_restarts
from tests.support.waiting import until


def end_with(status, after, stop):
    """Exit once the file `after` exists, if one is given, and another process would have been restarted too early."""
    if after is not None:
        while not after.exists():
            time.sleep(0.01)
        time.sleep(1.0)
    raise SystemExit(status)


def test_the_end_of_a_process_is_noticed_while_another_waits_for_its_restart(tmp_path, monkeypatch):
    monkeypatch.setattr(child, "FIRST_PAUSE_S", 3600.0)
    ended, stop, mark = [], threading.Event(), tmp_path / "the first has ended"

    def note(status):
        ended.append(status)
        mark.touch()
        if len(ended) == 2:
            stop.set()

    note_restarts(monkeypatch, note)
    supervise([partial(end_with, 1, None), partial(end_with, 3, mark)], stop)

    assert ended == [1, 3]


def test_a_process_that_ends_again_and_again_waits_longer_and_is_logged_once(monkeypatch):
    monkeypatch.setattr(child.Child, "start", lambda process: setattr(process, "started", time.monotonic()))
    process = child.Child(print)
    assert [process.pause_s() for _ in range(9)] == [0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0]
    process.started -= child.HEALTHY_S
    assert process.pause_s() == 0.05
    assert [process.should_log(status) for status in (STATUS_RESTART, 1, 1, -9)] == [False, True, False, True]


def doubt(causes, stop):
    """Restart for another cause each time, as `stage_process` does."""
    cause = causes.read_text().split()
    causes.write_text(" ".join(cause[1:]))
    error = TopicMismatch("needs more") if cause[0] == "mismatch" else Restart("commit: too large")
    raise Restart(f"starting again from the log: {error}") from error


def test_each_cause_of_a_restart_is_logged_at_once(tmp_path, monkeypatch, capfd):
    """The first error of a topic with wrong settings does not name them, as the one of the next start does."""
    causes, stop, statuses = tmp_path / "causes", threading.Event(), []
    causes.write_text("commit mismatch commit mismatch")

    def note(status):
        statuses.append(status)
        if len(statuses) == 4:
            stop.set()

    note_restarts(monkeypatch, note)
    supervise([partial(doubt, causes)], stop)

    assert statuses == [STATUS_RESTART] * 4
    lines = capfd.readouterr().err.splitlines()
    assert [line.rpartition(": ")[2] for line in lines] == ["too large", "needs more"]


def fail_once(mark, stop):
    if mark.exists():
        stop.wait(60)
    else:
        mark.touch()
        raise Restart("the broker is away")


def test_a_process_that_works_again_after_a_failure_is_logged_once(tmp_path, monkeypatch, caplog):
    """Otherwise its last line would stay the error."""
    monkeypatch.setattr(child, "RECOVERED_S", 0.3)
    stop = threading.Event()

    def stop_once_logged():
        until(lambda: own_messages(caplog))
        time.sleep(0.5)
        stop.set()

    watching = threading.Thread(target=stop_once_logged)
    watching.start()
    supervise([partial(fail_once, tmp_path / "mark")], stop)
    watching.join()

    (line,) = [line for line in caplog.text.splitlines() if "works again" in line]
    assert re.fullmatch(r"[-\d]+ [:,\d]+ supervisor: process \d+ works again", line)


def test_a_process_that_cannot_start_is_logged_without_a_number(monkeypatch, caplog):
    """The fork server dies while it starts one."""
    monkeypatch.setattr(child.FORKS.Process, "start", Mock(side_effect=EOFError))
    stop = threading.Event()
    note_restarts(monkeypatch, lambda status: stop.set())

    supervise([print], stop)

    assert "no process started; restarting in 0.05 s" in caplog.text


def test_the_reason_why_no_process_can_start_is_logged(monkeypatch, caplog):
    monkeypatch.setattr(child.FORKS.Process, "start", Mock(side_effect=OSError("AF_UNIX path too long")))
    stop = threading.Event()
    note_restarts(monkeypatch, lambda status: stop.set())

    supervise([print], stop)

    assert "no process started: AF_UNIX path too long; is TMPDIR" in caplog.text
