"""How fast mail goes through, in one run on the same mails: over real Kafka, beside Kafka alone, and over SQLite.

    python -m tests.benchmarks.stream [PATH]      PATH is anything `stream-nb feed` takes; else generated mail

Mails/s, one process, one partition, polls of 1,000, the best of several interleaved passes:
    (a) nothing     consume, and produce an equally large prediction in the same transactions
    (b) parsing     the same with the MIME parser alone
    (c) scoring     our worker on mail without labels
    (d) learning    our worker, each mail with its label
    (e) SQLite      (c) and (d) with the embedded log
Then two worker processes against one, and the time from append to readable prediction at 100 mails/s. Broker, feed and
workers share this machine's cores: read the ratios.
"""

from __future__ import annotations

import argparse
import contextlib
import logging
import os
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path

from consumers.log import open_log
from consumers.log.base import Draft, Log, Record, TopicPartition
from consumers.records import EMAILS, LABELS, PREDICTIONS, TOPICS, LabelRecord, encode
from consumers.samples import sample_mails
from consumers.settings import Settings, load_settings
from consumers.sources import open_source
from consumers.worker import Worker
from tests.benchmarks.parsing import parse_alone
from tests.kafka_broker import Cluster

MAILS = 6000
PASSES = 3
PREDICTION = b"p" * 420
LATENCY_MAILS = 1000
WARM_UP = 200

Mails = Sequence[tuple[str, bytes, str]]


def settings_for(log: str, partitions: int = 1) -> Settings:
    """Fresh topics on a log."""
    name = f"b{uuid.uuid4().hex[:8]}"
    return load_settings(
        None,
        {
            "STREAM_NB_LOG": log,
            "STREAM_NB_KAFKA_PREFIX": f"{name}.",
            "STREAM_NB_KAFKA_PARTITIONS": str(partitions),
            "STREAM_NB_WORKER_GROUP": name,
        },
    )


def fill(log: Log, mails: Mails, labels: bool, tag: str = "") -> None:
    """Put all mails on the log, each a millisecond after the one before, its label (where wanted) just behind it."""
    start = time.time() - 0.001 * len(mails)
    for first in range(0, len(mails), 500):
        drafts = []
        for n, (name, raw, label) in enumerate(mails[first : first + 500], first):
            key, at = f"{tag}{name}".encode(), start + 0.001 * n
            drafts.append(Draft(EMAILS, key, raw, at=at))
            if labels:
                said = encode(LabelRecord(f"{tag}{name}", label, "bench", at))
                drafts.append(Draft(LABELS, key, said, at=at))
        log.append(drafts)


def copy_rate(url: str, mails: Mails, work: Callable[[bytes], object]) -> float:
    """Mails/s of a member that does `work` on each mail and commits an equally large prediction."""
    settings = settings_for(url)
    with open_log(settings) as log:
        log.create_topics(TOPICS, 1)
        fill(log, mails, labels=False)
        seat = log.join(settings.worker.group, (EMAILS, LABELS), "bench")
        while not seat.assignment:
            seat.poll()
        done, began = 0, time.perf_counter()
        while done < len(mails):
            records: list[Record] = seat.poll(settings.worker.poll_records)
            for record in records:
                work(record.value)
            if records:
                drafts = [Draft(PREDICTIONS, r.key, PREDICTION, 0) for r in records]
                seat.commit(drafts, {TopicPartition(EMAILS, 0): records[-1].offset + 1})
                done += len(records)
        rate = done / (time.perf_counter() - began)
        seat.close()
        return rate


def worker_rate(url: str, mails: Mails, labels: bool) -> float:
    """Mails/s of our worker."""
    settings = settings_for(url)
    with open_log(settings) as log:
        log.create_topics(TOPICS, 1)
        fill(log, mails, labels)
        worker = Worker(log, settings, "bench")
        while not worker.partitions:
            worker.step()
        want = len(mails) * (1 + labels)
        done, began = 0, time.perf_counter()
        while done < want:
            done += worker.step()
        rate = len(mails) / (time.perf_counter() - began)
        worker._membership.close()
        return rate


