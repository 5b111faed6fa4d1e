"""A process that follows sums has bit for bit the model of one that follows deltas, wherever the combiner stops."""

from __future__ import annotations

import itertools
import random

import msgspec
import pytest

from consumers.combiner import stage
from consumers.combiner.stage import EVERY_S
from consumers.evaluation.verify import verify
from consumers.log.base import ProducerRecord
from consumers.log.memory import MemoryLog
from consumers.model import sums
from consumers.model.changelog import MODEL_PARTITION
from consumers.model.changelog_reader import read_tail
from consumers.model.replica import Replica
from consumers.model.sums import FORMAT, SUMS_PARTITION, Sum, read_sum, sum_record
from consumers.records.schemas import MODEL, SUMS
from consumers.records.skipped import SkippedRecords
from consumers.settings import LearnerSettings, Settings, WorkerSettings
from tests.consumers.combiner.sums_run import (
    Clock,
    Fleet,
    assert_same,
    combiner_on,
    new_topics,
    publish,
    with_sums,
    work,
)
from tests.support.messages import draw_messages, learner, message
from tests.support.worker_run import EVERYTHING, label, new_words, run_worker, short_mail

WORKER = WorkerSettings(poll_s=0.001, poll_records=7, remember_mails=40, remember_labels=40)


def settings_of(**learner: object) -> Settings:
    return Settings(learner=msgspec.convert(learner, LearnerSettings), worker=WORKER)


def run(settings: Settings, seed: int, mails: int = 60, classes: int = 2, words: str = "") -> Fleet:
    """Feed mails with labels that change and are withdrawn, amid random steps and restarts of the processes."""
    draw = random.Random(seed)
    fleet = Fleet(settings)
    rows = draw_messages(mails, seed=seed)
    names = [f"class {n}" for n in range(classes)]
    for n, (row, _) in enumerate(rows):
        mail = short_mail(f"m{n}", new_words(n)) if words == "new" else message(row)
        records = [mail, label(f"m{n}", draw.choice(names), draw.choice(["ann", "bob"]))]
        if n and draw.random() < 0.4:
            changed = draw.choice([*names, None])
            records.append(label(f"m{draw.randrange(n)}", changed, "ann", forget=changed is None))
        fleet.log.append(records)
        for _ in range(draw.randrange(4)):
            fleet.anything(draw)
    return fleet


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("classes", [2, 6])
def test_sums_give_the_mail_model_of_the_deltas(seed, classes):
    fleet = run(settings_of(), seed, classes=classes)

    truth = fleet.settle()

    assert truth.require_model().labels_learned > 20
    made = [read_sum(record) for record in fleet.log.scan(SUMS_PARTITION)]
    assert [total.number for total in made] == [*range(1, len(made) + 1)]
    assert all(one.next_offset == other.first_offset for one, other in itertools.pairwise(made))
    assert any(len(total.parts) > 1 for total in made)


@pytest.mark.parametrize("name", ["multinomial", "bernoulli", "categorical", "gaussian", "mixed"])
def test_sums_give_the_textbook_models_of_the_deltas(name):
    run(Settings(learner=learner(name), worker=WORKER), 3).settle()


@pytest.mark.parametrize("seed", range(3))
def test_sums_include_forgotten_and_decayed_features(seed):
    fleet = run(settings_of(max_features=2000, half_life=64), seed, mails=130, words="new")

    truth = fleet.settle(texts=False)

    assert truth.forgotten > 0 and truth.decayed_to > 0 and truth.evicted > 0


