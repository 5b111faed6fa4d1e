"""Processes end although a second Ctrl-C (`timeout -s INT` sends two) interrupts the stop, or they do not stop."""

import os
import subprocess
import sys
import threading
import time
from functools import partial

import pytest

from consumers.runtime import supervisor
from tests.consumers.runtime.test_supervisor import is_alive, wait_for

CODE = """
import os, signal, sys
from functools import partial
from pathlib import Path
from consumers.runtime.shutdown import stop_on_signals
from consumers.runtime.supervisor import Child, supervise
from tests.consumers.runtime.test_supervisor import wait_for, work_until_stopped

pid, end = Path(sys.argv[1]), Path(sys.argv[2])

def interrupted(child, number):
    signal.raise_signal(signal.SIGINT)

def started():
    wait_for(pid)
    signal.raise_signal(signal.SIGINT)

Child.signal = interrupted
supervise([partial(work_until_stopped, pid, end)], stop_on_signals(), started=started)
"""


def run_interrupted(code, *arguments):
    """Run a program whose supervisor is interrupted while it stops; it must end."""
    process = subprocess.Popen([sys.executable, "-c", code, *arguments], stderr=subprocess.PIPE)
    try:
        _, err = process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        pytest.fail("the supervisor waits for a process that does not stop, or that nobody has told to")
    finally:
        process.kill()
        process.wait()
    assert b"KeyboardInterrupt" in err


def test_processes_end_although_the_stop_was_interrupted(tmp_path):
    pid, end = tmp_path / "pid", tmp_path / "end"
    run_interrupted(CODE, pid, end)
    assert end.read_text() == "stopped" and not is_alive(pid.read_text())


TWICE = """
import signal, sys
from functools import partial
from pathlib import Path
from consumers.runtime.shutdown import stop_on_signals
from consumers.runtime.supervisor import Child, supervise
from tests.consumers.runtime.test_supervisor import wait_for
from tests.consumers.runtime.test_supervisor_interrupt import never_stop

pid, wait = Path(sys.argv[1]), Child.wait

def interrupted(child, timeout_s):
    Child.wait = wait
    signal.raise_signal(signal.SIGINT)

def started():
    wait_for(pid)
    signal.raise_signal(signal.SIGINT)

Child.wait = interrupted
supervise([partial(never_stop, pid)], stop_on_signals(), started=started)
"""


def test_a_process_that_does_not_stop_is_killed_after_a_second_interrupt(tmp_path):
    """As one that waits for a log that does not answer; Python would wait for its end, too."""
    pid = tmp_path / "pid"
    run_interrupted(TWICE, pid)
    assert not is_alive(pid.read_text())


def never_stop(pid, stop):
    pid.write_text(str(os.getpid()))
    time.sleep(600)


def test_a_process_that_does_not_stop_is_killed(tmp_path, monkeypatch):
    monkeypatch.setattr(supervisor, "GRACE_S", 0.2)
    pid, stop = tmp_path / "pid", threading.Event()

    def stop_soon():
        wait_for(pid)
        stop.set()

    threading.Thread(target=stop_soon).start()
    assert supervisor.supervise([partial(never_stop, pid)], stop) == 0
    assert not is_alive(pid.read_text())
