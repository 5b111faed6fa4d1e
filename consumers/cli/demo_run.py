"""The demo: feed, worker, monitor and dashboard on one log, until every mail and label fed is scored and learned."""

from __future__ import annotations

import random
import socket
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from http.client import HTTPConnection, HTTPException
from threading import Event, Thread

from msgspec.structs import replace

from ..dashboard import process as dashboard
from ..errors import STATUS_USER_ERROR, ConsumerError, UserError
from ..ingest.feeder import Feeder, Item
from ..log.base import Log, TopicPartition
from ..model.replica import Replica
from ..monitor import process as monitor
from ..monitor.health import HealthObserver
from ..records.heartbeat import WORKER
from ..records.replay import read_all, read_predictions, read_quarantine
from ..records.schemas import EMAILS, LABELS, PREDICTIONS, QUARANTINE
from ..runtime.child import Job
from ..runtime.pause import pause
from ..runtime.supervisor import supervise
from ..settings import Settings
from ..worker import process as worker

HOST = "127.0.0.1"
ANSWER_S = 10.0
MEAN_DELAY_MAILS = 30
DRAIN_S = 120.0


def human_delays(seed: int) -> Iterator[int]:
    """The delay of each mail's label, in mails, drawn with this `seed`: exponentially distributed, usually short,
    sometimes long."""
    draw = random.Random(seed)
    while True:
        yield int(draw.expovariate(1 / MEAN_DELAY_MAILS))


def free_port(wanted: int) -> int:
    """`wanted` if it is free, else any free port."""
    for port in (wanted, 0):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((HOST, port))
            except OSError:
                continue
            return probe.getsockname()[1]
    return wanted


class Stages:
    """Runs the other stages as supervised processes until `stop` is set, with the page at `port` of this machine; the
    end of the `with` block sets it.

    The end of the block raises UserError if a stage ended with one, which has set `stop`, too.
    """

    def __init__(self, settings: Settings, port: int, stop: Event) -> None:
        settings = replace(
            settings,
            monitor=replace(settings.monitor, port=0),
            dashboard=replace(settings.dashboard, host=HOST, port=port),
        )
        jobs = [partial(run, settings) for run in (dashboard.run, worker.run_cold, monitor.run)]
        self._stop = stop
        self._status = 0
        self._thread = Thread(target=self._supervise, args=(jobs,), name="stages")
        self._port = port

    def __enter__(self) -> Stages:
        self._thread.start()
        return self

    def wait_for_page(self) -> str:
        """Wait until the page answers or `stop` is set; return its address. Raises ConsumerError if a stage ended."""
        page = f"http://{HOST}:{self._port}/"
        while not self._stop.is_set() and not _answers(self._port):
            if not self._thread.is_alive():
                raise ConsumerError(f"a stage ended before {page} answered; its message is above")
            self._stop.wait(0.1)
        return page

    def wait_for_worker(self, log: Log, show: Callable[[str], None]) -> None:
        """Wait until the worker runs or `stop` is set; `show` is called with each new status of the starting worker.

        Raises ConsumerError if a stage ended.
        """
        observer, shown = HealthObserver(log), ""
        while not self._stop.is_set():
            workers = [stage for stage in observer.look(time.time()).stages if stage.stage == WORKER]
            if any(stage.runs for stage in workers):
                return
            if not self._thread.is_alive():
                raise ConsumerError("a stage ended before the worker was ready; its message is above")
            note = workers[0].note
            if note != shown:
                show(shown := note)
            self._stop.wait(0.2)

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        if self._status == STATUS_USER_ERROR:
            raise UserError("a stage ended; its message is above")

    def _supervise(self, jobs: Sequence[Job]) -> None:
        # The page's modules are imported first; the worker compiles while the page already answers.
        self._status = supervise(jobs, self._stop, dashboard.PRELOAD)


def _answers(port: int) -> bool:
    with closing(HTTPConnection(HOST, port, timeout=ANSWER_S)) as connection:
        try:
            connection.request("GET", "/")
            connection.getresponse()
        except (OSError, HTTPException):
            return False
    return True


def play(
    log: Log,
    settings: Settings,
    items: Iterable[Item],
    rate: float,
    seed: int,
    progress: Callable[[int], None],
    stop: Event,
) -> float:
    """Feed all items with their labels, at `rate` mails per second (0: full speed), and wait until the worker has
    processed them; returns mails per second. Feeding stops when `stop` is set.

    `progress` is called with the number of mails that the worker has processed; `seed` is that of `human_delays`.
    """
    started = time.monotonic()

    def show(fed_mails: int) -> None:
        progress(min(fed_mails, processed_records(log)))

    fed = Feeder(log, rate, human_delays(seed), source="people", progress=show).run(items, stop.is_set)
    processed, deadline = 0, time.monotonic() + DRAIN_S
    while not stop.is_set() and (processed_records(log) < fed.mails or not caught_up(log, settings)):
        show(fed.mails)
        if processed_records(log) > processed:
            processed, deadline = processed_records(log), time.monotonic() + DRAIN_S
        if time.monotonic() > deadline:
            raise ConsumerError(f"the worker did nothing for {DRAIN_S:.0f} s; its messages are above")
        pause(0.2)
    show(fed.mails)
    return fed.mails / (time.monotonic() - started)


def processed_records(log: Log) -> int:
    """Number of records on `predictions` and `quarantine` of an SQLite log, whose offsets have no gaps. This is the
    number of processed mails, plus that of quarantined labels."""
    places = (TopicPartition(PREDICTIONS, 0), TopicPartition(QUARANTINE, 0))
    return sum(log.end_offset(place) for place in places)


def caught_up(log: Log, settings: Settings) -> bool:
    """Whether every mail on the log has its prediction or quarantine entry, and every label has been read."""
    processed = sum(1 for _, entry in read_quarantine(log) if entry.topic == EMAILS)
    processed += sum(1 for _ in read_predictions(log))
    if processed < sum(1 for _ in read_all(log, EMAILS)):
        return False
    replica = Replica.load(log, settings)
    return all(replica.checkpoint(place.partition).labels_next >= log.end_offset(place) for place in log.places(LABELS))
