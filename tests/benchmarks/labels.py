"""The CPU time of a label for a worker and for those who follow it, without a broker, in one run.

    python -m tests.benchmarks.labels [PATH]      PATH is anything `stream-nb feed` reads; else generated mail

CPU us per mail, the minimum of several interleaved passes on a log in memory, compared with the MIME parser alone: a
worker that scores with a model that has learned these mails; one that also learns a label of every mail; and a replica
that follows it in deltas of ten labels, in deltas of hundreds, and in sums of the deltas of ten labels: sums of a
thousand labels, and the largest that fit into a record. "Combining" is the cost of making these sums. The size of a
record is its bytes before compression, and after compression as by Kafka's producer.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Callable
from threading import Event

import msgspec
from kafka.codec import zstd_encode

from consumers.log.base import Log, ProducerRecord, TopicPartition
from consumers.model.changelog import MODEL_PARTITION, read_record
from consumers.model.changelog_reader import read_secret
from consumers.model.factory import model_of_log
from consumers.model.replica import Replica
from consumers.model.sums import SUMS_PARTITION, SumBuilder, read_sum
from consumers.records.schemas import MODEL
from consumers.records.skipped import SkippedRecords
from consumers.settings import Settings
from consumers.worker import snapshot_writer
from consumers.worker.warm import warm_up
from consumers.worker.worker import Worker
from stream_nb.mail import read_mail
from tests.benchmarks.parsing import ignoring_refusals, parse_alone
from tests.benchmarks.stream import load
from tests.benchmarks.stream_run import Mails, fill, settings_for
from tests.support.memory_log import new_log

PASSES = 5
FEW, MANY = 10, 1000
"""Labels in a delta; mails in a poll, whose labels may have too many words for one delta."""


def learned_a_few_at_a_time(mails: Mails) -> tuple[Log, Settings]:
    """The log and the settings of a worker that got `FEW` mails with their labels at a time, so that each delta has
    `FEW` labels."""
    settings, log = settings_for("memory"), new_log()
    worker = Worker(log, settings, "bench")
    while not worker.partitions:
        worker.step()
    for first in range(0, len(mails), FEW):
        some = mails[first : first + FEW]
        fill(log, some, labels=True)
        while worker.totals.labels < first + len(some):
            worker.step()
    gc.unfreeze()
    return log, settings


def run_on_mails(mails: Mails, labels: bool) -> tuple[float, Log, Settings]:
    """CPU seconds of a worker on these mails, the resulting log, and its settings. Without `labels` its model has
    learned all mails before."""
    settings, log = settings_for("memory", poll_records=MANY), new_log()
    if not labels:
        fill(log, mails, labels=True, tag="learned-")
        run_worker(log, settings, 2 * len(mails))
    fill(log, mails, labels)
    return run_worker(log, settings, len(mails) * (1 + labels)), log, settings


def run_worker(log: Log, settings: Settings, records: int) -> float:
    """CPU seconds of a worker on this number of mails and labels on the log."""
    worker = Worker(log, settings, "bench")
    while not worker.partitions:
        worker.step()
    stop = Event()

    def beat(ready: bool) -> None:
        if worker.totals.mails + worker.totals.labels >= records:
            stop.set()

    started_at = time.process_time()
    worker.run(stop, beat)
    cpu_s = time.process_time() - started_at
    gc.unfreeze()
    return cpu_s


def followed(log: Log, settings: Settings) -> float:
    """CPU seconds of a replica that follows the log from its beginning."""
    replica = Replica(log, settings, SkippedRecords())
    started_at = time.process_time()
    replica.follow()
    return time.process_time() - started_at


def after_collection(measure: Callable[[], float]) -> float:
    """The result of a measurement, after a garbage collection, so that it does not pay for the previous one."""
    gc.collect()
    return measure()


def cpu_of_each(mails: Mails, work: Callable[[bytes], object]) -> float:
    """CPU seconds of this work on every mail."""
    started_at = time.process_time()
    for _, raw, _ in mails:
        work(raw)
    return time.process_time() - started_at


def combine(log: Log, settings: Settings, labels: int, in_delta: float = FEW) -> tuple[float, Log]:
    """CPU seconds to add up the deltas of a log, of about `in_delta` labels each, in sums of this number of labels, if
    records can hold them; and a log with these sums and deltas."""
    skipped, records = SkippedRecords(), [*log.scan(MODEL_PARTITION)]
    model = model_of_log(settings.learner, read_secret(log))
    builder, sums, learned = SumBuilder(model, 0, 0, skipped), list[ProducerRecord](), 0.0
    started_at = time.process_time()
    for record in records:
        sums += builder.add(record)
        learned += in_delta if record.key.startswith(b"d/") else 0
        if learned >= labels:
            sums.append(builder.close())
            learned = 0.0
    if learned:
        sums.append(builder.close())
    cpu_s = time.process_time() - started_at
    log_with_sums = new_log()
    log_with_sums.append([ProducerRecord(MODEL, record.key, record.value, 0) for record in records])
    log_with_sums.append(sums)
    return cpu_s, log_with_sums


def followed_in_sums(log: Log, settings: Settings) -> float:
    """CPU seconds of a replica that follows the sums of a log from their beginning."""
    learner = msgspec.structs.replace(settings.learner, follow="sums")
    followed_log = new_log()
    replica = Replica.load(followed_log, msgspec.structs.replace(settings, learner=learner))
    replica.model = model_of_log(settings.learner, read_secret(log))
    followed_log.topics.records.update(log.topics.records)
    started_at = time.process_time()
    replica.follow()
    cpu_s = time.process_time() - started_at
    learned = replica.require_model().labels_learned
    assert learned == Replica.load(log, settings).require_model().labels_learned > 0
    return cpu_s


def sizes(log: Log, place: TopicPartition, prefix: bytes = b"") -> tuple[int, int, int]:
    """The number of records of a partition with this key prefix, and their bytes before and after compression."""
    values = [record.value for record in log.scan(place) if record.key.startswith(prefix)]
    return len(values), sum(map(len, values)), sum(len(zstd_encode(value)) for value in values)


def features(log: Log, settings: Settings, place: TopicPartition, prefix: bytes = b"") -> int:
    """The number of features that each record of a partition with this key prefix changes, summed over the records."""
    model, found = model_of_log(settings.learner, read_secret(log)), 0
    for record in log.scan(place):
        if record.key.startswith(prefix):
            content = read_sum(record) if place == SUMS_PARTITION else read_record(record)
            after_collection = model.clone()
            after_collection.apply_changes(content.changes)
            found += after_collection.features
    return found


def deltas_of(log: Log) -> int:
    """The number of deltas on a log."""
    return sizes(log, MODEL_PARTITION, b"d/")[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("path", nargs="?")
    mails = load(parser.parse_args().path)
    warm_up()
    snapshot_writer.MIN_SNAPSHOT_BYTES = 1 << 40  # else deltas go while they are to be followed
    few, few_settings = learned_a_few_at_a_time(mails)
    _, many, many_settings = run_on_mails(mails, labels=True)
    thousands, most = (combine(few, few_settings, labels)[1] for labels in (MANY, len(mails)))
    measures: dict[str, Callable[[], float]] = {
        "parsing": lambda: cpu_of_each(mails, parse_alone),
        "reading": lambda: cpu_of_each(mails, ignoring_refusals(read_mail)),
        "scoring": lambda: run_on_mails(mails, labels=False)[0],
        "scoring and learning": lambda: run_on_mails(mails, labels=True)[0],
        "following, deltas of ten": lambda: followed(few, few_settings),
        "following, of hundreds": lambda: followed(many, many_settings),
        "following, sums of 1,000": lambda: followed_in_sums(thousands, few_settings),
        "following, largest sums": lambda: followed_in_sums(most, few_settings),
        "combining, deltas of ten": lambda: combine(few, few_settings, len(mails))[0],
        "combining, of hundreds": lambda: combine(many, many_settings, len(mails), len(mails) / deltas_of(many))[0],
    }
    passes = [{what: after_collection(measure) for what, measure in measures.items()} for _ in range(PASSES)]
    print(f"{len(mails)} mails; {'':<11}{'us a mail':>12}{'of parsing':>12}")
    best = {what: min(seconds[what] for seconds in passes) for what in measures}
    for what, seconds in best.items():
        print(f"{what:<25}{1e6 * seconds / len(mails):>11.1f}{seconds / best['parsing']:>12.2f}")
    deltas, sums = (MODEL_PARTITION, b"d/"), (SUMS_PARTITION, b"")
    for what, log, place in (
        ("deltas of ten", few, deltas),
        ("deltas of hundreds", many, deltas),
        ("sums of 1,000", thousands, sums),
        ("largest sums", most, sums),
    ):
        count, plain, packed = sizes(log, *place)
        each_label = f"{features(log, few_settings, *place) / len(mails):,.0f} features a label"
        print(
            f"{what}: {count:,}, {each_label}, {plain / len(mails):,.0f} bytes, {packed / len(mails):,.0f} compressed"
        )


if __name__ == "__main__":
    main()
