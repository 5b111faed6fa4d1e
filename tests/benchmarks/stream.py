"""The throughput of mail, in one run on the same mails: on real Kafka, compared with Kafka alone, and on SQLite.

    python -m tests.benchmarks.stream [PATH]      PATH is anything `stream-nb feed` reads; else generated mail

Mails/s, one process, one partition, polls of 4,000 records, the best of several interleaved passes:
    (a) nothing     consume, and produce an equally large prediction in the same transactions
    (b) parsing     the same with the MIME parser
    (c) scoring     our worker on mail without labels, with a model that has learned these mails
    (d) learning    our worker, each mail with its label
    (e) SQLite      (c) and (d) with the embedded log
    (f) monitor     a monitor that counts what (c) and (d) have written to Kafka, and follows the model
Then two worker processes compared with one, both on mail that is on the log before they start, with the cores that
workers and broker use; the time from append to readable prediction at 100 mails/s; and the data for capacity planning:
bytes, CPU times, and the resulting cores and partitions (`tests/benchmarks/capacity.py`). Broker, feed and workers
share this machine's cores: only the ratios are meaningful.
"""

from __future__ import annotations

import argparse
import contextlib
import logging
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path

from consumers.ingest.formats import open_source
from consumers.ingest.synthetic import synthetic_mails
from consumers.log import open_log
from consumers.log.base import Log, ProducerRecord, TopicPartition
from consumers.records.schemas import EMAILS, PREDICTIONS, TOPICS
from consumers.settings import Settings
from tests.benchmarks.capacity import plan
from tests.benchmarks.parsing import parse_alone
from tests.benchmarks.stream_run import Mails, Meter, Run, copy, fill, monitor_run, settings_for, worker_run
from tests.support.kafka_broker import Cluster
from tests.support.processes import worker_processes

MAILS = 6000
PASSES = 3
LATENCY_MAILS = 1000
WARM_UP = 200
JOIN_S = 3.0