def test_a_combiner_that_sees_a_foreign_record_before_the_first_worker_hides_no_delta():
    """There is no secret yet, with which deltas could be added up."""
    topics, clock, settings = new_topics(1), Clock(), settings_of()
    log = MemoryLog(topics)
    log.append([ProducerRecord(MODEL, b"foreign", b"x", 0)])
    combiner = combiner_on(log, settings, clock)
    for _ in range(2):
        publish(combiner, clock)
        run_worker(log, settings)
    publish(combiner, clock)
    follower = Replica.load(log, with_sums(settings))
    run_worker(log, settings, [short_mail("m1", "words"), label("m1", "ham")])
    publish(combiner, clock)
    follower.follow()

    assert follower.require_model().labels_learned == 1
    assert_same(follower, Replica.load(log, settings))
    assert verify(log, settings).differences == []


def test_workers_know_snapshots_without_a_combiner(monkeypatch):
    """The worker that wrote one, and the one that takes over the partition that decides on snapshots."""
    monkeypatch.setattr("consumers.worker.snapshot_writer.MIN_SNAPSHOT_BYTES", 1_000)
    monkeypatch.setattr("consumers.worker.snapshot_writer.FEATURE_BYTES", 0)
    fleet = Fleet(settings_of())
    for n, (row, name) in enumerate(draw_messages(200, seed=1)):
        fleet.log.append([message(row), label(f"m{n}", name)])
    first, second, third = fleet.workers
    work(fleet.workers)
    written = Replica.load(fleet.log, fleet.settings).manifest
    manifests = [record.key for record in fleet.log.scan(MODEL_PARTITION) if record.key in (b"s/0", b"s/1")]

    assert first.replica.manifest == written
    assert written.number == len(manifests) > 0
    assert second.replica.manifest.number == 0
    for worker, partition in ((first, 1), (second, 0), (third, 2)):
        worker.consumer.hold([partition])
        worker.step(timeout_s=0.0)
    assert second.replica.manifest == written
    fleet.settle()


def test_snapshots_are_written_and_read_by_all(monkeypatch):
    monkeypatch.setattr("consumers.worker.snapshot_writer.MIN_SNAPSHOT_BYTES", 1)
    monkeypatch.setattr("consumers.worker.snapshot_writer.FEATURE_BYTES", 0)
    monkeypatch.setattr("consumers.model.changelog_reader.FIRST_STEP", 3)
    fleet = run(settings_of(), 5, mails=100)

    truth = fleet.settle()

    assert truth.manifest.number > 2
    assert read_tail(fleet.log, SkippedRecords()).first_offset > 0


@pytest.mark.parametrize("junk", [1, 3 * stage.LATEST])
def test_a_combiner_resumes_after_the_last_sum_if_its_group_lost_its_position(junk):
    """Kafka deletes it after a week without the combiner, and operators reset it."""
    fleet = run(settings_of(), 1)
    fleet.settle()
    fleet.log.append([ProducerRecord(SUMS, b"1", b"junk")] * junk)
    before = fleet.log.end_offset(SUMS_PARTITION)
    fleet.topics.committed.pop(("combiner", MODEL_PARTITION))

    fleet.combiner = combiner_on(fleet.log, fleet.settings, fleet.clock)
    fleet.log.append([short_mail("m900", "one more mail"), label("m900", "class 0")])

    fleet.settle()
    assert [len(read_sum(record).parts) for record in fleet.log.scan(SUMS_PARTITION, before)] == [1], "what was new"


def test_a_combiner_that_starts_reads_only_the_latest_sums(monkeypatch):
    log = MemoryLog(new_topics(1))
    log.append([sum_record(Sum(FORMAT, n, n - 1, n, b""), None) for n in range(1, 100)])
    decoded: list[int] = []
    monkeypatch.setattr(stage, "read_sum", lambda record: decoded.append(record.offset) or read_sum(record))

    combiner_on(log, EVERYTHING, Clock())

    assert decoded == [*range(99 - stage.LATEST, 99)]


