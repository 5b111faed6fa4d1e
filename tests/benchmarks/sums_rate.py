"""Sums through a real broker: the labels of many workers, added up by one combiner and followed by one process.

    python -m tests.benchmarks.sums_rate [PATH] [--rate 20000] [--seconds 10]

PATH is anything `stream-nb feed` reads; else generated mail. A worker learns the mails once, in deltas of ten labels.
These deltas are written repeatedly at `rate` labels a second, as if by twenty workers in turn, so that two labels of
one mail are as far apart as there are mails. All share this machine's cores with the broker.
"""

from __future__ import annotations

import argparse
import itertools
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path

import msgspec

from consumers.log import open_log
from consumers.log.base import Log, ProducerRecord
from consumers.model.changelog import MODEL_PARTITION, Delta, delta_record, read_record
from consumers.model.replica import Replica
from consumers.model.sums import SUMS_PARTITION
from consumers.records.schemas import MODEL, TOPICS
from consumers.settings import Settings
from consumers.worker.warm import warm_up
from tests.benchmarks.labels import FEW, learned_a_few_at_a_time
from tests.benchmarks.stream import load
from tests.benchmarks.stream_run import settings_for
from tests.support.kafka_broker import Cluster
from tests.support.processes import cpu_seconds, descendants

WORKERS = 20
TICK_S = 0.05
FOLLOW_S = 0.05
"""The pause of a follower, which a worker fills with its steps."""
FIRST_LABELS = 2_000
"""Labels that are learned before the measurement begins."""


def fleet(deltas: list[Delta], labels: int) -> Iterator[ProducerRecord]:
    """These deltas, repeated as those of `WORKERS` partitions in turn, until they have this number of labels."""
    seqs, given = [0] * WORKERS, 0
    for turn in itertools.count():
        for n, delta in enumerate(deltas):
            if given >= labels:
                return
            partition = n % WORKERS
            seqs[partition] += 1
            checkpoint = msgspec.structs.replace(delta.checkpoint, seq=seqs[partition])
            entries = tuple(msgspec.structs.replace(entry, id=f"{turn}-{entry.id}") for entry in delta.entries)
            given += len(entries)
            stamped = msgspec.structs.replace(delta, partition=partition, checkpoint=checkpoint, entries=entries)
            yield delta_record(stamped)


def write(log: Log, records: list[ProducerRecord], rate: float) -> float:
    """Append these deltas of `FEW` labels each at `rate` labels a second; return the time it took in seconds."""
    started_at, at = time.perf_counter(), 0
    while at < len(records):
        due = max(at + 1, int((time.perf_counter() - started_at + TICK_S) * rate / FEW))
        log.append(records[at:due])
        at = due
        time.sleep(max(0.0, started_at + at * FEW / rate - TICK_S - time.perf_counter()))
    return time.perf_counter() - started_at


def follow(settings: Settings, labels: int, connection: Connection) -> None:
    """Follow until the model has learned `labels` labels; report the start, and then the CPU seconds and the end."""
    warm_up()
    with open_log(settings) as log:
        replica = Replica.load(log, settings)
        replica.follow()
        before = time.process_time()
        connection.send("ready")
        while replica.require_model().labels_learned < labels:
            time.sleep(FOLLOW_S)
            replica.follow()
        connection.send((time.process_time() - before, time.perf_counter()))


def measure(settings: Settings, records: list[ProducerRecord], labels: int, rate: float, broker: int) -> None:
    """Print the result of one run; the records are those of a new log, its secret first."""
    first = 1 + FIRST_LABELS // FEW
    environment = {"STREAM_NB_LOG": settings.log, "STREAM_NB_KAFKA_PREFIX": settings.kafka.prefix}
    with open_log(settings) as log:
        log.create_topics(TOPICS, WORKERS)
        log.append(records[:first])
        command = [sys.executable, "-m", "consumers", "combiner"]
        combiner = subprocess.Popen(command, env=os.environ | environment, stderr=subprocess.DEVNULL)
        here, there = multiprocessing.Pipe()
        follower = multiprocessing.get_context("spawn").Process(target=follow, args=(settings, labels, there))
        try:
            while not log.end_offset(SUMS_PARTITION):
                time.sleep(0.1)
            follower.start()
            here.recv()
            working = descendants(combiner.pid)
            before = cpu_seconds(working), cpu_seconds([broker])
            started_at = time.perf_counter()
            write_s = write(log, records[first:], rate)
            written = time.perf_counter()
            follow_s, end = here.recv()
            combine_s, broker_s = (now - then for now, then in zip(
                (cpu_seconds(working), cpu_seconds([broker])), before, strict=True))  # fmt: skip
        finally:
            combiner.terminate()
            combiner.wait(20)
            follower.terminate()
        sums = [len(record.value or b"") for record in log.scan(SUMS_PARTITION)]
    measured, seconds = labels - FIRST_LABELS, end - started_at
    print(
        f"{measured:,} labels written at {measured / write_s:,.0f} labels/s, all followed {end - written:.2f} s after "
        f"the last was written: {measured / seconds:,.0f} labels/s"
    )
    for what, spent in (("following", follow_s), ("combining", combine_s), ("broker", broker_s)):
        print(f"{what:<10}{1e6 * spent / measured:>8.1f} us CPU a label, {spent / seconds:.2f} of a core")
    print(f"{len(sums):,} sums of {labels / len(sums):,.0f} labels, {sum(sums) / labels:,.0f} bytes a label")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("path", nargs="?")
    parser.add_argument("--rate", type=float, default=20_000, help="labels a second (20,000)")
    parser.add_argument("--seconds", type=float, default=10, help="for so long (10)")
    given = parser.parse_args()
    mails = load(given.path)
    warm_up()
    learned, _ = learned_a_few_at_a_time(mails)
    stored = [*learned.scan(MODEL_PARTITION)]
    secret = next(record for record in stored if record.key.startswith(b"key/"))
    deltas = [content for record in stored if isinstance(content := read_record(record), Delta) and content.entries]
    labels = FIRST_LABELS + int(given.rate * given.seconds)
    records = [ProducerRecord(MODEL, secret.key, secret.value, 0), *fleet(deltas, labels)]
    with tempfile.TemporaryDirectory() as name:
        cluster = Cluster(Path(name) / "kafka")
        try:
            settings = settings_for(f"kafka://{cluster.start().bootstrap}", partitions=WORKERS)
            learner = msgspec.structs.replace(settings.learner, follow="sums")
            settings = msgspec.structs.replace(settings, learner=learner)
            measure(settings, records, labels, given.rate, cluster.nodes[0].process.pid)
        finally:
            cluster.stop()


if __name__ == "__main__":
    main()