@contextlib.contextmanager
def processes(settings: Settings, count: int):
    """`count` worker processes on a log, below the given supervisor."""
    environment = {
        "STREAM_NB_LOG": settings.log,
        "STREAM_NB_KAFKA_PREFIX": settings.kafka.prefix,
        "STREAM_NB_KAFKA_PARTITIONS": str(settings.kafka.partitions),
        "STREAM_NB_WORKER_GROUP": settings.worker.group,
    }
    command = [sys.executable, "-m", "consumers", "worker", "--processes", str(count)]
    process = subprocess.Popen(command, env=os.environ | environment, stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(20)


def arrivals(log: Log, count: int, next_offsets: dict[TopicPartition, int]) -> list[tuple[str, float]]:
    """Wait for `count` predictions; return each key and when the prediction could be read."""
    seen: list[tuple[str, float]] = []
    deadline = time.monotonic() + 120
    while len(seen) < count and time.monotonic() < deadline:
        seen += _next(log, next_offsets, 0.5)
    return seen


def processes_run(url: str, broker: int, mails: Mails, count: int) -> Run:
    """Run `count` worker processes over two partitions, once they are warm, on a backlog."""
    settings = settings_for(url, partitions=2)
    with open_log(settings) as log:
        log.create_topics(TOPICS, 2)
        ends = {TopicPartition(PREDICTIONS, p): 0 for p in range(2)}
        with processes(settings, count) as supervisor:
            fill(log, mails[:WARM_UP], labels=True, tag="warm-")
            arrivals(log, WARM_UP, ends)
            time.sleep(JOIN_S)
            pids = worker_processes(supervisor.pid)
            _signal_all(pids, signal.SIGSTOP)
            fill(log, mails, labels=False)
            fill(log, mails, labels=False, tag="again-")
            before = sum(map(log.end_offset, ends))
            meter = Meter(pids, broker)
            _signal_all(pids, signal.SIGCONT)
            while sum(map(log.end_offset, ends)) < before + 2 * len(mails):
                time.sleep(0.02)
            return meter.done(2 * len(mails))


def _signal_all(pids: list[int], sent: signal.Signals) -> None:
    for pid in pids:
        os.kill(pid, sent)


def latency(url: str, mails: Mails) -> tuple[float, float]:
    """Median and 99th percentile of milliseconds from append to readable prediction at 100 mails/s."""
    settings = settings_for(url)
    sent: dict[str, float] = {}
    with open_log(settings) as log, open_log(settings) as reader:
        log.create_topics(TOPICS, 1)
        next_offsets = {TopicPartition(PREDICTIONS, 0): 0}
        with processes(settings, 1):
            fill(log, mails[:WARM_UP], labels=True, tag="warm-")
            arrivals(reader, WARM_UP, next_offsets)
            seen: list[tuple[str, float]] = []
            started_at = time.time()
            for n, (name, raw, _) in enumerate(islice(mails, LATENCY_MAILS)):
                due = started_at + n / 100
                while (now := time.time()) < due:
                    seen += _next(reader, next_offsets, due - now)
                sent[name] = time.time()
                log.append([ProducerRecord(EMAILS, name.encode(), raw)])
            seen += arrivals(reader, len(sent) - len(seen), next_offsets)
    latencies_ms = sorted(1000 * (when - sent[key]) for key, when in seen)
    return statistics.median(latencies_ms), latencies_ms[int(0.99 * len(latencies_ms))]


def _next(log: Log, next_offsets: dict[TopicPartition, int], timeout_s: float) -> list[tuple[str, float]]:
    records = log.read(next_offsets, timeout_s=timeout_s)
    for record in records:
        next_offsets[TopicPartition(record.topic, record.partition)] = record.offset + 1
    return [(record.key.decode(), time.time()) for record in records]


def load(path: str | None) -> Mails:
    """The mails of a source, or generated ones."""
    source = open_source(Path(path)) if path else synthetic_mails(MAILS, seed=1)
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
            broker = cluster.nodes[0].process.pid
            fresh = iter(range(10_000))

            def sqlite() -> str:
                return f"sqlite:{folder / str(next(fresh))}"

            measures: dict[str, Callable[[], Run]] = {
                "(a) nothing, Kafka": lambda: copy(kafka, broker, mails, lambda raw: None),
                "(b) parsing, Kafka": lambda: copy(kafka, broker, mails, parse_alone),
                "(c) scoring, Kafka": lambda: worker_run(kafka, broker, mails, labels=False),
                "(d) learning, Kafka": lambda: worker_run(kafka, broker, mails, labels=True),
                "(e) scoring, SQLite": lambda: worker_run(sqlite(), None, mails, labels=False),
                "(e) learning, SQLite": lambda: worker_run(sqlite(), None, mails, labels=True),
                "(f) monitor of (c)": lambda: monitor_run(kafka, broker, mails, labels=False),
                "(f) monitor of (d)": lambda: monitor_run(kafka, broker, mails, labels=True),
                "1 process": lambda: processes_run(kafka, broker, mails, 1),
                "2 processes": lambda: processes_run(kafka, broker, mails, 2),
            }
            passes = [{what: measure() for what, measure in measures.items()} for _ in range(PASSES)]
            best = {what: max((runs[what] for runs in passes), key=lambda run: run.rate) for what in measures}
            print(f"{'':<22}{'mails/s':>9}{'':>15}{'CPU us a mail: worker':>26}{'broker':>9}{'cores busy':>21}")
            for what, run in best.items():
                base, of = ("1 process", "one") if "process" in what else ("(b) parsing, Kafka", "(b)")
                worker, broker_us = (1e6 * seconds / run.mails for seconds in run[2:])
                print(
                    f"{what:<22}{run.rate:>9,.0f}{run.rate / best[base].rate:>8.2f} of {of:<4}{worker:>26.0f}"
                    f"{broker_us:>9.0f}{run.worker_s / run.seconds:>12.2f} and {run.broker_s / run.seconds:.2f}"
                )
            for what, url in (("Kafka", kafka), ("SQLite", sqlite())):
                median, high = latency(url, mails)
                print(f"{'latency, ' + what:<22}{median:>9.0f} ms median, {high:.0f} ms at 99 %")
            plan(kafka, broker, folder, mails, best["(c) scoring, Kafka"], best["(d) learning, Kafka"])
        finally:
            cluster.stop()


if __name__ == "__main__":
    main()
