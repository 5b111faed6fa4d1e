"""The processes behind a supervisor, and what CPU time processes have taken, as the kernel tells."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable
from pathlib import Path


def worker_processes(supervisor: int) -> list[int]:
    """The processes that a supervisor's fork server has forked."""
    servers = _pgrep("-P", str(supervisor))
    return [int(pid) for pid in _pgrep("-P", ",".join(servers))] if servers else []


def descendants(pid: int) -> list[int]:
    """The processes that a process has started, and those that they have, the nearest first."""
    found, nearest = [], [str(pid)]
    while nearest := _pgrep("-P", ",".join(nearest)):
        found += map(int, nearest)
    return found


def tree(supervisor: int) -> dict[int, str]:
    """What runs in a supervisor's session beside itself, by pid: ``worker``, ``fork server`` or ``resource tracker``.

    Processes whose parent has died are among them; those that have ended are not.
    """
    servers = _pgrep("-P", str(supervisor))
    found: dict[int, str] = {}
    for pid in _pgrep("-s", str(supervisor)):
        line = command_line(int(pid))
        if int(pid) != supervisor and line:
            server = "resource tracker" if "resource_tracker" in line else "fork server"
            found[int(pid)] = server if pid in servers else "worker"
    return found


def command_line(pid: int) -> str:
    """What a process was started with; empty when it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


def cpu_seconds(pids: Iterable[int]) -> float:
    """User and system time of these processes, all threads, since they began."""
    ticks = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _pgrep(*arguments: str) -> list[str]:
    return subprocess.run(["pgrep", *arguments], capture_output=True, text=True, check=False).stdout.split()
