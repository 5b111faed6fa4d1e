"""A supervisor that must stop ends a fork server that is still importing or compiling modules."""

import os
import signal
import subprocess
import sys
from contextlib import suppress

from tests.consumers.runtime.test_supervisor import wait_for, wait_for_end

CODE = """
import signal, sys, threading
from consumers.runtime.supervisor import supervise
stop = threading.Event()
signal.signal(signal.SIGTERM, lambda *_: stop.set())
sys.exit(supervise([print, print], stop, "lasts_long", started=lambda: print("started")))
"""


def test_stopping_ends_a_fork_server_that_is_importing(tmp_path, monkeypatch):
    server = tmp_path / "server"
    (tmp_path / "lasts_long.py").write_text(
        f"import os, pathlib, time\npathlib.Path({str(server)!r}).write_text(str(os.getpid()))\ntime.sleep(600)\n"
    )
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *sys.path]))
    printed = tmp_path / "printed"
    with printed.open("w") as file:
        supervisor = subprocess.Popen([sys.executable, "-c", CODE], stdout=file)
    try:
        wait_for(server)
        supervisor.send_signal(signal.SIGTERM)
        assert supervisor.wait(60) == 0
        wait_for_end(int(server.read_text()))
    finally:
        supervisor.kill()
        with suppress(OSError):
            os.kill(int(server.read_text()), signal.SIGKILL)
    assert printed.read_text() == ""
