"""One run of a worker, of a substitute for it, or of a monitor, over mails on a new log, and its time."""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Callable, Sequence
from threading import Event
from typing import NamedTuple

from consumers.log import open_log
from consumers.log.base import Log, ProducerRecord, Record, TopicPartition
from consumers.monitor.service import Monitor
from consumers.records.schemas import EMAILS, LABELS, PREDICTIONS, TOPICS, LabelRecord, encode
from consumers.settings import Settings, load_settings
from consumers.worker.worker import Worker
from tests.support.processes import cpu_seconds

PREDICTION = b"p" * 420


Mails = Sequence[tuple[str, bytes, str]]


class Run(NamedTuple):
    """The mails processed in `seconds`, and the CPU seconds of the processes and of the broker meanwhile."""

    mails: int
    seconds: float
    worker_s: float
    broker_s: float

    @property
    def rate(self) -> float:
        """Mails a second."""
        return self.mails / self.seconds


class Meter:
    """Measures from its creation on; `done` returns the run so far. `broker` is None if there is none."""

    def __init__(self, workers: Sequence[int], broker: int | None) -> None:
        self._workers = workers
        self._brokers = [] if broker is None else [broker]
        self._before = time.perf_counter(), cpu_seconds(self._workers), cpu_seconds(self._brokers)

    def done(self, mails: int) -> Run:
        """The run up to now."""
        now = time.perf_counter(), cpu_seconds(self._workers), cpu_seconds(self._brokers)
        return Run(mails, *(after - before for before, after in zip(self._before, now, strict=True)))


def settings_for(log: str, partitions: int = 1, poll_records: int = 4000) -> Settings:
    """The settings of a log with new topics."""
    name = f"b{uuid.uuid4().hex[:8]}"
    return load_settings(
        None,
        {
            "STREAM_NB_LOG": log,
            "STREAM_NB_KAFKA_PREFIX": f"{name}.",
            "STREAM_NB_KAFKA_PARTITIONS": str(partitions),
            "STREAM_NB_WORKER_GROUP": name,
            "STREAM_NB_MONITOR_GROUP": f"{name}-monitor",
            "STREAM_NB_WORKER_POLL_RECORDS": str(poll_records),
        },
    )


def fill(log: Log, mails: Mails, labels: bool, tag: str = "") -> None:
    """Put all mails on the log, each a millisecond after the previous one, and after each its label, with `labels`."""
    start = time.time() - 0.001 * len(mails)
    for first in range(0, len(mails), 500):
        records = []
        for n, (name, raw, label) in enumerate(mails[first : first + 500], first):
            message_id, timestamp = f"{tag}{name}", start + 0.001 * n
            records.append(ProducerRecord(EMAILS, message_id.encode(), raw, timestamp=timestamp))
            if labels:
                value = encode(LabelRecord(message_id, label, "bench", timestamp))
                records.append(ProducerRecord(LABELS, message_id.encode(), value, timestamp=timestamp))
        log.append(records)


def copy(url: str, broker: int | None, mails: Mails, work: Callable[[bytes], object]) -> Run:
    """A member that calls `work` for each mail and commits an equally large prediction."""
    settings = settings_for(url)
    with open_log(settings) as log:
        log.create_topics(TOPICS, 1)
        fill(log, mails, labels=False)
        consumer = log.join_group(settings.worker.group, (EMAILS, LABELS), "bench")
        while not consumer.assignment:
            consumer.poll()
        done, meter = 0, Meter([os.getpid()], broker)
        while done < len(mails):
            records: list[Record] = consumer.poll(settings.worker.poll_records)
            for record in records:
                work(record.value)
            if records:
                outputs = [ProducerRecord(PREDICTIONS, r.key, PREDICTION, 0) for r in records]
                consumer.commit(outputs, {TopicPartition(EMAILS, 0): records[-1].offset + 1})
                done += len(records)
        run = meter.done(len(mails))
        consumer.close()
        return run


def work(log: Log, settings: Settings, broker: int | None, mails: int, labels: bool) -> Run:
    """Our worker on the records of the log."""
    worker = Worker(log, settings, "bench")
    while not worker.partitions:
        worker.step()
    stop, runs, meter = Event(), [], Meter([os.getpid()], broker)

    def beat(ready: bool) -> None:
        if worker.totals.mails + worker.totals.labels >= mails * (1 + labels):
            runs.append(meter.done(mails))
            stop.set()

    worker.run(stop, beat)
    return runs[0]


def worker_run(url: str, broker: int | None, mails: Mails, labels: bool) -> Run:
    """Our worker on a new log. Without `labels` its model has learned all mails before, because an empty model scores
    faster."""
    settings = settings_for(url)
    with open_log(settings) as log:
        log.create_topics(TOPICS, 1)
        if not labels:
            fill(log, mails, labels=True, tag="learned-")
            work(log, settings, broker, len(mails), labels=True)
        fill(log, mails, labels)
        return work(log, settings, broker, len(mails), labels)


def monitor_run(url: str, broker: int | None, mails: Mails, labels: bool) -> Run:
    """A monitor on the predictions and labels of a worker, all of them on the log when it begins to count. Without
    `labels` the worker's model has learned all mails before."""
    settings = settings_for(url)
    with open_log(settings) as log:
        log.create_topics(TOPICS, 1)
        monitor = Monitor(log, settings)
        counted = 0
        if not labels:
            fill(log, mails, labels=True, tag="learned-")
            work(log, settings, broker, len(mails), labels=True)
            counted = len(mails)
            count(monitor, counted, counted)
        fill(log, mails, labels)
        work(log, settings, broker, len(mails), labels)
        meter = Meter([os.getpid()], broker)
        count(monitor, counted + len(mails), len(mails))
        run = meter.done(len(mails))
        monitor.consumer.close()
        return run


def count(monitor: Monitor, mails: int, labels: int) -> None:
    """Let a monitor read until it has counted this number of mails and labels."""
    while not monitor.ready or monitor.state.mails < mails or monitor.state.labels < labels:
        monitor.step()
