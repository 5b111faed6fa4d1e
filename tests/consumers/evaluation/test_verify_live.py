"""`verify` finds no difference on a log on which a worker is at work."""

from __future__ import annotations

import itertools

import pytest

from consumers.evaluation.verify import verify
from consumers.log.base import TopicPartition
from consumers.log.memory import MemoryLog, Topics
from consumers.records.schemas import PREDICTIONS, QUARANTINE, TOPICS
from tests.support.worker_run import EVERYTHING, label, message, run_worker, short_mail


@pytest.mark.parametrize("topic", [PREDICTIONS, QUARANTINE])
def test_a_worker_may_commit_before_each_topic_is_read(monkeypatch, topic):
    log, numbers = MemoryLog(Topics()), itertools.count()
    log.create_topics(TOPICS, 1)

    def commit() -> None:
        """Score a mail, learn its label, score another mail, and quarantine a third."""
        name, other = (f"{next(numbers)}" for _ in range(2))
        run_worker(log, EVERYTHING, [short_mail(name, "lunch at noon"), label(name, "ham")])
        run_worker(log, EVERYTHING, [short_mail(other, "lunch at noon"), message("empty", b"")])

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
