"""Processes that crash or ask for a restart are restarted; a user error stops all; no process is left running."""

import multiprocessing.forkserver
import os
import random
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from consumers.errors import STATUS_RESTART, STATUS_USER_ERROR, Restart, UserError
from consumers.runtime.supervisor import supervise
from tests.support.restarts import note_restarts
from tests.support.waiting import until


def run_a_third_time(marks, stop):
    with open(marks, "a+") as file:
        file.write("x")
        file.seek(0)
        if len(file.read()) < 3:
            raise Restart("not yet the third time")


def make_a_mistake(stop):
    raise UserError("no such thing")


def write_modules(path, stop):
    """Write the names of the imported modules to a file."""
    path.write_text("\n".join(sys.modules))


def work_until_stopped(pid, end, stop):
    """Write the pid, wait for the stop event, then write to `end`."""
    pid.write_text(str(os.getpid()))
    stop.wait()
    end.write_text("stopped")


def wait_for(path):
    until(lambda: path.exists() and path.read_text())


def fork_server():
    return multiprocessing.forkserver._forkserver._forkserver_pid


@pytest.fixture
def new_fork_server():
    """Make the test start a new fork server, because a running one keeps its modules and its stderr."""
    if fork_server() is not None:
        os.kill(fork_server(), signal.SIGKILL)
        wait_for_end(fork_server())


def wait_for_another(path, pid):
    """Wait until a new process has written its pid, which differs from the last one."""
    until(lambda: path.read_text() not in ("", pid), lambda: "no new process was started")
    return path.read_text()


def is_alive(pid):
    """Whether the process runs; a zombie does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def wait_for_end(pid):
    until(lambda: not is_alive(pid))


def test_a_process_that_exits_with_the_restart_status_is_restarted(tmp_path, monkeypatch):
    """The first two runs ask for a restart, the third ends normally."""
    marks = tmp_path / "runs"
    statuses = []
    note_restarts(monkeypatch, statuses.append)

    assert supervise([partial(run_a_third_time, marks)], threading.Event()) == 0

    assert marks.read_text() == "xxx"
    assert statuses == [STATUS_RESTART, STATUS_RESTART]


def test_nothing_is_started_after_stop_was_set(monkeypatch):
    started = []
    monkeypatch.setattr("consumers.runtime.supervisor.Child", started.append)
    (stop := threading.Event()).set()

    assert supervise([print], stop) == 0

    assert started == []


def test_a_killed_process_is_restarted(tmp_path, monkeypatch):
    pid, end, stop = tmp_path / "pid", tmp_path / "end", threading.Event()
    killed = []
    note_restarts(monkeypatch, killed.append)

    def kill_once():
        wait_for(pid)
        first = int(pid.read_text())
        pid.write_text("")
        os.kill(first, signal.SIGKILL)
        wait_for(pid)
        stop.set()

    killer = threading.Thread(target=kill_once)
    killer.start()
    assert supervise([partial(work_until_stopped, pid, end)], stop) == 0
    killer.join()

    assert killed == [-signal.SIGKILL]
    assert end.read_text() == "stopped"


@pytest.fixture
def supervised(tmp_path, monkeypatch):
    """The file to which a supervised process writes its pid, and a function that stops the supervisor and returns
    the exit statuses of the restarted processes."""
    pid, end, stop = tmp_path / "pid", tmp_path / "end", threading.Event()
    outcome, statuses = [], []
    note_restarts(monkeypatch, statuses.append)
    job = partial(work_until_stopped, pid, end)
    thread = threading.Thread(target=lambda: outcome.append(supervise([job], stop)))
    thread.start()
    wait_for(pid)

    def stop_all():
        stop.set()
        thread.join(timeout=30)
        assert not thread.is_alive()
        assert outcome == [0]
        assert end.read_text() == "stopped"
        wait_for_end(pid.read_text())
        return statuses

    yield pid, stop_all
    stop.set()
    thread.join()


def test_processes_continue_after_the_fork_server_was_killed(supervised):
    """They are also stopped as usual."""
    pid, stop_all = supervised
    first = pid.read_text()

    os.kill(fork_server(), signal.SIGKILL)
    time.sleep(0.3)

    assert pid.read_text() == first and is_alive(first)
    assert stop_all() == []


def test_a_process_killed_after_the_fork_server_is_restarted_by_a_new_one(supervised):
    pid, stop_all = supervised
    first, server = pid.read_text(), fork_server()

    os.kill(server, signal.SIGKILL)
    os.kill(int(first), signal.SIGKILL)

    wait_for_another(pid, first)
    assert fork_server() != server
    stop_all()


def test_the_supervisor_survives_kills_in_any_order(supervised):
    """Kills the fork server, the process or both, at random times, also during a restart."""
    pid, stop_all = supervised
    draw = random.Random(7)
    for _ in range(12):
        last = pid.read_text()
        victims = draw.choice([[fork_server()], [int(last)], [fork_server(), int(last)], [int(last), fork_server()]])
        for victim in victims:
            with suppress(ProcessLookupError):
                os.kill(victim, signal.SIGKILL)
            time.sleep(draw.choice([0.0, 0.01, 0.1]))
        if int(last) in victims:
            wait_for_another(pid, last)
    stop_all()


def test_a_user_error_stops_all_processes(tmp_path, new_fork_server, capfd):
    status = supervise(
        [make_a_mistake, partial(work_until_stopped, tmp_path / "pid", tmp_path / "end")], threading.Event()
    )

    assert status == STATUS_USER_ERROR
    assert capfd.readouterr().err == "stream-nb: no such thing\n"


def test_processes_have_the_preloaded_module(tmp_path, new_fork_server):
    supervise([partial(write_modules, tmp_path / "modules")], threading.Event(), preload="wave")

    assert "wave" in (tmp_path / "modules").read_text().split()


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
        "from consumers.runtime.supervisor import supervise; "
        "from tests.consumers.runtime.test_supervisor import work_until_stopped; "
        f"supervise([partial(work_until_stopped, Path({str(pid)!r}), Path({str(end)!r}))], threading.Event())"
    )
    parent = subprocess.Popen([sys.executable, "-c", code])
    wait_for(pid)

    parent.send_signal(signal.SIGKILL)
    parent.wait()

    wait_for(end)
