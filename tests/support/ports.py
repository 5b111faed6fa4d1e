"""Free TCP ports, and waiting for a process that listens on one."""

from __future__ import annotations

import random
import socket
import subprocess
import time
from contextlib import suppress
from pathlib import Path

PATIENCE_S = 120.0


def free_ports(count: int) -> list[int]:
    """Different ports that are free now; below those that systems give to clients, which could take one meanwhile."""
    ports = set[int]()
    while len(ports) < count:
        port = random.SystemRandom().randrange(10_000, 32_768)
        with suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            ports.add(port)
    return list(ports)


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