@contextlib.contextmanager
def processes(settings: Settings, environment: dict[str, str], count: int):
    """`count` worker processes on a log."""
    command = [sys.executable, "-m", "consumers", "worker", "--processes", str(count)]
    process = subprocess.Popen(command, env=os.environ | environment, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        process.wait(20)


def environment_of(settings: Settings) -> dict[str, str]:
    """The settings of `settings_for` as variables for a child."""
    return {
        "STREAM_NB_LOG": settings.log,
        "STREAM_NB_KAFKA_PREFIX": settings.kafka.prefix,
        "STREAM_NB_KAFKA_PARTITIONS": str(settings.kafka.partitions),
        "STREAM_NB_WORKER_GROUP": settings.worker.group,
    }


def arrivals(log: Log, partitions: int, count: int, next_offsets: dict[TopicPartition, int]) -> list[tuple[str, float]]:
    """Wait for `count` predictions: each key and when it could be read."""
    seen: list[tuple[str, float]] = []
    deadline = time.monotonic() + 120
    while len(seen) < count and time.monotonic() < deadline:
        records = log.read(next_offsets, timeout_s=0.5)
        now = time.time()
        for record in records:
            next_offsets[TopicPartition(record.topic, record.partition)] = record.offset + 1
            seen.append((record.key.decode(), now))
    return seen


def processes_rate(url: str, mails: Mails, count: int) -> float:
    """Mails/s of `count` worker processes over two partitions, once they are warm."""
    settings = settings_for(url, partitions=2)
    with open_log(settings) as log:
        log.create_topics(TOPICS, 2)
        ends = {TopicPartition(PREDICTIONS, p): 0 for p in range(2)}
        with processes(settings, environment_of(settings), count):
            fill(log, mails[:WARM_UP], labels=True, tag="warm-")
            arrivals(log, 2, WARM_UP, ends)
            time.sleep(5)
            began = time.time()
            fill(log, mails, labels=False)
            seen = arrivals(log, 2, len(mails), ends)
        return len(seen) / (max(at for _, at in seen) - began)


def latency(url: str, mails: Mails) -> tuple[float, float]:
    """Median and 99th percentile of milliseconds from append to readable prediction at 100 mails/s."""
    settings = settings_for(url)
    sent: dict[str, float] = {}
    with open_log(settings) as log, open_log(settings) as reader:
        log.create_topics(TOPICS, 1)
        at = {TopicPartition(PREDICTIONS, 0): 0}
        with processes(settings, environment_of(settings), 1):
            fill(log, mails[:WARM_UP], labels=True, tag="warm-")
            arrivals(reader, 1, WARM_UP, at)
            seen: list[tuple[str, float]] = []
            began = time.time()
            for n, (name, raw, _) in enumerate(islice(mails, LATENCY_MAILS)):
                due = began + n / 100
                while (now := time.time()) < due:
                    seen += [(r.key.decode(), time.time()) for r in _next(reader, at, due - now)]
                sent[name] = time.time()
                log.append([Draft(EMAILS, name.encode(), raw)])
            seen += arrivals(reader, 1, len(sent) - len(seen), at)
    taken = sorted(1000 * (when - sent[key]) for key, when in seen)
    return statistics.median(taken), taken[int(0.99 * len(taken))]


def _next(log: Log, at: dict[TopicPartition, int], timeout_s: float) -> list[Record]:
    records = log.read(at, timeout_s=timeout_s)
    for record in records:
        at[TopicPartition(record.topic, record.partition)] = record.offset + 1
    return records


def load(path: str | None) -> Mails:
    """The mails of a source, or generated ones."""
    source = open_source(Path(path)) if path else sample_mails(MAILS, seed=1)
    return [(f"{n}", item.value, item.label or "ham") for n, item in enumerate(islice(source, MAILS))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("path", nargs="?")
    mails = load(parser.parse_args().path)
    logging.disable(logging.WARNING)
    print(f"{len(mails)} mails, {sum(len(raw) for _, raw, _ in mails) / len(mails) / 1000:.1f} KB each on average")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cluster = Cluster(folder / "kafka")
        try:
            kafka = f"kafka://{cluster.start().bootstrap}"
            fresh = iter(range(10_000))

            def sqlite() -> str:
                return f"sqlite:{folder / str(next(fresh))}"

            measures: dict[str, Callable[[], float]] = {
                "(a) nothing, Kafka": lambda: copy_rate(kafka, mails, lambda raw: None),
                "(b) parsing, Kafka": lambda: copy_rate(kafka, mails, parse_alone),
                "(c) scoring, Kafka": lambda: worker_rate(kafka, mails, labels=False),
                "(d) learning, Kafka": lambda: worker_rate(kafka, mails, labels=True),
                "(e) scoring, SQLite": lambda: worker_rate(sqlite(), mails, labels=False),
                "(e) learning, SQLite": lambda: worker_rate(sqlite(), mails, labels=True),
                "1 process": lambda: processes_rate(kafka, mails, 1),
                "2 processes": lambda: processes_rate(kafka, mails, 2),
            }
            best = dict.fromkeys(measures, 0.0)
            for _ in range(PASSES):
                for what, measure in measures.items():
                    best[what] = max(best[what], measure())
            for what, rate in best.items():
                base = best["1 process"] if "process" in what else best["(b) parsing, Kafka"]
                print(f"{what:<22}{rate:>9,.0f} mails/s   {rate / base:.2f} of {'one' if 'process' in what else '(b)'}")
            for what, url in (("Kafka", kafka), ("SQLite", sqlite())):
                median, high = latency(url, mails)
                print(f"{'latency, ' + what:<22}{median:>9.0f} ms median, {high:.0f} ms at 99 %")
        finally:
            cluster.stop()


if __name__ == "__main__":
    main()
