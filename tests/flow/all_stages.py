"""All stages of a stream in one process, on a log in memory, and anything that may happen to them, drawn at random."""

from __future__ import annotations

import json
import random
from collections.abc import Callable

import msgspec

from consumers.combiner.stage import EVERY_S, CombinerStage
from consumers.errors import Restart
from consumers.log.base import ProducerRecord, TopicPartition
from consumers.model.changelog import MODEL_PARTITION
from consumers.model.replica import Replica
from consumers.monitor.service import Monitor
from consumers.records import schemas
from consumers.records.policy import PolicyRecord, PolicyValues, policy_record
from consumers.records.schemas import EMAILS, LABELS, MODEL, POLICY, PREDICTIONS, QUARANTINE, SUMS, TOPICS
from consumers.settings import LearnerSettings, Settings, WorkerSettings
from consumers.worker.worker import Worker
from tests.consumers.combiner.sums_run import with_sums, work
from tests.support.cleaned_log import CleanedLog, CleanedSharedLog, CleanedTopics
from tests.support.worker_run import label, message

BEGIN = 1_700_000_000.0
CLASSES = ("spam", "ham", "list", "工作", "a b", "<b>x</b>")
POLICIES = (None, PolicyValues(threshold=1.5), PolicyValues(lose_at_most=0.05), PolicyValues(unsure=1.0))
FOREIGN = ((None, b"x"), (b"d/9/5", b"\xff"), (b"s/9", b"{}"), (b"a", b""), (b"a", None))
"""Keys and values; none is the key of a record of ours, which compaction would delete."""
ODD_TIMES = (0.0, BEGIN - 1e6, 4e9)


class Clock:
    """A clock that moves on whenever it is read, so that no two records have the same time."""

    def __init__(self) -> None:
        self.now = BEGIN

    def __call__(self) -> float:
        self.now += 0.001
        return self.now


def draw_settings(draw: random.Random) -> Settings:
    """Settings of a mail model, each option on now and then, or of a textbook model."""
    options = {"max_features": 2000, "half_life": 64, "learn": "everything", "trust": False, "lose_at_most": 0.01}
    chosen = {name: value for name, value in options.items() if draw.random() < 0.25}
    if draw.random() < 0.25:
        chosen = {"model": draw.choice(("multinomial", "bernoulli", "mixed")), "smoothing": 1.0}
    worker = WorkerSettings(poll_records=draw.choice((1, 7, 40, 2000)), poll_s=0.001)
    return Settings(learner=msgspec.convert(chosen, LearnerSettings), worker=worker)


