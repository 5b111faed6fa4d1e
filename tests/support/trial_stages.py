"""The stages that run in a trial besides the workers, each below a supervisor of its own."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Callable, Sequence
from random import Random

from consumers.errors import STATUS_RESTART
from tests.support.processes import send_signal, tree


class Stages:
    """Starts the stages of these `names`; `supervise` starts a command below a supervisor."""

    def __init__(self, names: Sequence[str], supervise: Callable[[str], subprocess.Popen]) -> None:
        self._supervise = supervise
        self._running = [(name, supervise(name)) for name in names]

    def __contains__(self, name: str) -> bool:
        return any(name == each for each, _ in self._running)

    def kill_one(self, draw: Random) -> str:
        """Kill a stage and its supervisor, so that a second one of its kind takes over, start it again; its name."""
        name, supervisor = self._running.pop(draw.randrange(len(self._running)))
        for pid in [supervisor.pid, *tree(supervisor.pid)]:
            send_signal(pid, signal.SIGKILL)
        supervisor.wait()
        self._running.append((name, self._supervise(name)))
        return name

    def start_again(self) -> None:
        """Start the stages that could not begin, because Kafka did not answer; systemd would do it, too."""
        for place, (name, supervisor) in enumerate(self._running):
            if (status := supervisor.poll()) == STATUS_RESTART:
                self._running[place] = (name, self._supervise(name))
            elif status is not None:
                raise RuntimeError(f"{name} ended with status {status}")

    def end(self, *names: str) -> None:
        """Stop the stages of these names; all without one."""
        ending = [stage for stage in self._running if not names or stage[0] in names]
        self._running = [stage for stage in self._running if stage not in ending]
        for _, supervisor in ending:
            end(supervisor)


def end(process: subprocess.Popen) -> None:
    """Stop a supervisor with SIGTERM, or kill it if it does not end."""
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
