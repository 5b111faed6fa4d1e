"""Everything behind the dashboard's page in one process: a log in memory, a real worker, monitor and server."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Literal

import msgspec

from consumers.dashboard.server import DashboardServer
from consumers.log.base import ProducerRecord, TopicPartition
from consumers.log.consumer_loop import Progress
from consumers.log.memory import MemoryLog, Topics
from consumers.model.files import put_model
from consumers.model.stream_model import StreamModel
from consumers.monitor.service import Monitor
from consumers.records.heartbeat import MONITOR, WORKER, HeartbeatWriter
from consumers.records.schemas import EMAILS, LABELS, PREDICTIONS, TOPICS, LabelRecord, encode
from consumers.settings import DashboardSettings, LearnerSettings, MonitorSettings, Settings, WorkerSettings
from consumers.worker.worker import Worker
from tests.support import plain_http
from tests.support.monitor_stream import catch_up
from tests.support.waiting import until
from tests.support.worker_run import step_until_done


def settings_of(follow: Literal["deltas", "sums"] = "deltas", **dashboard: object) -> Settings:
    return Settings(
        learner=LearnerSettings(follow=follow),
        worker=WorkerSettings(poll_s=0.01),
        dashboard=msgspec.structs.replace(DashboardSettings(port=0, source="tester"), **dashboard),
        monitor=MonitorSettings(port=0),
    )


def one_after_another(clock: Callable[[], float]) -> Callable[[], float]:
    """A clock whose readings are a millisecond apart at least, so that a worker meets records as they were appended:
    of records in the same millisecond, mails come before labels."""
    last = 0.0

    def read() -> float:
        nonlocal last
        last = max(clock(), last + 0.001)
        return last

    return read


class Stage:
    """A log, optionally with a loaded `model`, and worker, monitor and server on it.

    Worker and monitor work only when told to. `clock` returns seconds since 1970 for all parts but the server.
    """

    def __init__(
        self, settings: Settings, model: StreamModel | None = None, clock: Callable[[], float] = time.time
    ) -> None:
        self.clock = clock
        self.topics = Topics(one_after_another(clock))
        self.settings = settings
        self.log = self.open_log()
        self.log.create_topics(TOPICS, 2)
        if model is not None:
            put_model(self.log, model)
        self.worker = Worker(self.open_log(), settings, "worker-0", clock)
        self.monitor = Monitor(self.open_log(), settings, clock=clock, wall_clock=clock)
        self._young_s = 0.0
        self._heartbeats = [
            self._heartbeat(WORKER, (EMAILS, LABELS)),
            self._heartbeat(MONITOR, (PREDICTIONS, LABELS)),
        ]
        self._start_server()

    def _start_server(self) -> None:
        self.server = DashboardServer(self.open_log, self.settings)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self.server.run, args=(self._stop,))
        self._thread.start()

    def open_log(self) -> MemoryLog:
        return MemoryLog(self.topics)

    def mail(self, message_id: str, subject: str, body: str = "hello", sender: str = "a@example.org") -> None:
        raw = f"From: {sender}\nSubject: {subject}\n\n{body}\n".encode()
        self.log.append([ProducerRecord(EMAILS, message_id.encode(), raw)])

    def features(self, message_id: str, features: dict[str, float | str | bool], text: str | None = None) -> None:
        """Append a JSON message that has features, and perhaps a text."""
        value = {"id": message_id, "features": features} | ({"text": text} if text else {})
        self.log.append([ProducerRecord(EMAILS, message_id.encode(), encode(value))])

    def label(self, message_id: str, label: str | None, source: str = "people") -> None:
        record = LabelRecord(message_id, label, source, self.clock())
        self.log.append([ProducerRecord(LABELS, message_id.encode(), encode(record))])

    def reconcile(self) -> None:
        """Let worker and monitor process the whole log, and publish the figures."""
        step_until_done(self.worker)
        catch_up(self.monitor)

    def wait_for_mail(self, message_id: str) -> None:
        """Wait until the server has read the mail: a page that is opened before holds it back as new mail."""
        until(lambda: f'"id":"{message_id}"' in plain_http.get(f"{self.server.url}api/state").text)

    def beat(self, young_s: float = 3_600.0) -> None:
        """Write heartbeats of worker and monitor dated `young_s` seconds ahead, so that they stay recent that long."""
        self._young_s = young_s
        for heartbeat in self._heartbeats:
            heartbeat.beat()

    def _heartbeat(self, stage: str, inputs: tuple[str, ...]) -> HeartbeatWriter:
        places = [TopicPartition(topic, partition) for topic in inputs for partition in range(2)]
        return HeartbeatWriter(
            self.log,
            stage,
            "host-0",
            lambda: {place: Progress(self.log.end_offset(place), 0) for place in places},
            lambda: time.time() + self._young_s,
        )

    def settle_until(self, done: Callable[[], bool]) -> None:
        """Reconcile until `done`, because the server may need a moment to write to the log what was clicked."""
        until(lambda: self.reconcile() or done())
        self.reconcile()  # what made it `done` may have been written after the last time

    def restart_server(self) -> None:
        """Stop the server and start another one on the same port, as after a crash or an update."""
        self.close()
        self.settings = settings_of_port(self.settings, self.server.port)
        self._start_server()

    def close(self) -> None:
        self._stop.set()
        self._thread.join()


def settings_of_port(settings: Settings, port: int) -> Settings:
    return msgspec.structs.replace(settings, dashboard=msgspec.structs.replace(settings.dashboard, port=port))
