"""Runs workers that follow sums, and a combiner that is stopped at any point, on a log in memory."""

from __future__ import annotations

import random
from collections.abc import Sequence

import msgspec

from consumers.combiner.stage import EVERY_S, CombinerStage
from consumers.evaluation.verify import verify
from consumers.log.memory import MemoryLog, Topics
from consumers.model.changelog import MODEL_PARTITION
from consumers.model.replica import Replica
from consumers.records.schemas import TOPICS
from consumers.settings import Settings
from consumers.worker.worker import Worker
from tests.support.shared_log import SharedLog

PARTITIONS = 3


class Clock:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def with_sums(settings: Settings) -> Settings:
    """The same settings for a process that follows sums."""
    return msgspec.structs.replace(settings, learner=msgspec.structs.replace(settings.learner, follow="sums"))


def new_topics(partitions: int = PARTITIONS) -> Topics:
    topics = Topics()
    MemoryLog(topics).create_topics(TOPICS, partitions)
    return topics


def combiner_on(log: MemoryLog, settings: Settings, clock: Clock) -> CombinerStage:
    """A combiner with its partition assigned; its predecessor is fenced and loses what it had not published."""
    stage = CombinerStage(log, settings, "c-0", clock)
    stage.step(timeout_s=0.0)
    assert stage.ready
    return stage


def publish(stage: CombinerStage, clock: Clock) -> None:
    """Let a combiner publish everything it can."""
    while stage.consumer.lag(MODEL_PARTITION):
        stage.step(timeout_s=0.0)
    clock.now += EVERY_S
    stage.step(timeout_s=0.0)


def work(workers: Sequence[Worker]) -> None:
    """Let the workers process everything; each may wait for what another commits."""
    still = 0
    while still < 2:
        done = [worker.step(timeout_s=0.0) for worker in workers]
        left = any(worker.busy or worker.waiting for worker in workers)
        still = 0 if any(done) or left else still + 1


class Fleet:
    """Two workers that follow sums, one that reads deltas, and two replicas that only follow.

    Args:
        settings: The settings of all, except for what they follow.
    """

    def __init__(self, settings: Settings) -> None:
        self.topics, self.clock = new_topics(), Clock()
        self.settings, self.sums = settings, with_sums(settings)
        held = ((0,), (1,), (2,))
        self.workers = [
            Worker(SharedLog(self.topics, partitions), of, f"w-{n}")
            for n, (partitions, of) in enumerate(zip(held, (self.sums, self.sums, settings), strict=True))
        ]
        self.watchers = [Replica.load(MemoryLog(self.topics), self.sums) for _ in range(2)]
        self.combiner = combiner_on(MemoryLog(self.topics), settings, self.clock)

    @property
    def log(self) -> MemoryLog:
        return MemoryLog(self.topics)

    def anything(self, draw: random.Random) -> None:
        """Do one random thing: a step of a process, a restart, or a pause."""
        what = draw.random()
        if what < 0.5:
            draw.choice(self.workers).step(timeout_s=0.0)
        elif what < 0.65:
            self.combiner.step(timeout_s=0.0)
        elif what < 0.8:
            self.clock.now += draw.choice([0.0, EVERY_S])
            self.combiner.step(timeout_s=0.0)
        elif what < 0.85:
            self.combiner = combiner_on(self.log, self.settings, self.clock)
        elif what < 0.93:
            draw.choice(self.watchers).follow()
        elif what < 0.96:
            self.watchers[1] = Replica.load(self.log, self.sums)
        else:
            held = [0, 1, 2]
            draw.shuffle(held)
            # as in a rebalance, all give up their partitions before they get new ones
            for worker, partition in zip(self.workers, held, strict=True):
                worker.consumer.hold([partition])
            for worker in self.workers:
                worker.step(timeout_s=0.0)

    def settle(self, texts: bool = True) -> Replica:
        """Process and publish everything, check that a recount finds no difference, and return a replica of the deltas.

        Without `texts` the texts may differ: a replica that forgot a word and its text may get it back from one
        that did not.
        """
        work(self.workers)
        publish(self.combiner, self.clock)
        truth = Replica.load(self.log, self.settings)
        for follower in (*self.watchers, *(worker.replica for worker in self.workers)):
            follower.follow()
            assert_same(follower, truth, texts)
        # A worker's own come in the order of its labels, also in its snapshots.
        for watcher in self.watchers if not truth.manifest.number else ():
            for partition, ledger in truth.ledgers.items():
                assert [*watcher.ledger(partition).entries] == [*ledger.entries]
        assert verify(self.log, self.settings).differences == []
        return truth


def assert_same(one: Replica, other: Replica, texts: bool = True) -> None:
    """Both are equal, bit for bit, in all that a snapshot would hold, except perhaps the texts of words."""
    assert one.checkpoints == other.checkpoints
    assert one.require_model().same_counts(other.require_model())
    assert not texts or one.require_model().to_bytes() == other.require_model().to_bytes()
    for partition in other.checkpoints:
        assert dict(one.ledger(partition).entries) == dict(other.ledger(partition).entries)  # in any order
        assert one.ledger(partition).evicted_mails == other.ledger(partition).evicted_mails
    assert (one.evicted, one.forgotten) == (other.evicted, other.forgotten)
    assert (one.decayed_to, one.halvings) == (other.decayed_to, other.halvings)
    assert one.manifest.number == other.manifest.number
    assert one.manifest.number or one.delta_bytes == other.delta_bytes
    assert one.own_bytes == 0
