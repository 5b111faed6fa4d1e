"""A second Ctrl-C (`timeout -s INT` always sends two) interrupts the stop; the processes still end."""

import subprocess
import sys

import pytest

from tests.consumers.runtime.test_supervisor import is_alive

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


def test_processes_end_although_the_stop_was_interrupted(tmp_path):
    pid, end = tmp_path / "pid", tmp_path / "end"
    supervisor = subprocess.Popen([sys.executable, "-c", CODE, pid, end], stderr=subprocess.PIPE)
    try:
        _, err = supervisor.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        pytest.fail("the supervisor waits for a process that nobody has told to stop")
    finally:
        supervisor.kill()
        supervisor.wait()

    assert b"KeyboardInterrupt" in err
    assert end.read_text() == "stopped" and not is_alive(pid.read_text())
