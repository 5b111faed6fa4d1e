"""Records for tests, and a worker that processes a whole log."""

from __future__ import annotations

import random
import time
from collections.abc import Iterable
from unittest import mock

from msgspec.structs import replace

from consumers.evaluation.verify import verify
from consumers.log.base import Log, ProducerRecord
from consumers.log.memory import MemoryLog, Topics
from consumers.model import changelog_reader
from consumers.model.replica import Replica
from consumers.records.schemas import EMAILS, LABELS, LabelRecord, encode
from consumers.settings import LearnerSettings, Settings, WorkerSettings
from consumers.worker.worker import Worker

NEAR_ERROR = Settings(worker=WorkerSettings(poll_s=0.001))
EVERYTHING = Settings(learner=LearnerSettings(learn="everything"), worker=WorkerSettings(poll_s=0.001))


def message(message_id: str, value: bytes) -> ProducerRecord:
    """A raw mail or JSON message as a record of the feeder."""
    return ProducerRecord(EMAILS, message_id.encode(), value)


def short_mail(message_id: str, words: str) -> ProducerRecord:
    """A mail with these words."""
    return message(message_id, f"Subject: {message_id}\n\n{words}".encode())


def new_words(seed: int, n: int = 60) -> str:
    """Words that differ for each seed."""
    draw = random.Random(seed)
    return " ".join(f"w{draw.randrange(10**9)}" for _ in range(n))


def label(message_id: str, name: str | None, source: str = "ann", forget: bool = False) -> ProducerRecord:
    """A label (None: no label); `forget` withdraws the source's vote."""
    record = LabelRecord(message_id, name, source, time.time(), forget)
    return ProducerRecord(LABELS, message_id.encode(), encode(record))


def without_waits(settings: Settings) -> Settings:
    """The settings of a worker that does not wait for more records, because nobody else appends any."""
    return replace(settings, worker=replace(settings.worker, poll_s=NEAR_ERROR.worker.poll_s))


def run_worker(log: Log, settings: Settings = NEAR_ERROR, records: Iterable[ProducerRecord] = ()) -> Worker:
    """Append records, let a new worker process the whole log and leave its group, and return the worker."""
    log.append(list(records))
    worker = Worker(log, without_waits(settings), "w-0")
    step_until_done(worker)
    worker.consumer.close()
    return worker


def step_until_done(worker: Worker) -> None:
    """Let a worker process the whole log."""
    while not worker.partitions or worker.step() or worker.busy or worker.waiting:
        worker.step()


def loaded_alike(topics: Topics, settings: Settings, *replicas: Replica) -> Replica:
    """Load a replica; check that the others have the same counts, and that the recount finds no difference."""
    with mock.patch.object(changelog_reader, "FIRST_STEP", 3):  # so that it reads no more than it needs
        started = Replica.load(MemoryLog(topics), settings)
    assert all(replica.require_model().same_counts(started.require_model()) for replica in replicas)
    assert verify(MemoryLog(topics), settings).differences == []
    return started
