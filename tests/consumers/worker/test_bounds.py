"""A worker keeps within bounds: of words in the model, of bytes in a commit, of time in a transaction."""

from __future__ import annotations

import random

import msgspec
import pytest

from consumers.evaluation.verify import verify
from consumers.log.base import ProducerRecord, TopicPartition
from consumers.log.memory import MemoryLog, Topics
from consumers.model.changelog import FORMAT, Checkpoint, Delta, Manifest, delta_record, read_record
from consumers.model.replica import Replica
from consumers.records.replay import read_all
from consumers.records.schemas import EMAILS, LABELS, MODEL, PREDICTIONS, TOPICS, LabelRecord, encode
from consumers.settings import Settings
from consumers.worker.commit_pace import FIRST_BYTES, LEAST_BYTES, MOST_BYTES, QUICK_S, SLOW_S, CommitPace
from consumers.worker.worker import Worker

SETTINGS = msgspec.convert(
    {"learner": {"max_features": 2000, "learn": "everything"}, "worker": {"poll_s": 0.001}}, Settings
)


@pytest.fixture
def topics():
    topics = Topics()
    MemoryLog(topics).create_topics(TOPICS, 2)
    return topics


def mail(name: str, words: str) -> ProducerRecord:
    return ProducerRecord(EMAILS, name.encode(), f"Subject: {name}\n\n{words}".encode())


def label(name: str, called: str) -> ProducerRecord:
    return ProducerRecord(LABELS, name.encode(), encode(LabelRecord(name, called, "ann", 1e9)))


def new_words(seed: int, n: int = 60) -> str:
    rng = random.Random(seed)
    return " ".join(f"w{rng.randrange(10**9)}" for _ in range(n))


def step_until_done(worker: Worker) -> None:
    while not worker.partitions or worker.step() or worker.busy or worker.waiting:
        worker.step()


def test_ever_new_words_keep_the_model_within_its_bound_on_every_replica(topics):
    log = MemoryLog(topics)
    worker = Worker(log, SETTINGS, "w-0")
    watching = Replica.load(MemoryLog(topics), SETTINGS)
    rows = []
    for n in range(80):
        log.append([mail(f"m{n}", new_words(n)), label(f"m{n}", "spam" if n % 3 else "ham")])
        worker.step()
        worker.step()
        watching.follow()
        rows.append(watching.model.statistics.features)
    for n in range(20, 40):
        log.append([label(f"m{n}", "other")])
    step_until_done(worker)
    watching.follow()
    started = Replica.load(MemoryLog(topics), SETTINGS)

    assert worker.replica.model.same_counts(watching.model)
    assert worker.replica.model.same_counts(started.model)
    assert started.model.labels_learned == 80
    assert max(rows) < 3 * 2000 < started.forgotten == worker.replica.forgotten == watching.forgotten
    assert verify(MemoryLog(topics), SETTINGS).differences == ()


def test_what_is_forgotten_and_what_another_learns_meanwhile_add_up_in_any_order(topics):
    log = MemoryLog(topics)
    worker = Worker(log, SETTINGS, "w-0")
    other = Replica.load(MemoryLog(topics), SETTINGS)
    log.append([mail("a", "common words in here"), label("a", "ham")])
    step_until_done(worker)
    other.follow()
    recorder = other.require_model().recorder()
    # The other one learns more of these words, while they are taken out.
    recorder.learn("common words are learned elsewhere", "ham")
    forgetting = worker.replica.forget_rare(0, 3)
    late = Delta(FORMAT, 1, Checkpoint(other.checkpoint(1).seq + 1, 1, 1), recorder.take(), ())
    log.append([delta_record(forgetting), delta_record(late)])
    worker.replica.advance(forgetting, 0)
    other.advance(late, 0)
    worker.replica.follow()
    other.follow()

    assert worker.replica.model.same_counts(other.model)
    assert other.model.same_counts(Replica.load(MemoryLog(topics), SETTINGS).model)
    assert other.forgotten == worker.replica.forgotten > 0


def test_what_was_forgotten_is_known_after_a_snapshot(topics, monkeypatch):
    monkeypatch.setattr("consumers.worker.snapshot_writer.MIN_SNAPSHOT_BYTES", 1)
    log = MemoryLog(topics)
    worker = Worker(log, SETTINGS, "w-0")
    for n in range(60):
        log.append([mail(f"m{n}", new_words(n)), label(f"m{n}", "spam" if n % 3 else "ham")])
        worker.step()
    step_until_done(worker)
    started = Replica.load(MemoryLog(topics), SETTINGS)

    assert started.manifest.number > 2 and started.forgotten == worker.replica.forgotten > 2000
    assert started.model.same_counts(worker.replica.model)
    assert verify(MemoryLog(topics), SETTINGS).differences == ()


