"""The port of a monitor."""

from __future__ import annotations

import socket
import tempfile
import threading
from threading import Event

from consumers.monitor import process
from consumers.monitor.service import Monitor
from consumers.records.setup import open_ready_log
from consumers.settings import MonitorSettings, Settings
from tests.consumers.cli.test_main import run
from tests.support.ports import free_ports
from tests.support.waiting import until


def is_taken(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_a_monitor_whose_log_holds_up_its_end_leaves_the_port_to_its_successor(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))  # separate process slots for the test
    [port] = free_ports(1)
    settings = Settings(log=f"sqlite:{tmp_path}/log", monitor=MonitorSettings(port=port))
    open_ready_log(settings, print).close()
    stop, stepped, answers = Event(), Event(), Event()
    monkeypatch.setattr(Monitor, "act", lambda monitor, records: stepped.set())
    monkeypatch.setattr(Monitor, "finish", lambda monitor: answers.wait())
    running = threading.Thread(target=process.run, args=(settings, stop))
    running.start()
    try:
        until(stepped.is_set)
        assert is_taken(port)
        stop.set()
        until(lambda: not is_taken(port))
        assert running.is_alive()
    finally:
        answers.set()
        stop.set()
        running.join()


def test_an_address_that_cannot_be_had_names_the_settings_of_host_and_port(tmp_path):
    done = run("monitor", "--log", f"sqlite:{tmp_path}/log", STREAM_NB_MONITOR_HOST="a..b")

    assert done.returncode == 2
    assert "a..b:9464: not a host name; choose another one with [monitor] host or port, or --port" in done.stderr
