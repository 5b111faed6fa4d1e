"""A small stream of predictions and labels on a log in memory, and a monitor for it."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator

from consumers.log.base import ProducerRecord
from consumers.log.memory import MemoryLog
from consumers.monitor.figures.joiner import Outcome, ScoredMail
from consumers.monitor.service import Monitor
from consumers.records.schemas import LABELS, PREDICTIONS, LabelRecord, PredictionRecord, encode
from consumers.settings import MonitorSettings, Settings

BEGIN = 1_700_000_000.0


def prediction(number: int, log_odds: float, timestamp: float, partition: int = 0) -> PredictionRecord:
    probability = 1.0 / (1.0 + 2.718281828459045**-log_odds)
    label = "spam" if log_odds > 0 else "ham"
    return PredictionRecord(
        id=f"m{number}",
        label=label,
        log_odds=log_odds,
        probability=probability,
        positive="spam",
        threshold=0.0,
        labels_learned=number,
        scores={"ham": 0.0, "spam": log_odds},
        known=90,
        unseen=10,
        topic="emails",
        partition=partition,
        next_offset=number + 1,
        arrived_at=timestamp - 0.005,
        scored_at=timestamp,
        subject=f"subject {number}",
        sender="a@example.org",
    )


def label_record(
    message_id: str, label: str | None, source: str, timestamp: float, forget: bool = False, partition: int = 0
) -> ProducerRecord:
    record = LabelRecord(message_id, label, source, timestamp, forget)
    return ProducerRecord(LABELS, message_id.encode(), encode(record), partition, timestamp)


def stream(mails: int, seed: int, spread: float = 2.5, partitions: int = 1) -> Iterator[list[ProducerRecord]]:
    """For each mail its prediction and labels at that time: late, early, changed, withdrawn, forgotten or invalid.

    The partitions take turns.
    """
    rng = random.Random(seed)
    truths = {f"m{n}": rng.choice(["spam", "ham", "ham"]) for n in range(mails)}
    for number in range(mails):
        timestamp = BEGIN + 0.05 * number
        log_odds = rng.gauss(3.0 if truths[f"m{number}"] == "spam" else -3.0, spread)
        scored = prediction(number, log_odds, timestamp, number % partitions)
        records = [ProducerRecord(PREDICTIONS, scored.id.encode(), encode(scored), scored.partition, timestamp)]
        for _ in range(rng.randrange(3)):
            labelled = min(mails - 1, max(0, number + rng.randrange(-30, 6)))
            target = f"m{labelled}"
            source = rng.choice(["people", "rule"])
            label = rng.choice([truths[target]] * 8 + ["spam", None])
            forget, partition = rng.random() < 0.05, labelled % partitions
            records.append(label_record(target, label, source, timestamp, forget, partition))
        if number % 50 == 0:
            records.append(ProducerRecord(LABELS, b"x", b"{not json", 0, timestamp))
            records.append(label_record(f"m{number}", "spam", "mallory", timestamp)._replace(key=b"another"))
        yield records


class StreamClock:
    """A wall clock that shows the latest time of the predictions and labels on a log."""

    def __init__(self, log: MemoryLog) -> None:
        self._log = log
        self._next = dict.fromkeys(log.places(PREDICTIONS, LABELS), 0)
        self._now = 0.0

    def __call__(self) -> float:
        for place, first in self._next.items():
            for record in self._log.scan(place, first):
                self._next[place] = record.offset + 1
                self._now = max(self._now, record.timestamp)
        return self._now


def monitor_of(log: MemoryLog, clock: Callable[[], float] = time.monotonic, **options) -> Monitor:
    """A monitor whose clock shows the stream's time."""
    settings = Settings(monitor=MonitorSettings(**options))
    return Monitor(MemoryLog(log.topics), settings, clock=clock, wall_clock=StreamClock(log))


def read_to_end(monitor: Monitor) -> None:
    """Let a monitor read the whole log. A step that reads nothing is not the last: it may have got its partitions."""
    consumer = monitor.consumer
    while monitor.step(timeout_s=0.0) or not monitor.ready or any(map(consumer.lag, consumer.assignment)):
        pass
    monitor.step(timeout_s=0.0)


def catch_up(monitor: Monitor) -> None:
    """Let a monitor read the whole log and publish its figures."""
    read_to_end(monitor)
    monitor.publish(curves=True)


def labelled_mail(number: int, log_odds: float, correct: bool, weight: float = 0.0) -> ScoredMail:
    """A scored mail with its label, which is the predicted one if `correct`."""
    mail = ScoredMail(prediction(number, log_odds, BEGIN), weight)
    predicted = mail.prediction.label
    mail.true_label = predicted if correct else "other"
    mail.outcome = Outcome(f"m{number}", mail.true_label, predicted, log_odds, 0.5, BEGIN)
    return mail