def test_a_snapshot_is_written_over_many_commits_and_counts_once_it_is_whole(topics, monkeypatch):
    monkeypatch.setattr("consumers.worker.snapshot_writer.MIN_SNAPSHOT_BYTES", 20_000)
    monkeypatch.setattr("consumers.model.changelog.CHUNK_BYTES", 1000)
    monkeypatch.setattr("consumers.worker.commit_pace.MOST_BYTES", 2000)
    monkeypatch.setattr("consumers.worker.commit_pace.FIRST_BYTES", 2000)
    log = MemoryLog(topics)
    worker = Worker(log, Settings(), "w-0")
    worker.step()
    numbers = []
    for n in range(120):
        log.append([mail(f"m{n}", new_words(n)), label(f"m{n}", "spam" if n % 3 else "ham")])
        worker.step()
        # Whoever starts in the middle of it has the snapshot before, and the deltas.
        started = Replica.load(MemoryLog(topics), Settings())
        assert started.model.same_counts(worker.replica.model)
        numbers.append(started.manifest.number)
    assert worker.totals.mails == 120
    while worker.busy:
        worker.step()
    assert numbers[0] == 0 and Replica.load(MemoryLog(topics), Settings()).manifest.number >= max(numbers) >= 1
    written = [read_record(record) for record in read_all(log, MODEL)]
    manifests = [each for each in written if isinstance(each, Manifest)]
    assert [each.number for each in manifests] == list(range(1, len(manifests) + 1))
    assert max(each.chunks for each in manifests) > 10
    assert verify(MemoryLog(topics), Settings()).differences == ()


def test_a_worker_that_stops_in_a_snapshot_leaves_nothing_that_counts(topics, monkeypatch):
    monkeypatch.setattr("consumers.worker.snapshot_writer.MIN_SNAPSHOT_BYTES", 20_000)
    monkeypatch.setattr("consumers.model.changelog.CHUNK_BYTES", 500)
    for name in ("MOST_BYTES", "FIRST_BYTES"):
        monkeypatch.setattr(f"consumers.worker.commit_pace.{name}", 1000)
    log = MemoryLog(topics)
    stopped = 0
    for n in range(100):
        worker = Worker(log, Settings(), "w-0")
        log.append([mail(f"m{n}", new_words(n)), label(f"m{n}", "spam" if n % 3 else "ham")])
        while not worker.totals.labels:
            worker.step()
        for _ in range(n % 7):
            worker.step(timeout_s=0.0)
        stopped += worker.busy
    assert stopped > 10
    worker = Worker(log, Settings(), "w-0")
    log.append([mail("last", "words")])
    step_until_done(worker)
    assert worker.replica.model.labels_learned == 100 and worker.replica.manifest.number >= 1
    assert verify(MemoryLog(topics), Settings()).differences == ()


def test_a_step_does_no_more_than_a_commit_shall_have_and_forgets_nothing(topics, monkeypatch):
    monkeypatch.setattr("consumers.worker.worker.MOST_DELTA_BYTES", 2000)
    for name in ("MOST_BYTES", "FIRST_BYTES"):
        monkeypatch.setattr(f"consumers.worker.commit_pace.{name}", 10_000)
    log = MemoryLog(topics)
    for n in range(100):
        log.append([mail(f"m{n}", new_words(n)), label(f"m{n}", "spam" if n % 3 else "ham")])
    worker = Worker(log, Settings(), "w-0")
    step_until_done(worker)
    assert worker.totals.commits >= 10
    assert (worker.totals.mails, worker.totals.labels) == (100, 100)
    sizes = [len(record.value) for record in read_all(log, MODEL) if record.key.startswith(b"d/")]
    assert len(sizes) > 30 and max(sizes) < 8000
    assert sum(1 for _ in read_all(log, PREDICTIONS)) == 100
    assert verify(log, Settings()).differences == ()


def test_a_partition_with_much_to_do_keeps_no_other_out(topics, monkeypatch):
    for name in ("MOST_BYTES", "FIRST_BYTES"):
        monkeypatch.setattr(f"consumers.worker.commit_pace.{name}", 3000)
    log = MemoryLog(topics)
    for partition in (0, 1):
        log.append([mail(f"m{partition}-{n}", new_words(n))._replace(partition=partition) for n in range(200)])
    worker = Worker(log, Settings(), "w-0")
    worker.step()
    for _ in range(10):
        worker.step()
    assert all(log.end_offset(TopicPartition(PREDICTIONS, partition)) > 20 for partition in (0, 1))
    assert worker.totals.mails < 100
    step_until_done(worker)
    assert worker.totals.mails == 400


def test_the_pace_shrinks_when_commits_are_slow_and_grows_again():
    pace = CommitPace()
    assert pace.budget == FIRST_BYTES
    for _ in range(20):
        pace.note(pace.budget, 1.1 * SLOW_S)
    assert pace.budget == LEAST_BYTES
    pace.note(10, 0.01)
    assert pace.budget == LEAST_BYTES
    pace.note(pace.budget, 1.1 * QUICK_S)
    assert pace.budget == LEAST_BYTES
    for _ in range(20):
        pace.note(pace.budget, QUICK_S / 2)
    assert pace.budget == MOST_BYTES


def test_a_label_evicted_by_number_is_not_learned_again_after_a_restart(topics, monkeypatch):
    settings = msgspec.convert({"worker": {"poll_s": 0.001, "remember_mails": 3, "remember_labels": 3}}, Settings)
    log = MemoryLog(Topics())
    log.create_topics(TOPICS, 1)
    for snapshots in (False, True):
        if snapshots:
            monkeypatch.setattr("consumers.worker.snapshot_writer.MIN_SNAPSHOT_BYTES", 1)
        name = f"a{snapshots}"
        log.append([mail(name, "free money"), label(name, "spam")])
        log.append([label(f"none{n}{snapshots}", "ham") for n in range(3)])
        worker = Worker(log, settings, "w-0")
        step_until_done(worker)
        assert name not in worker.replica.ledger(0).entries
        learned = worker.replica.model.labels_learned
        for _ in range(2):
            worker = Worker(log, settings, "w-0")
            log.append([label(name, "spam")])
            step_until_done(worker)
            assert worker.replica.model.labels_learned == learned
    assert worker.replica.manifest.number >= 1
