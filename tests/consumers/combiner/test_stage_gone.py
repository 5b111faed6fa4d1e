"""On SQLite, which deletes deltas once a snapshot includes them, a combiner resumes after a long pause."""

from __future__ import annotations

import itertools

import pytest

from consumers.errors import Restart
from consumers.evaluation.verify import verify
from consumers.log.sqlite.log import SqliteLog
from consumers.model.replica import Replica
from consumers.worker.worker import Worker
from tests.consumers.combiner.sums_run import Clock, assert_same, combiner_on, publish, with_sums
from tests.support.worker_run import EVERYTHING, label, new_words, short_mail, step_until_done


def test_a_combiner_that_missed_deltas_resumes_and_replicas_without_them_take_a_snapshot(log, tmp_path, monkeypatch):
    monkeypatch.setattr("consumers.worker.snapshot_writer.MIN_SNAPSHOT_BYTES", 1)
    monkeypatch.setattr("consumers.worker.snapshot_writer.FEATURE_BYTES", 0)
    worker, clock, settings = Worker(log, with_sums(EVERYTHING), "w-0"), Clock(), with_sums(EVERYTHING)
    numbers = itertools.count()

    def learn(mails: int) -> None:
        for number in itertools.islice(numbers, mails):
            log.append([short_mail(f"m{number}", new_words(number, 20)), label(f"m{number}", "spam")])
            step_until_done(worker)

    with SqliteLog(tmp_path / "log") as other:
        combiner = combiner_on(other, EVERYTHING, clock)
        learn(5)
        publish(combiner, clock)
        replica = Replica.load(log, settings)
        combiner.consumer.close()
        before = replica.manifest.number
        learn(40)
        assert worker.replica.manifest.number >= before + 2, "deltas are gone"
        combiner = combiner_on(other, EVERYTHING, clock)
        publish(combiner, clock)
        with pytest.raises(Restart, match="a delta is missing"):
            replica.follow()
        replica = Replica.load(log, settings)
        learn(5)
        publish(combiner, clock)
        for follower in (replica, worker.replica):
            follower.follow()
            assert_same(follower, Replica.load(log, EVERYTHING))
        findings = verify(log, EVERYTHING)
        assert findings.differences == []
        assert "sums whose deltas have been deleted, because a snapshot includes them" in findings.left_out
        combiner.consumer.close()
        worker.consumer.close()
