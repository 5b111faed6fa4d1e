"""The end of the dashboard's server."""

from __future__ import annotations

import threading

import pytest

from consumers.dashboard.server import DashboardServer
from consumers.log.memory import MemoryLog
from consumers.settings import DashboardSettings, Settings


class SecondInterrupt(threading.Event):
    """Raises KeyboardInterrupt in a `wait`, as a second Ctrl-C does."""

    def wait(self, timeout: float | None = None) -> bool:
        raise KeyboardInterrupt


def test_after_a_second_interrupt_the_process_does_not_wait_for_the_server():
    server = DashboardServer(MemoryLog, Settings(dashboard=DashboardSettings(port=0)))
    with pytest.raises(KeyboardInterrupt):
        server.run(SecondInterrupt())

    (serving,) = [thread for thread in threading.enumerate() if thread.name == "dashboard"]
    server._server.should_exit = True
    serving.join()
    assert serving.daemon
