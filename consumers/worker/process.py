"""A worker process, as `stream-nb worker` and the demo run it under a supervisor."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from threading import Event
from typing import TYPE_CHECKING

from ..runtime.addresses import host_and_port
from ..runtime.listening_socket import open_socket
from ..runtime.process_slot import take_slot
from ..settings import Settings

if TYPE_CHECKING:
    from .worker import Worker

PRELOAD = f"{__package__}.preload"
"""The module to import once for all worker processes (`supervise`)."""


def check_start(settings: Settings, processes: int) -> None:
    """Find out now what each of so many `processes` would find out only after its imports, which compile for a minute
    the first time.

    Raises:
        UserError: The settings contradict each other, or a process would get no slot of this machine, or could not open
            its health port.
    """
    from ..model.factory import check_model, new_policy

    check_model(settings.learner)
    new_policy(settings.learner)
    host, first = settings.worker.health_host, settings.worker.health_port
    with ExitStack() as held:
        for _ in range(processes):
            slot = take_slot(settings, settings.worker.group)
            held.enter_context(slot.lock)
            if first:
                port = first + slot.number
                advice = f"choose another one with {_address_settings(settings)}"
                open_socket(host, port, f"health port {host_and_port(host, port)}", advice).close()


def run(settings: Settings, stop: Event) -> None:
    """Work in a free process slot of this machine until `stop` is set.

    Raises Restart as `stage_process` does, and UserError when the health port is in use.
    """
    # Imported here, because the supervisor imports this module and must stay small.
    from ..records.heartbeat import WORKER, HeartbeatWriter
    from ..records.stage_process import stage_process
    from .worker import Worker

    with stage_process(settings, settings.worker.group, None) as (log, slot):
        worker = Worker(log, settings, slot.member)
        pulse = _serve_health(settings, slot.number, worker)
        heartbeat = HeartbeatWriter(log, WORKER, slot.member, worker.progress, learner=settings.learner)

        heartbeat.beat(starting="reading the model")

        def beat(ready: bool) -> None:
            pulse(ready)
            heartbeat.beat(stopped=stop.is_set())

        worker.run(stop, beat)


def run_cold(settings: Settings, stop: Event) -> None:
    """Like `run` (same `stop`), for a process that was not forked from one that has imported and compiled everything.

    It imports and compiles first, and reports this in heartbeats.
    """
    from stream_nb.kernels import jit

    from ..records.heartbeat import WORKER, HeartbeatWriter
    from ..records.setup import open_ready_log

    slot = take_slot(settings, settings.worker.group)
    with slot.lock, open_ready_log(settings, lambda text: None, create=False) as log:
        heartbeat = HeartbeatWriter(log, WORKER, slot.member)
        heartbeat.beat(starting="loading")
        from .warm import warm_up

        compiled: list[str] = []

        def show(name: str) -> None:
            compiled.append(name)
            heartbeat.beat(starting=f"compiling, once: {len(compiled)} functions")

        with jit.compilations(show):
            warm_up()
    run(settings, stop)


def _serve_health(settings: Settings, slot: int, worker: Worker) -> Callable[[bool], None]:
    """Serve health and metrics on the configured port plus the slot number; returns the `beat` for the worker's loop.

    Without a configured port it serves nothing.
    """
    if not settings.worker.health_port:
        return lambda ready: None
    from prometheus_client import CollectorRegistry

    from ..runtime.health import HealthServer, Pulse
    from .metrics import WorkerCollector

    registry = CollectorRegistry()
    registry.register(WorkerCollector(worker))
    pulse = Pulse()
    port = settings.worker.health_port + slot
    HealthServer(settings.worker.health_host, port, pulse, registry, _address_settings(settings))
    return pulse.beat


def _address_settings(settings: Settings) -> str:
    port = settings.worker.health_port
    return f"[worker] health_host or health_port ({port}, and the next ones for further processes)"
