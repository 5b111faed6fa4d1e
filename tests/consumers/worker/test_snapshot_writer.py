"""Snapshots are written in parts, over many commits, and replace the deltas before them."""

from consumers.evaluation.verify import verify
from consumers.log.memory import MemoryLog
from consumers.model.changelog import Manifest, read_record
from consumers.model.replica import Replica
from consumers.records.replay import read_all
from consumers.records.schemas import MODEL
from consumers.settings import Settings
from consumers.worker.snapshot_writer import SnapshotWriter
from consumers.worker.worker import Worker
from tests.support.few_mails import mail, work
from tests.support.worker_run import EVERYTHING, NEAR_ERROR, label, new_words, run_worker, short_mail, step_until_done


def test_snapshots_replace_deltas_and_lose_nothing(log, monkeypatch):
    """With a snapshot at almost every commit, a loaded model still equals the recount, and old deltas are deleted."""
    monkeypatch.setattr("consumers.worker.snapshot_writer.MIN_SNAPSHOT_BYTES", 1)
    for number in range(12):
        name = "abcd"[number % 4]
        work(log, NEAR_ERROR, ([mail(name)] if number < 4 else []) + [label(name, "ham" if number % 3 else "spam")])

    assert verify(log, NEAR_ERROR).differences == []
    assert Replica.load(log, NEAR_ERROR).manifest.number >= 2
    kept = [record.key for record in read_all(log, "model") if record.key.startswith(b"d/")]
    assert len(kept) < 12


def test_no_snapshot_is_written_while_it_would_be_larger_than_half_the_deltas(topics, monkeypatch):
    """With new words in each mail a snapshot has more bytes than half the deltas; with repeated words it has fewer."""
    monkeypatch.setattr("consumers.worker.snapshot_writer.MIN_SNAPSHOT_BYTES", 1)
    log = MemoryLog(topics)
    worker = Worker(log, EVERYTHING, "w-0")
    step_until_done(worker)
    manifests = []
    for n in range(60):
        words = new_words(n if n < 10 else 0)
        log.append([short_mail(f"m{n}", words), label(f"m{n}", "spam" if n % 3 else "ham")])
        step_until_done(worker)
        manifests.append(worker.replica.manifest.number)
    assert manifests[9] == 0 < manifests[-1]


def test_a_snapshot_is_written_over_many_commits_and_used_once_complete(topics, monkeypatch):
    monkeypatch.setattr("consumers.worker.snapshot_writer.MIN_SNAPSHOT_BYTES", 20_000)
    monkeypatch.setattr("consumers.worker.snapshot_writer.FEATURE_BYTES", 0)
    monkeypatch.setattr("consumers.model.changelog.CHUNK_BYTES", 1000)
    monkeypatch.setattr("consumers.worker.commit_pace.MOST_BYTES", 2000)
    monkeypatch.setattr("consumers.worker.commit_pace.FIRST_BYTES", 2000)
    log = MemoryLog(topics)
    worker = Worker(log, Settings(), "w-0")
    worker.step()
    numbers = []
    for n in range(120):
        log.append([short_mail(f"m{n}", new_words(n)), label(f"m{n}", "spam" if n % 3 else "ham")])
        worker.step()
        # A replica loaded before the snapshot is complete uses the previous one and the deltas.
        loaded = Replica.load(MemoryLog(topics), Settings())
        assert loaded.model.same_counts(worker.replica.model)
        numbers.append(loaded.manifest.number)
    assert worker.totals.mails == 120
    while worker.busy:
        worker.step()
    assert numbers[0] == 0 and Replica.load(MemoryLog(topics), Settings()).manifest.number >= max(numbers) >= 1
    written = [read_record(record) for record in read_all(log, MODEL)]
    manifests = [each for each in written if isinstance(each, Manifest)]
    assert [each.number for each in manifests] == list(range(1, len(manifests) + 1))
    assert max(each.chunks for each in manifests) > 10
    assert verify(MemoryLog(topics), Settings()).differences == []


def test_a_snapshot_interrupted_by_a_restart_is_ignored(topics, monkeypatch):
    monkeypatch.setattr("consumers.worker.snapshot_writer.MIN_SNAPSHOT_BYTES", 20_000)
    monkeypatch.setattr("consumers.worker.snapshot_writer.FEATURE_BYTES", 0)
    monkeypatch.setattr("consumers.model.changelog.CHUNK_BYTES", 500)
    for name in ("MOST_BYTES", "FIRST_BYTES"):
        monkeypatch.setattr(f"consumers.worker.commit_pace.{name}", 1000)
    log = MemoryLog(topics)
    interrupted = 0
    for n in range(100):
        worker = Worker(log, Settings(), "w-0")
        log.append([short_mail(f"m{n}", new_words(n)), label(f"m{n}", "spam" if n % 3 else "ham")])
        while not worker.totals.labels:
            worker.step()
        for _ in range(n % 7):
            worker.step(timeout_s=0.0)
        interrupted += worker.busy
    assert interrupted > 10
    worker = Worker(log, Settings(), "w-0")
    log.append([short_mail("last", "words")])
    step_until_done(worker)
    assert worker.replica.model.labels_learned == 100
    assert Replica.load(log, Settings()).manifest.number >= 1  # the worker reads its own snapshot in its next step
    assert verify(MemoryLog(topics), Settings()).differences == []


def test_a_stopped_snapshot_is_begun_again(topics, monkeypatch):
    log = MemoryLog(topics)
    run_worker(log, EVERYTHING, [short_mail("a", new_words(0)), label("a", "spam")])
    monkeypatch.setattr("consumers.worker.snapshot_writer.MIN_SNAPSHOT_BYTES", 1)
    monkeypatch.setattr("consumers.worker.snapshot_writer.FEATURE_BYTES", 0)
    monkeypatch.setattr("consumers.model.changelog.CHUNK_BYTES", 100)
    writer = SnapshotWriter(Replica.load(log, EVERYTHING))
    first, second = writer.take(0), writer.take(0)
    assert writer.writing and len(first) == len(second) == 1 and first != second
    writer.stop()
    assert not writer.writing and writer.take(0) == first
