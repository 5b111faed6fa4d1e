"""A `model` topic with missing, forged or wrongly dated records gives a clear error, and there is a remedy."""

import hashlib
import itertools
import time

import msgspec
import pytest

from consumers.errors import LogDamaged, Restart
from consumers.evaluation.verify import verify
from consumers.log.base import ProducerRecord, TopicPartition
from consumers.model import changelog_reader, replica
from consumers.model.changelog import (
    FORMAT,
    MODEL_PARTITION,
    Checkpoint,
    Delta,
    Manifest,
    Snapshot,
    delta_record,
    manifest_key,
    snapshot_records,
)
from consumers.model.factory import new_model
from consumers.model.replica import Replica
from consumers.records.schemas import LABELS, MODEL, LabelRecord, encode
from consumers.records.skipped import SkippedRecords
from tests.support.few_mails import mail, work
from tests.support.memory_log import new_log
from tests.support.outputs import predictions
from tests.support.worker_run import EVERYTHING, label, run_worker, short_mail

YEAR_S = 365 * 86_400.0


@pytest.fixture
def log():
    """A log on which five labels were learned in three deltas; it keeps each record, as Kafka does for a while."""
    log = new_log()
    work(log, records=[mail("a"), label("a", "spam")])
    work(log, records=[mail("b"), label("b", "ham"), mail("c"), label("c", "ham")])
    work(log, records=[mail("d"), label("d", "spam"), label("a", "ham")])
    return log


def delta_with_gap():
    """A delta whose key and format are right, but which has no place in the chain."""
    return delta_record(Delta(FORMAT, 0, Checkpoint(9, 99, 99), b"", ()))


def test_a_missing_delta_is_reported_with_its_key(log):
    log.append([ProducerRecord(MODEL, b"d/0/2", None, 0)])

    with pytest.raises(LogDamaged) as seen:
        Replica.load(log, EVERYTHING)
    assert "key d/0/3: delta 3 of partition 0 follows 1; a delta is missing" in str(seen.value)


def test_a_gap_caused_by_a_snapshot_during_reading_is_resolved_by_reading_again(log, monkeypatch):
    changelog = changelog_reader.read_changelog(log, SkippedRecords())
    changelog_with_gap = changelog._replace(skimmed=changelog.skimmed[1:])
    read = itertools.chain(2 * [changelog_with_gap], itertools.repeat(changelog))
    for name in ("read_tail", "read_changelog"):
        monkeypatch.setattr(replica, name, lambda log, skipped: next(read))

    assert Replica.load(log, EVERYTHING).checkpoint(0).seq == 3


def test_a_tail_without_a_whole_snapshot_is_not_taken_for_the_model(log, monkeypatch):
    tail = changelog_reader.read_changelog(log, SkippedRecords())._replace(first_offset=1, skimmed=[])
    monkeypatch.setattr(replica, "read_tail", lambda log, skipped: tail)

    assert Replica.load(log, EVERYTHING).checkpoint(0).seq == 3


def test_a_forged_delta_with_a_gap_stops_workers_until_it_is_deleted(log):
    """Anyone who may write to the topic can do this; the error names the record, and a tombstone of its key ends it."""
    running = Replica.load(log, EVERYTHING)
    log.append([delta_with_gap()])

    with pytest.raises(Restart, match=r"model\[0\]@\d+, key d/0/9: "):
        running.follow()
    with pytest.raises(LogDamaged, match=r"key d/0/9: .*docs/guarantees.md"):
        work(log)
    log.append([ProducerRecord(MODEL, b"d/0/9", None, 0)])
    work(log, records=[short_mail("e", "a new one"), label("e", "spam")])
    assert verify(log, EVERYTHING).differences == []


def test_a_forged_delta_with_the_next_number_is_applied_and_reported_by_verify(log):
    """It needs the key of the word hash, so only those who may also read the topic can do this."""
    recorder = Replica.load(log, EVERYTHING).require_model().recorder()
    recorder.learn("never on any mail", "ham")
    checkpoint = Replica.load(log, EVERYTHING).checkpoint(0)
    log.append([delta_record(Delta(FORMAT, 0, msgspec.structs.replace(checkpoint, seq=4), recorder.take(), ()))])

    work(log, records=[short_mail("e", "a new one"), label("e", "spam")])
    assert any(text.startswith("model:") for text in verify(log, EVERYTHING).differences)


@pytest.mark.parametrize("key", [b"d/0/1", b"d/0/2", b"d/0/77", b"s/0/5", b"s/1", b"key/none"])
def test_an_unexpected_tombstone_changes_nothing_for_running_processes(log, key):
    running = Replica.load(log, EVERYTHING)
    log.append([ProducerRecord(MODEL, key, None, 0)])

    running.follow()
    assert running.checkpoint(0).seq == 3


def test_a_snapshot_that_cannot_be_decoded_is_skipped(log):
    junk = b"junk"
    manifest = Manifest(number=9, chunks=1, size=len(junk), sha256=hashlib.sha256(junk).digest())
    log.append([
        ProducerRecord(MODEL, manifest_key(manifest) + b"/0", junk, 0),
        ProducerRecord(MODEL, manifest_key(manifest), msgspec.msgpack.encode(manifest), 0),
    ])  # fmt: skip

    assert Replica.load(log, EVERYTHING).checkpoint(0).seq == 3
    assert verify(log, EVERYTHING).differences == []


