"""`verify` finds no difference on a log on which a worker is at work."""

from __future__ import annotations

import itertools

import pytest

from consumers.evaluation.verify import verify
from consumers.log.base import ProducerRecord, TopicPartition
from consumers.log.memory import MemoryLog, Topics
from consumers.records.schemas import EMAILS, LABELS, PREDICTIONS, QUARANTINE, TOPICS, LabelRecord, encode
from tests.support.worker_run import EVERYTHING, run_worker


@pytest.mark.parametrize("topic", [PREDICTIONS, QUARANTINE])
def test_a_worker_may_commit_before_each_topic_is_read(monkeypatch, topic):
    log, numbers = MemoryLog(Topics()), itertools.count()
    log.create_topics(TOPICS, 1)

    def commit() -> None:
        """Score a mail, learn its label, score another mail, and quarantine a third."""
        name, other = (f"{next(numbers)}" for _ in range(2))
        mail = [ProducerRecord(EMAILS, key.encode(), b"Subject: x\n\nlunch at noon") for key in (name, other)]
        label = ProducerRecord(LABELS, name.encode(), encode(LabelRecord(name, "ham", "ann", 1.0)))
        for records in ([mail[0], label], [mail[1], ProducerRecord(EMAILS, b"empty", b"")]):
            run_worker(log, EVERYTHING, records)

    def scan(place: TopicPartition, next_offset: int = 0):
        if place.topic == topic:
            with monkeypatch.context() as unpatched:
                unpatched.setattr(log, "scan", plain)
                commit()
        return plain(place, next_offset)

    plain = log.scan
    monkeypatch.setattr(log, "scan", scan)

    findings = verify(log, EVERYTHING)

    assert findings.differences == []
    assert findings.mails > 0
