"""A process that waits for its restart holds up no other, waits longer each time, and is named if it cannot start."""

import threading
import time
from functools import partial
from unittest.mock import Mock

from consumers.errors import STATUS_RESTART
from consumers.runtime import child
from consumers.runtime.supervisor import supervise


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

    supervise([partial(end_with, 1, None), partial(end_with, 3, mark)], stop, ended=note)

    assert ended == [1, 3]


def test_a_process_that_ends_again_and_again_waits_longer_and_is_logged_once(monkeypatch):
    monkeypatch.setattr(child.Child, "start", lambda process: setattr(process, "started", time.monotonic()))
    process = child.Child(print)
    assert [process.pause_s() for _ in range(9)] == [0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0]
    process.started -= child.HEALTHY_S
    assert process.pause_s() == 0.05
    assert [process.should_log(status) for status in (STATUS_RESTART, 1, 1, -9)] == [False, True, False, True]


def test_a_process_that_cannot_start_is_logged_without_a_number(monkeypatch, caplog):
    """The fork server dies while it starts one."""
    monkeypatch.setattr(child.FORKS.Process, "start", Mock(side_effect=EOFError))
    stop = threading.Event()

    supervise([print], stop, ended=lambda status: stop.set())

    assert "no process started; restarting in 0.05 s" in caplog.text


def test_the_reason_why_no_process_can_start_is_logged(monkeypatch, caplog):
    monkeypatch.setattr(child.FORKS.Process, "start", Mock(side_effect=OSError("AF_UNIX path too long")))
    stop = threading.Event()

    supervise([print], stop, ended=lambda status: stop.set())

    assert "no process started: AF_UNIX path too long; is TMPDIR" in caplog.text
