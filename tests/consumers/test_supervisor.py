"""Processes that end in doubt are started again; a user's mistake stops everything; nothing is left behind."""

import os
import signal
import subprocess
import sys
import threading
import time
from functools import partial

from consumers.errors import STATUS_RESTART, STATUS_USER_ERROR
from consumers.stopping import stop_with_parent
from consumers.supervisor import supervise


def run_a_third_time(marks):
    with open(marks, "a+") as file:
        file.write("x")
        file.seek(0)
        sys.exit(0 if len(file.read()) == 3 else STATUS_RESTART)


def work_until_stopped(pid, end):
    """Writes `end` when it has ended as it was asked to."""
    stop = stop_with_parent()
    pid.write_text(str(os.getpid()))
    stop.wait()
    end.write_text("stopped")


def wait_for(path):
    deadline = time.monotonic() + 20
    while not (path.exists() and path.read_text()) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert path.exists()


def is_alive(pid):
    return subprocess.run(["kill", "-0", pid], capture_output=True, check=False).returncode == 0


def test_a_process_that_asks_for_it_is_started_again(tmp_path):
    """The first two runs end in doubt, the third stops by itself."""
    marks = tmp_path / "runs"
    statuses = []

    assert supervise([partial(run_a_third_time, marks)], threading.Event(), statuses.append) == 0

    assert marks.read_text() == "xxx"
    assert statuses == [STATUS_RESTART, STATUS_RESTART]


def test_nothing_is_started_once_it_is_to_stop(monkeypatch):
    started = []
    monkeypatch.setattr("consumers.supervisor.Child", started.append)
    (stop := threading.Event()).set()

    assert supervise([print], stop) == 0

    assert started == []


def test_a_killed_process_is_started_again(tmp_path):
    pid, end, stop = tmp_path / "pid", tmp_path / "end", threading.Event()
    killed = []

    def kill_once():
        wait_for(pid)
        first = int(pid.read_text())
        pid.write_text("")
        os.kill(first, signal.SIGKILL)
        wait_for(pid)
        stop.set()

    killer = threading.Thread(target=kill_once)
    killer.start()
    assert supervise([partial(work_until_stopped, pid, end)], stop, killed.append) == 0
    killer.join()

    assert killed == [-signal.SIGKILL]
    assert end.read_text() == "stopped"


def test_a_users_mistake_stops_all(tmp_path):
    status = supervise(
        [partial(sys.exit, STATUS_USER_ERROR), partial(work_until_stopped, tmp_path / "pid", tmp_path / "end")],
        threading.Event(),
    )

    assert status == STATUS_USER_ERROR


def test_stopping_ends_every_process(tmp_path):
    stop = threading.Event()
    pid, end = tmp_path / "pid", tmp_path / "end"
    thread = threading.Thread(target=supervise, args=([partial(work_until_stopped, pid, end)], stop))
    thread.start()
    wait_for(pid)

    stop.set()
    thread.join(timeout=20)

    assert not thread.is_alive()
    assert end.read_text() == "stopped"
    assert not is_alive(pid.read_text())


def test_a_worker_process_stops_when_its_supervisor_is_killed(tmp_path):
    pid, end = tmp_path / "pid", tmp_path / "end"
    code = (
        "import threading; from functools import partial; from pathlib import Path; "
        "from consumers.supervisor import supervise; from tests.consumers.test_supervisor import work_until_stopped; "
        f"supervise([partial(work_until_stopped, Path({str(pid)!r}), Path({str(end)!r}))], threading.Event())"
    )
    parent = subprocess.Popen([sys.executable, "-c", code])
    wait_for(pid)

    parent.send_signal(signal.SIGKILL)
    parent.wait()

    wait_for(end)