@pytest.mark.parametrize("forged", ["no model", "other secret"])
def test_a_forged_snapshot_with_another_model_is_skipped_with_a_warning(log, caplog, forged):
    """Workers start from the snapshot before it, or from the deltas; their next snapshot replaces it."""
    model = b"SNB1 junk" if forged == "no model" else new_model(EVERYTHING.learner, b"another secret of 16").to_bytes()
    log.append(snapshot_records(Manifest(number=8), {}, Snapshot(model, {})))
    skipped = SkippedRecords()

    found = Replica.load(log, EVERYTHING, skipped)

    assert (found.checkpoint(0).seq, found.manifest.number, skipped.count) == (3, 0, 1)
    assert ("another secret" if forged == "other secret" else "snapshot of 9 bytes") in caplog.text
    work(log, records=[short_mail("e", "a new one"), label("e", "spam")])
    log.append(Replica.load(log, EVERYTHING).snapshot_records())
    assert Replica.load(log, EVERYTHING).manifest.number == 1
    assert verify(log, EVERYTHING).differences == []


def test_a_snapshot_keeps_what_was_evicted_forgotten_and_decayed(log):
    writer = Replica.load(log, EVERYTHING)
    writer.evicted, writer.forgotten, writer.decayed_to, writer.halvings = 1, 2, 3, 4
    writer.ledger(0).keep_evicted((9,))
    log.append(writer.snapshot_records())

    read = Replica.load(log, EVERYTHING)

    assert (read.evicted, read.forgotten, read.decayed_to, read.halvings) == (1, 2, 3, 4)
    assert list(read.ledger(0).evicted_mails) == [9]


def test_an_evicted_label_whose_mail_never_came_is_no_update_of_the_model(log):
    taught = next(iter(Replica.load(log, EVERYTHING).ledger(0).entries))
    seq = run_worker(log, EVERYTHING, [label("no mail", "spam")]).replica.checkpoint(0).seq
    log.append([delta_record(Delta(FORMAT, 0, Checkpoint(seq + 1, 99, 99), b"", (), (taught, "no mail")))])

    read = Replica.load(log, EVERYTHING)

    assert not {taught, "no mail"} & set(read.ledger(0).entries)
    assert read.evicted == 1


def test_after_the_model_topic_was_deleted_its_labels_can_be_learned_again(log):
    """Workers refuse to start; after the group's position on `labels` was reset, they learn the same model."""
    before = Replica.load(log, EVERYTHING).require_model()
    scored = [prediction.id for prediction in predictions(log)]
    secret = log.topics.records[MODEL_PARTITION][0]
    log.topics.records[MODEL_PARTITION].clear()

    with pytest.raises(
        LogDamaged, match=r"labels\[0\]: .*up to 5.*up to 0; records of the topic model are missing, or the group"
    ):
        work(log)
    log.topics.records[MODEL_PARTITION][:] = [secret]
    for group, place in list(log.topics.committed):
        if place == TopicPartition(LABELS, 0):
            del log.topics.committed[group, place]
    model = work(log)
    assert model.same_counts(before)
    assert [prediction.id for prediction in predictions(log)] == scored
    assert verify(log, EVERYTHING).differences == []


def test_timestamps_of_1970_and_2100_neither_stop_scoring_nor_learning():
    """Entries with a future timestamp age from now on."""
    log = new_log()
    now = time.time()
    times = [0.0, now, now + 80 * YEAR_S, 1.0, now - 50 * YEAR_S, now + 1]
    names = [f"m{number}" for number in range(24)]
    for number, name in enumerate(names):
        at, claimed_time = times[number % 6], times[(number + number // 6) % 6]
        value = encode(LabelRecord(name, ["ham", "spam"][number % 2], "ann", claimed_time))
        log.append(
            [
                short_mail(name, "some words")._replace(timestamp=at),
                ProducerRecord(LABELS, name.encode(), value, timestamp=claimed_time),
            ]
        )
        if number % 5 == 4:
            run_worker(log, EVERYTHING)
    final = run_worker(log, EVERYTHING).replica

    assert sorted(prediction.id for prediction in predictions(log)) == sorted(names)
    assert final.require_model().labels_learned == len(names)
    assert all(entry.timestamp <= time.time() for entry in final.ledger(0).entries.values())
    assert verify(log, EVERYTHING).differences == []


def test_a_label_dated_1970_is_learned_and_can_be_withdrawn(log):
    before = Replica.load(log, EVERYTHING).require_model().labels_learned
    value = encode(LabelRecord("e", "spam", "ann", 0.0))
    claimed_time = ProducerRecord(LABELS, b"e", value, timestamp=1.0)
    assert run_worker(log, EVERYTHING, [short_mail("e", "words"), claimed_time]).totals.quarantined == 0

    assert Replica.load(log, EVERYTHING).require_model().labels_learned == before + 1
    run_worker(log, EVERYTHING, [label("e", None)])
    assert Replica.load(log, EVERYTHING).require_model().labels_learned == before
    assert verify(log, EVERYTHING).differences == []
