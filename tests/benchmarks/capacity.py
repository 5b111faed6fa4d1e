"""The capacity of many workers on one model, from measurements of one: the last part of `tests/benchmarks/stream.py`.

A worker process scores its share of the mail and learns its share of the labels, but it follows the labels of all
others, whose deltas arrive on the `model` topic. For W processes, each busy for a share u of its core,

    W u = rate (c + s d) + W rate s f

where c and d are CPU seconds per mail and per label, s is the number of labels per mail, and f the seconds to follow a
label. The first term is divided among the processes, the second is not: every process pays rate s f, and where that
approaches u, no number of processes is enough.
"""

from __future__ import annotations

import math
import time
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from kafka.codec import zstd_encode

from consumers.log import open_log
from consumers.log.base import Log, TopicPartition
from consumers.model.changelog import MODEL_PARTITION
from consumers.model.replica import Replica
from consumers.records.schemas import EMAILS, LABELS, MODEL, PREDICTIONS, TOPICS
from consumers.records.skipped import SkippedRecords
from consumers.settings import Settings
from consumers.worker import snapshot_writer
from tests.benchmarks.stream_run import Mails, Run, fill, settings_for, work
from tests.support.processes import cpu_seconds

PLANS = (
    (100_000, 0.001, 1),
    (100_000, 0.01, 1),
    (3_500_000, 0.001, 1),
    (3_500_000, 0.001, 10),
    (3_500_000, 0.01, 1),
    (3_500_000, 0.01, 100),
)
"""Mails/s, labels per mail, and the number of models that share the stream, each with its own topics."""
BUSY = 0.6
"""The planned load of a core by a process; the rest is for peaks, and to catch up after a fault."""
LITTLE = 15
"""Records a poll of mails and their labels, so that a delta has ten labels. Where one mail in 100 has a label, polls of
1,000 bring so many."""


class Traffic(NamedTuple):
    """Bytes on the broker per mail (`mail`, `prediction`), per label (`delta`), and of a `snapshot` of the model; CPU
    seconds of the broker to receive a mail and its label, and of a process to follow a label (the best pass, because
    the first one also gets the memory); the `labels` of a delta."""

    mail: float
    prediction: float
    delta: float
    intake_s: float
    follow_s: float
    snapshot: int
    labels: float


def traffic(url: str, broker: int, folder: Path, mails: Mails, poll_records: int) -> Traffic:
    """Learn all mails with their labels, without snapshots, and follow the deltas from the beginning, three times."""
    settings = settings_for(url, poll_records=poll_records)
    with open_log(settings) as log:
        log.create_topics(TOPICS, 1)
        before = cpu_seconds([broker])
        fill(log, mails, labels=True)
        intake_s = cpu_seconds([broker]) - before
        least, snapshot_writer.MIN_SNAPSHOT_BYTES = snapshot_writer.MIN_SNAPSHOT_BYTES, 1 << 40
        try:
            work(log, settings, broker, len(mails), labels=True)
        finally:
            snapshot_writer.MIN_SNAPSHOT_BYTES = least
        end = log.end_offset(TopicPartition(LABELS, 0))
        log.read({MODEL_PARTITION: log.end_offset(MODEL_PARTITION)})  # connects, which a process does once
        follow_s, replica = min((follow(log, settings, end) for _ in range(3)), key=itemgetter(0))
        snapshot = sum(len(zstd_encode(record.value)) for record in replica.snapshot_records() if record.value)
    sizes = [
        sum(file.stat().st_size for file in folder.glob(f"kafka/*/data/{settings.kafka.prefix}{topic}-*/*.log"))
        for topic in (EMAILS, PREDICTIONS, MODEL)
    ]
    labels = len(mails) / replica.checkpoint(0).seq
    return Traffic(*(value / len(mails) for value in (*sizes, intake_s, follow_s)), snapshot, labels)


def follow(log: Log, settings: Settings, end: int) -> tuple[float, Replica]:
    """CPU seconds of a new replica to follow the deltas up to this end of the labels, and the replica."""
    replica, before = Replica(log, settings, SkippedRecords()), time.process_time()
    while replica.checkpoint(0).labels_next < end:
        replica.follow_deltas(timeout_s=1.0)
    return time.process_time() - before, replica


def plan(url: str, broker: int, folder: Path, mails: Mails, scoring: Run, learning: Run) -> None:
    """Print the measurements for it, and the results for `PLANS`."""
    large = traffic(url, broker, folder, mails, 1000)
    small = traffic(url, broker, folder, mails, LITTLE)
    mail_s = scoring.worker_s / scoring.mails
    label_s = max(0.0, learning.worker_s / learning.mails - mail_s)
    broker_s = large.intake_s + scoring.broker_s / scoring.mails
    print(f"\nKB on the broker: a mail {large.mail / 1e3:.2f}, a prediction {large.prediction / 1e3:.2f}")
    for got in (large, small):
        print(f"deltas of {got.labels:.0f} labels: {got.delta / 1e3:.2f} KB a label,", end=" ")
        print(f"{1e6 * got.follow_s:.0f} us CPU to follow one")
    print(f"a snapshot after {len(mails):,} labels: {large.snapshot / 1e6:.1f} MB")
    print(f"us CPU: {1e6 * mail_s:.0f} to score a mail, {1e6 * label_s:.0f} to learn a label,", end=" ")
    print(f"{1e6 * broker_s:.0f} of the broker a mail")
    print(f"a plan for {BUSY:.0%} of each core; {BUSY / small.follow_s:,.0f} labels/s to follow take all of that")
    print(f"{'':<53}{'cores of':>12}{'MB/s:':>8}{'model':>8}{'model':>9}")
    print(f"{'mails/s':>10}{'labels/s':>10}{'models':>8}{'processes':>11}{'following':>14}", end="")
    print(f"{'brokers':>12}{'mail':>8}{'in':>8}{'out':>9}")
    for rate, share, models in PLANS:
        following = rate * share / models * small.follow_s / BUSY
        print(f"{rate:>10,}{rate * share:>10,.0f}{models:>8}", end="")
        if following < 1:
            count = math.ceil(rate * (mail_s + share * label_s) / models / BUSY / (1 - following))
            model = rate * share * small.delta / 1e6
            print(f"{count * models:>11,}{following:>14.0%}{rate * broker_s / BUSY:>12,.0f}", end="")
            print(f"{rate * large.mail / 1e6:>8,.0f}{model:>8,.1f}{model * count:>9,.0f}")
        else:
            print(f"{'none':>11}{following:>14.0%}")
