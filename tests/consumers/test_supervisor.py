"""Processes that end in doubt are started again; a user's mistake stops everything; nothing is left behind."""

import signal
import subprocess
import sys
import threading
import time

from consumers.errors import STATUS_RESTART, STATUS_USER_ERROR
from consumers.supervisor import supervise


def script(text):
    return [sys.executable, "-c", text]


def test_a_process_that_asks_for_it_is_started_again(tmp_path):
    """The first two runs end in doubt, the third stops by itself."""
    marks = tmp_path / "runs"
    child = script(
        f"import sys; f = open({str(marks)!r}, 'a+'); f.write('x'); f.seek(0); "
        f"sys.exit(0 if len(f.read()) == 3 else {STATUS_RESTART})"
    )
    statuses = []

    assert supervise([child], threading.Event(), statuses.append) == 0

    assert marks.read_text() == "xxx"
    assert statuses == [STATUS_RESTART, STATUS_RESTART]


def test_a_users_mistake_stops_all():
    status = supervise(
        [script(f"raise SystemExit({STATUS_USER_ERROR})"), script("import time; time.sleep(60)")], threading.Event()
    )

    assert status == STATUS_USER_ERROR


def test_stopping_ends_every_process(tmp_path):
    stop = threading.Event()
    pid = tmp_path / "pid"
    child = script(f"import os, time; open({str(pid)!r}, 'w').write(str(os.getpid())); time.sleep(60)")
    thread = threading.Thread(target=supervise, args=([child], stop))
    thread.start()
    while not (pid.exists() and pid.read_text()):
        time.sleep(0.01)

    stop.set()
    thread.join(timeout=20)

    assert not thread.is_alive()
    assert subprocess.run(["kill", "-0", pid.read_text()], capture_output=True, check=False).returncode != 0


def test_a_worker_process_stops_when_its_supervisor_is_killed(tmp_path):
    """The pipe on standard input closes with the supervisor, however it died."""
    code = (
        "from consumers.stopping import stop_with_parent; import os; stop = stop_with_parent(); "
        f"open({str(tmp_path / 'up')!r}, 'w').write('1'); stop.wait(); open({str(tmp_path / 'down')!r}, 'w').write('1')"
    )
    parent = subprocess.Popen(
        script(
            "import threading; from consumers.supervisor import supervise; "
            f"supervise([{script(code)!r}], threading.Event())"
        )
    )
    while not (tmp_path / "up").exists():
        time.sleep(0.01)

    parent.send_signal(signal.SIGKILL)
    parent.wait()

    deadline = time.monotonic() + 20
    while not (tmp_path / "down").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert (tmp_path / "down").exists()
