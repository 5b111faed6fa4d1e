"""The tail of the changelog: equivalent to the whole topic, and no longer than the newest snapshot needs."""

import random

import msgspec
import pytest

from consumers.log.base import ProducerRecord
from consumers.log.memory import MemoryLog
from consumers.model import changelog_reader
from consumers.model.changelog import PLACE, Manifest, manifest_key
from consumers.model.replica import Replica
from consumers.records.schemas import MODEL, TOPICS
from consumers.records.skipped import SkippedRecords
from tests.support.few_mails import work
from tests.support.worker_run import EVERYTHING, label, loaded_alike, new_words, short_mail


class CountingLog(MemoryLog):
    """Notes the offsets of `model` that are read."""

    def scan(self, place, next_offset=0):
        for record in super().scan(place, next_offset):
            self.read_offsets.append(record.offset)
            yield record


@pytest.fixture
def log():
    log = MemoryLog()
    log.create_topics(TOPICS, 1)
    return log


def teach(log, numbers):
    """Label these mails, each in a commit of its own."""
    for n in numbers:
        work(log, records=[short_mail(f"m{n}", new_words(n, 5)), label(f"m{n}", "spam" if n % 3 else "ham")])


def snapshot(log, parts=None):
    """Write a snapshot; with `parts` only that many of its parts, as if its writer had been killed."""
    log.append(Replica.load(log, EVERYTHING).snapshot_records()[:parts])


def same_as_whole(log):
    """Check that a replica loaded from the tail equals one loaded from the whole topic."""
    tail, whole = (Replica(log, EVERYTHING, SkippedRecords()) for _ in range(2))
    tail.restore(changelog_reader.read_tail(log, SkippedRecords()))
    whole.restore(changelog_reader.read_changelog(log, SkippedRecords()))
    assert tail.require_model().to_bytes() == whole.require_model().to_bytes()
    assert (tail.checkpoints, tail.manifest) == (whole.checkpoints, whole.manifest)
    assert tail.ledger(0).entries == whole.ledger(0).entries
    return tail


def test_only_what_the_newest_snapshot_needs_is_read(log, monkeypatch):
    monkeypatch.setattr(changelog_reader, "FIRST_STEP", 2)
    teach(log, range(20))
    snapshot(log)
    teach(log, range(20, 24))
    manifest = same_as_whole(log).manifest

    counting = CountingLog(log.topics)
    counting.read_offsets = []
    changelog = changelog_reader.read_tail(counting, SkippedRecords())

    assert manifest.next_offset == 21  # a secret and 20 deltas
    assert 10 < changelog.first_offset <= 21
    assert min(offset for offset in counting.read_offsets if offset) == changelog.first_offset
    assert changelog.secret == log.topics.records[PLACE][0].value


@pytest.mark.parametrize("broken", ["chunk", "forged manifest", "no manifest"])
def test_where_the_newest_snapshot_is_not_whole_the_whole_topic_is_read(log, monkeypatch, broken):
    monkeypatch.setattr(changelog_reader, "FIRST_STEP", 2)
    teach(log, range(5))
    snapshot(log, parts=1 if broken == "no manifest" else None)
    teach(log, range(5, 9))
    if broken == "chunk":
        log.append([ProducerRecord(MODEL, b"s/1/0", b"of another snapshot", 0)])
    if broken == "forged manifest":
        manifest = Manifest(number=8, chunks=1, next_offset=10**15)
        log.append([ProducerRecord(MODEL, manifest_key(manifest), msgspec.msgpack.encode(manifest), 0)])

    found = loaded_alike(log.topics, EVERYTHING)

    assert found.checkpoint(0).seq == 9
    assert len(found.ledger(0).entries) == 9


@pytest.mark.parametrize("seed", range(20))
def test_whatever_was_written_the_tail_is_as_good_as_the_whole(log, monkeypatch, seed):
    draw = random.Random(seed)
    monkeypatch.setattr("consumers.model.changelog.CHUNK_BYTES", draw.choice([300, 2000, 100_000]))
    teach(log, [0])
    for turn in range(1, draw.randrange(3, 12)):
        monkeypatch.setattr(changelog_reader, "FIRST_STEP", draw.randrange(1, 9))
        match draw.randrange(4):
            case 0:
                snapshot(log)
            case 1:
                snapshot(log, parts=draw.randrange(1, 4))
            case 2:
                log.append([ProducerRecord(MODEL, draw.choice([b"s/0", b"junk", None, b"d/0/x"]), b"junk", 0)])
            case _:
                teach(log, range(10 * turn, 10 * turn + draw.randrange(1, 4)))
        loaded_alike(log.topics, EVERYTHING)
        if draw.random() < 0.5:
            work(log, records=[label("m0", draw.choice(["ham", "spam", None]))])
    assert Replica.load(log, EVERYTHING).checkpoint(0).seq >= 1
