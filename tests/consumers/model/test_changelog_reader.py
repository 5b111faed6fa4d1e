"""Reading the tail of the changelog gives the same replica as reading it all, and reads no more than needed."""

import random

import msgspec
import pytest

from consumers.log.base import ProducerRecord
from consumers.log.memory import MemoryLog
from consumers.model import changelog_reader
from consumers.model.changelog import MODEL_PARTITION, Manifest, manifest_key
from consumers.model.replica import Replica
from consumers.records.schemas import MODEL
from consumers.records.skipped import SkippedRecords
from tests.support.few_mails import work
from tests.support.memory_log import new_log
from tests.support.worker_run import EVERYTHING, label, loaded_alike, new_words, short_mail


class CountingLog(MemoryLog):
    """Keeps the offsets of the records that `scan` returns."""

    def scan(self, place, next_offset=0):
        for record in super().scan(place, next_offset):
            self.read_offsets.append(record.offset)
            yield record


@pytest.fixture
def log():
    return new_log()


def teach(log, numbers):
    """Let workers learn one label of each of these mails, one commit each."""
    for n in numbers:
        work(log, records=[short_mail(f"m{n}", new_words(n, 5)), label(f"m{n}", "spam" if n % 3 else "ham")])


def write_snapshot(log, parts=None):
    """Write a snapshot; with `parts` only that many of its records, as if its writer had been killed."""
    log.append(Replica.load(log, EVERYTHING).snapshot_records()[:parts])


def load_and_compare_with_whole(log):
    """Check that a replica loaded from the tail equals one loaded from the whole topic."""
    tail, whole = (Replica(log, EVERYTHING, SkippedRecords()) for _ in range(2))
    tail.restore(changelog_reader.read_tail(log, SkippedRecords()))
    whole.restore(changelog_reader.read_changelog(log, SkippedRecords()))
    assert tail.require_model().to_bytes() == whole.require_model().to_bytes()
    assert (tail.checkpoints, tail.manifest) == (whole.checkpoints, whole.manifest)
    assert tail.ledger(0).entries == whole.ledger(0).entries
    return tail


def test_only_the_newest_snapshot_and_the_records_after_it_are_read(log, monkeypatch):
    monkeypatch.setattr(changelog_reader, "FIRST_STEP", 2)
    teach(log, range(20))
    write_snapshot(log)
    teach(log, range(20, 24))
    manifest = load_and_compare_with_whole(log).manifest

    counting = CountingLog(log.topics)
    counting.read_offsets = []
    changelog = changelog_reader.read_tail(counting, SkippedRecords())

    assert manifest.next_offset == 21  # a secret and 20 deltas
    assert 10 < changelog.first_offset <= 21
    assert min(offset for offset in counting.read_offsets if offset) == changelog.first_offset
    assert changelog.secret.value == log.topics.records[MODEL_PARTITION][0].value


@pytest.mark.parametrize("broken", ["chunk", "forged manifest", "no manifest"])
def test_with_an_incomplete_newest_snapshot_the_whole_topic_is_read(log, monkeypatch, broken):
    monkeypatch.setattr(changelog_reader, "FIRST_STEP", 2)
    teach(log, range(5))
    write_snapshot(log, parts=1 if broken == "no manifest" else None)
    teach(log, range(5, 9))
    if broken == "chunk":
        log.append([ProducerRecord(MODEL, b"s/1/0", b"of another snapshot", 0)])
    if broken == "forged manifest":
        manifest = Manifest(number=8, chunks=1, next_offset=10**15)
        log.append([ProducerRecord(MODEL, manifest_key(manifest), msgspec.msgpack.encode(manifest), 0)])

    loaded = loaded_alike(log.topics, EVERYTHING)

    assert loaded.checkpoint(0).seq == 9
    assert len(loaded.ledger(0).entries) == 9


@pytest.mark.parametrize("seed", range(20))
def test_a_replica_loaded_from_the_tail_equals_one_loaded_from_the_whole_topic(log, monkeypatch, seed):
    draw = random.Random(seed)
    monkeypatch.setattr("consumers.model.changelog.CHUNK_BYTES", draw.choice([300, 2000, 100_000]))
    teach(log, [0])
    for turn in range(1, draw.randrange(3, 12)):
        monkeypatch.setattr(changelog_reader, "FIRST_STEP", draw.randrange(1, 9))
        match draw.randrange(4):
            case 0:
                write_snapshot(log)
            case 1:
                write_snapshot(log, parts=draw.randrange(1, 4))
            case 2:
                log.append([ProducerRecord(MODEL, draw.choice([b"s/0", b"junk", None, b"d/0/x"]), b"junk", 0)])
            case _:
                teach(log, range(10 * turn, 10 * turn + draw.randrange(1, 4)))
        loaded_alike(log.topics, EVERYTHING)
        if draw.random() < 0.5:
            work(log, records=[label("m0", draw.choice(["ham", "spam", None]))])
    assert Replica.load(log, EVERYTHING).checkpoint(0).seq >= 1
