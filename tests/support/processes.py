"""The processes of a supervisor, and the CPU time of processes."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Iterable
from pathlib import Path


def worker_processes(supervisor: int) -> list[int]:
    """The processes that a supervisor's fork server has forked."""
    servers = _pgrep("-P", str(supervisor))
    return [int(pid) for pid in _pgrep("-P", ",".join(servers))] if servers else []


def descendants(pid: int) -> list[int]:
    """The children of a process, then its grandchildren, and so on."""
    found, nearest = [], [str(pid)]
    while nearest := _pgrep("-P", ",".join(nearest)):
        found += map(int, nearest)
    return found


def kill_with_descendants(process: subprocess.Popen) -> None:
    """Send SIGKILL to a process and to all that it has started, and wait for its end."""
    for pid in [process.pid, *descendants(process.pid)]:
        os.kill(pid, signal.SIGKILL)
    process.wait()


def tree(supervisor: int) -> dict[int, str]:
    """The other processes of a supervisor's session by pid: ``worker``, ``fork server`` or ``resource tracker``.

    They include processes whose parent has died, but not those that have ended.
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
    """The command line of a process; empty if it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


def cpu_seconds(pids: Iterable[int]) -> float:
    """The user and system time of these processes since they started, over all threads."""
    ticks = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _pgrep(*arguments: str) -> list[str]:
    return subprocess.run(["pgrep", *arguments], capture_output=True, text=True, check=False).stdout.split()


def send_signal(pid: int, number: int) -> None:
    """Send a signal to a process, if it has not ended."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)