class AllStages:
    """One to three workers, a combiner, a monitor, and two replicas, which follow deltas and sums.

    Args:
        draw: Decides everything.
        deletes: Whether old mails, labels, predictions and quarantine entries leave the log, and records have times of
            1970 and of the next century.
    """

    def __init__(self, draw: random.Random, deletes: bool) -> None:
        self._draw, self._deletes = draw, deletes
        self.clock, self._monotonic = Clock(), 0.0
        self.topics = CleanedTopics(self.clock)
        self._partitions = draw.choice((1, 2, 3))
        self.log.create_topics(TOPICS, self._partitions)
        self.settings = draw_settings(draw)
        self.classes = CLASSES[: draw.choice((1, 2, 3, 6))]
        self._mails = self._policies = 0
        self._assign()
        self._start()

    @property
    def log(self) -> CleanedLog:
        return CleanedLog(self.topics)

    @property
    def copies(self) -> list[Replica]:
        """All copies of the model."""
        return [*self.replicas, *(worker.replica for worker in self.workers)]

    def happen(self) -> None:
        """Do one random thing."""
        self.clock.now += self._draw.choice((0, 0.01, 0.5, 3, 3600))
        chances = {
            self._feed: 35, self._label: 15, self._work: 30, self._combine: 7, self._follow: 4, self._monitor: 4,
            self._restart: 3, self._assign_again: 3, self._disturb: 2, self._change_policy: 1, self._compact: 1,
            self._delete: 1,
        }  # fmt: skip
        self._do_one(chances)

    def settle(self) -> None:
        """Let all stages work until nothing is left to do."""
        while True:
            try:
                return self._finish()
            except Restart:
                self._start()

    def count(self, monitor: Monitor) -> None:
        """Let a monitor read everything and publish."""
        for _ in range(3):
            self.clock.now += 2.0
            while monitor.step(timeout_s=0.0):
                pass
        monitor.publish(curves=True)

    def new_monitor(self, group: str) -> Monitor:
        settings = msgspec.structs.replace(self.settings.monitor, group=group)
        settings = msgspec.structs.replace(self.settings, monitor=settings)
        return Monitor(self.log, settings, "m", self.clock, self.clock)

    def _finish(self) -> None:
        work(self.workers)
        while self.combiner.consumer.lag(MODEL_PARTITION):
            self.combiner.step(timeout_s=0.0)
        for _ in range(4):  # a sum ends before a delta that takes up an entry which it has evicted
            self._monotonic += EVERY_S
            self.combiner.step(timeout_s=0.0)
        for replica in self.copies:
            replica.follow()
        self.count(self.monitor)

    def _do_one(self, chances: dict[Callable[[], None], float]) -> None:
        """Do one of these things, drawn by weight. A stage whose records are gone starts again, like its process."""
        try:
            self._draw.choices(list(chances), list(chances.values()))[0]()
        except Restart:
            self._start()

    def _start(self) -> None:
        self._variants = self.settings, with_sums(self.settings)
        self.workers = [self._new_worker(number) for number in range(len(self._held))]
        self.replicas = [Replica.load(self.log, settings) for settings in self._variants]
        self.combiner = CombinerStage(self.log, self.settings, "c", lambda: self._monotonic)
        self.combiner.step(timeout_s=0.0)
        self.monitor = self.new_monitor("monitor")

    def _new_worker(self, number: int) -> Worker:
        log = CleanedSharedLog(self.topics, self._held[number])
        return Worker(log, self._draw.choice(self._variants), f"w-{number}", self.clock)

    def _assign(self, workers: int = 0) -> None:
        partitions, count = list(range(self._partitions)), workers or self._draw.randint(1, self._partitions)
        self._draw.shuffle(partitions)
        self._held = [partitions[number::count] for number in range(count)]

    def _assign_again(self) -> None:
        self._assign(len(self.workers))
        for worker, held in zip(self.workers, self._held, strict=True):
            worker.consumer.hold(held)
        for worker in self.workers:  # as in a rebalance, all give up their partitions before they get new ones
            worker.step(timeout_s=0.0)

    def _time(self) -> float | None:
        return self._draw.choice(ODD_TIMES) if self._deletes and self._draw.random() < 0.05 else None

    def _words(self, about: int) -> str:
        pools = (f"{about}-", 60), ("x", 400), ("u", 10**6)
        drawn = self._draw.choices(pools, (40, 48, 12), k=self._draw.choice((0, 3, 10, 40, 120)))
        return " ".join(f"{prefix}{self._draw.randrange(size)}" for prefix, size in drawn)

    def _feed(self) -> None:
        for _ in range(self._draw.choice((1, 1, 3, 20))):
            self._mails += 1
            name, about = f"m{self._mails}", self._mails % len(self.classes)
            value = f"From: {self._draw.choice('abc')}@example.org\nSubject: {name}\n\n{self._words(about)}".encode()
            if self._draw.random() < 0.4:
                features = {"size": self._draw.gauss(about, 1.0), "form": self._draw.choice("pqr")}
                value = json.dumps({"id": name, "text": self._words(about), "features": features}).encode()
            if self._draw.random() < 0.03:
                value = self._draw.choice((b"", b"{", b"\xff\0"))
            self.log.append([message(name, value)._replace(timestamp=self._time())])
            if self._draw.random() < 0.6:
                self._label(self._mails)

    def _label(self, number: int = 0) -> None:
        """Label a mail, which may still be to come; mostly with its own class."""
        number = number or self._draw.randrange(1, self._mails + 5)
        own = self.classes[number % len(self.classes)]
        given = own if self._draw.random() < 0.8 else self._draw.choice((*self.classes, None))
        sources = ("ann", "ann", "bob", "eve") if given is None else ("ann", "ann", "bob", "eve", schemas.SILENCE)
        vote = label(f"m{number}", given, self._draw.choice(sources), forget=self._draw.random() < 0.06)
        self.log.append([vote._replace(timestamp=self._time())])

    def _work(self) -> None:
        self._draw.choice(self.workers).step(timeout_s=0.0)

    def _combine(self) -> None:
        self._monotonic += self._draw.choice((0.0, EVERY_S))
        self.combiner.step(timeout_s=0.0)

    def _follow(self) -> None:
        self._draw.choice(self.replicas).follow()

    def _monitor(self) -> None:
        self.monitor.step(timeout_s=0.0)

    def _restart(self) -> None:
        number = self._draw.randrange(len(self.workers))
        self.workers[number] = self._new_worker(number)
        if self._draw.random() < 0.3:
            self.monitor = self.new_monitor("monitor")

    def _disturb(self) -> None:
        """Write a record that is none of ours to an inner topic."""
        key, value = self._draw.choice(FOREIGN)
        self.log.append(
            [ProducerRecord(self._draw.choice((MODEL, SUMS, POLICY, PREDICTIONS, QUARANTINE)), key, value, 0)]
        )

    def _change_policy(self) -> None:
        change = PolicyRecord(self._draw.choice(POLICIES), "ann", self.clock())
        self.log.append([policy_record(change, self._policies - 1)])
        self._policies += 1

    def _compact(self) -> None:
        for place in (MODEL_PARTITION, *(TopicPartition(topic, 0) for topic in (SUMS, POLICY, schemas.MONITOR))):
            end = self.log.end_offset(place)
            self.topics.compact(place, self._draw.choice((end, self._draw.randrange(end + 1))), self._draw)

    def _delete(self) -> None:
        """Delete old records; of mails and labels only such as workers have read."""
        for place in self.log.places(EMAILS, LABELS, PREDICTIONS, QUARANTINE) if self._deletes else ():
            read = self.topics.committed.get((self.settings.worker.group, place), 0)
            end = read if place.topic in (EMAILS, LABELS) else self.log.end_offset(place)
            self.topics.delete_before(place, self._draw.randrange(end + 1))
