"""Free TCP ports, and waiting for a process that listens on one."""

from __future__ import annotations

import socket
import subprocess
import time
from pathlib import Path

PATIENCE_S = 120.0


def free_ports(count: int) -> list[int]:
    """Different ports that are free now."""
    probes = [socket.socket() for _ in range(count)]
    for probe in probes:
        probe.bind(("127.0.0.1", 0))
    ports = [probe.getsockname()[1] for probe in probes]
    for probe in probes:
        probe.close()
    return ports


def wait_for_port(port: int, process: subprocess.Popen, log: Path | None = None) -> None:
    """Wait until something listens on the port; fail with the text of `log` if the process ends first."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            assert time.monotonic() < deadline and process.poll() is None, log.read_text() if log else process.args
            time.sleep(0.1)
