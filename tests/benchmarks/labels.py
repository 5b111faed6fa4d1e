"""What a label costs a worker, and what it costs those who follow it, without a broker: CPU time, in one run.

    python -m tests.benchmarks.labels [PATH]      PATH is anything `stream-nb feed` takes; else generated mail

CPU us a mail, the least of several interleaved passes on a log in memory, beside the MIME parser alone: a worker that
scores, one that learns a label of every mail as well, and a replica that follows that in deltas of ten labels and of
hundreds. A delta's size is its bytes before compression, and after it as Kafka's producer does it (zstd). Last, what
merged deltas would give: the features of a sum of so many labels, and the CPU time to add it to another model.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Callable
from contextlib import suppress
from threading import Event

from kafka.codec import zstd_encode

from consumers.log.base import Log, TopicPartition
from consumers.log.memory import MemoryLog
from consumers.model.replica import Replica
from consumers.records.schemas import MODEL, TOPICS
from consumers.records.skipped import SkippedRecords
from consumers.settings import Settings
from consumers.worker import snapshot_writer
from consumers.worker.warm import warm_up
from consumers.worker.worker import Worker
from stream_nb import MailNB
from stream_nb.errors import MailError
from stream_nb.mail import read_mail
from tests.benchmarks.parsing import ignoring_refusals, parse_alone
from tests.benchmarks.stream import load
from tests.benchmarks.stream_run import Mails, fill, settings_for

PASSES = 5
KEY = b"the key of models"
FEW, MANY = 10, 1000
"""Records a poll: so many mails, then their labels, in one delta if they have not too many words."""


def worked(mails: Mails, labels: bool, poll_records: int = MANY) -> tuple[float, Log, Settings]:
    """CPU seconds of a worker on these mails, the log that it leaves, and its settings."""
    settings = settings_for("memory", poll_records=poll_records)
    log = MemoryLog()
    log.create_topics(TOPICS, 1)
    fill(log, mails, labels)
    worker = Worker(log, settings, "bench")
    while not worker.partitions:
        worker.step()
    stop = Event()

    def beat(ready: bool) -> None:
        if worker.totals.mails + worker.totals.labels >= len(mails) * (1 + labels):
            stop.set()

    began = time.process_time()
    worker.run(stop, beat)
    took = time.process_time() - began
    gc.unfreeze()
    return took, log, settings


def followed(log: Log, settings: Settings) -> float:
    """CPU seconds of a replica that follows the log from its beginning."""
    replica = Replica(log, settings, SkippedRecords())
    began = time.process_time()
    replica.follow()
    return time.process_time() - began


def each(mails: Mails, work: Callable[[bytes], object]) -> float:
    """CPU seconds of this work on every mail."""
    began = time.process_time()
    for _, raw, _ in mails:
        work(raw)
    return time.process_time() - began


def summed(mails: Mails, labels: int) -> tuple[float, float]:
    """Features a label in sums of so many labels, and CPU seconds a label to add these sums to another model."""
    model, other, features, took = MailNB(KEY), MailNB(KEY), 0, 0.0
    recorder = model.recorder()
    for n, (_, raw, label) in enumerate(mails, 1):
        with suppress(MailError):
            recorder.learn(read_mail(raw).mail, label)
        if n % labels == 0:
            changes, alone = recorder.take(), MailNB(KEY)
            alone.apply_changes(changes)
            features += alone.features
            began = time.process_time()
            other.apply_changes(changes)
            took += time.process_time() - began
    return features / len(mails), took / len(mails)


def sizes(log: Log) -> tuple[int, int]:
    """Bytes of all deltas on a log, before and after compression."""
    deltas = [record.value for record in log.scan(TopicPartition(MODEL, 0)) if record.key.startswith(b"d/")]
    return sum(map(len, deltas)), sum(len(zstd_encode(delta)) for delta in deltas)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("path", nargs="?")
    mails = load(parser.parse_args().path)
    warm_up()
    snapshot_writer.MIN_SNAPSHOT_BYTES = 1 << 40  # else deltas go while they are to be followed
    _, few, few_settings = worked(mails, labels=True, poll_records=FEW)
    _, many, many_settings = worked(mails, labels=True)
    measures: dict[str, Callable[[], float]] = {
        "parsing": lambda: each(mails, parse_alone),
        "reading": lambda: each(mails, ignoring_refusals(read_mail)),
        "scoring": lambda: worked(mails, labels=False)[0],
        "scoring and learning": lambda: worked(mails, labels=True)[0],
        "following, deltas of ten": lambda: followed(few, few_settings),
        "following, of hundreds": lambda: followed(many, many_settings),
    }
    passes = [{what: measure() for what, measure in measures.items()} for _ in range(PASSES)]
    print(f"{len(mails)} mails; {'':<11}{'us a mail':>12}{'of parsing':>12}")
    best = {what: min(seconds[what] for seconds in passes) for what in measures}
    for what, seconds in best.items():
        print(f"{what:<25}{1e6 * seconds / len(mails):>11.1f}{seconds / best['parsing']:>12.2f}")
    for labels in (10, 1000, len(mails)):
        features, seconds = summed(mails, labels)
        print(f"sums of {labels:,}: {features:,.0f} features a label, {1e6 * seconds:.1f} us to add one")
    for what, log in (("ten", few), ("hundreds", many)):
        plain, packed = (size / len(mails) for size in sizes(log))
        print(f"deltas of {what}: {plain:,.0f} bytes a label, {packed:,.0f} compressed")


if __name__ == "__main__":
    main()