@pytest.mark.parametrize(
    "left",
    [
        sum_record(Sum(FORMAT, 8, 0, 10**12, b""), None),  # of a `model` topic that was deleted and created again
        ProducerRecord(SUMS, b"1", b"junk"),
    ],
)
def test_a_combiner_begins_at_its_position_if_the_last_sum_does_not_fit(left):
    log, clock = MemoryLog(new_topics(1)), Clock()
    log.append([left])
    run_worker(log, EVERYTHING, [short_mail("m0", "one mail"), label("m0", "spam")])

    publish(combiner_on(MemoryLog(log.topics), EVERYTHING, clock), clock)

    made = [read_sum(record) for record in log.scan(SUMS_PARTITION, 1)]
    assert [(total.first_offset, total.next_offset) for total in made] == [(0, log.end_offset(MODEL_PARTITION))]
    assert_same(Replica.load(log, with_sums(EVERYTHING)), Replica.load(log, EVERYTHING))


def test_while_deltas_wait_a_step_takes_no_longer_than_until_their_sum_is_due(monkeypatch):
    log, clock = MemoryLog(new_topics(1)), Clock()
    run_worker(log, EVERYTHING, [short_mail("m0", "one mail"), label("m0", "spam")])
    combiner = combiner_on(MemoryLog(log.topics), EVERYTHING, clock)
    waits: list[float] = []
    poll = combiner.consumer.poll
    monkeypatch.setattr(combiner.consumer, "poll", lambda limit, wait_s, _: waits.append(wait_s) or poll(limit, 0.0))

    combiner.step()
    clock.now += EVERY_S / 2
    run_worker(log, EVERYTHING, [short_mail("m1", "one more mail"), label("m1", "spam")])
    combiner.step()
    assert log.end_offset(SUMS_PARTITION) == 0
    clock.now += 0.75 * EVERY_S
    combiner.step()

    assert waits == pytest.approx([stage.POLL_S, EVERY_S / 2, 0.0])
    assert log.end_offset(SUMS_PARTITION) == 1


def test_a_combiner_that_ends_publishes_what_it_has_added_up():
    log, clock = MemoryLog(new_topics(1)), Clock()
    run_worker(log, EVERYTHING, [short_mail("m0", "one mail"), label("m0", "spam")])
    combiner = combiner_on(MemoryLog(log.topics), EVERYTHING, clock)
    combiner.step(timeout_s=0.0)

    combiner.finish()

    assert read_sum(log.read_at(SUMS_PARTITION, 0)).next_offset == log.end_offset(MODEL_PARTITION)


def test_full_sums_are_published_before_they_are_many(monkeypatch):
    monkeypatch.setattr(stage, "MOST_WAITING", 2)
    monkeypatch.setattr(sums, "MOST_SUM_BYTES", 10)
    log, clock = MemoryLog(new_topics(1)), Clock()
    for number in range(5):
        run_worker(log, EVERYTHING, [short_mail(f"m{number}", "one mail"), label(f"m{number}", "spam")])

    combiner_on(MemoryLog(log.topics), EVERYTHING, clock).step(timeout_s=0.0)

    assert log.end_offset(SUMS_PARTITION) == 3, "two full ones, and the one that was begun"


def test_after_a_new_assignment_each_delta_is_in_one_sum(monkeypatch):
    monkeypatch.setattr(sums, "MOST_SUM_BYTES", 10)
    log, clock = MemoryLog(new_topics(1)), Clock()
    for number in range(3):
        run_worker(log, EVERYTHING, [short_mail(f"m{number}", "one mail"), label(f"m{number}", "spam")])
    combiner = combiner_on(MemoryLog(log.topics), EVERYTHING, clock)
    combiner.step(timeout_s=0.0)

    combiner.consumer.reassign()
    combiner.step(timeout_s=0.0)
    publish(combiner, clock)

    made = [read_sum(record) for record in log.scan(SUMS_PARTITION)]
    assert [part.first for total in made for part in total.parts] == [1, 2, 3]
    assert_same(Replica.load(log, with_sums(EVERYTHING)), Replica.load(log, EVERYTHING))
