"""How long a partition task remembers labels and mails, and what it tells other workers of them."""

from __future__ import annotations

import pytest

from consumers.log.memory import MemoryLog, Topics
from consumers.model.changelog import Delta, read_record
from consumers.model.replica import Replica
from consumers.records.replay import read_all
from consumers.records.schemas import MODEL, TOPICS
from consumers.settings import Settings
from consumers.worker.worker import Worker
from tests.support.few_mails import mail
from tests.support.worker_run import EVERYTHING, label, short_mail, step_until_done

DAY_S = 86_400.0
DAYS = EVERYTHING.worker.remember_days


class Days:
    """A log in memory and a worker on it, with a clock of days that the test sets."""

    def __init__(self) -> None:
        self.today = 0.0
        self.log = MemoryLog(Topics(self.now))
        self.log.create_topics(TOPICS, 1)
        self.worker = Worker(self.log, EVERYTHING, "w-0", self.now)

    def now(self) -> float:
        return self.today * DAY_S

    def on(self, day: float, *records) -> Replica:
        """Append records on a day, let the worker process them, and return a replica that starts then."""
        self.today = day
        self.log.append(records)
        step_until_done(self.worker)
        return Replica.load(self.log, EVERYTHING)


@pytest.fixture
def days():
    return Days()


def test_a_delta_has_only_the_entries_that_changed_since_the_last_one(days):
    days.on(0, mail("a"), label("a", "spam"))
    days.on(1, mail("b"), label("b", "ham"))

    deltas = [found for record in read_all(days.log, MODEL) if isinstance(found := read_record(record), Delta)]
    assert [[entry.id for entry in delta.entries] for delta in deltas] == [["a"], ["b"]]


def test_another_worker_would_evict_labels_in_the_same_order(days):
    other = days.on(0, *(label(name, "spam") for name in ("a", "b", "c", "a")))

    assert [*other.ledger(0).entries] == [*days.worker.replica.ledger(0).entries] == ["b", "c", "a"]


def test_an_entry_that_expires_is_evicted_for_all_even_if_nothing_else_changes(days):
    assert [*days.on(0, mail("a"), label("a", "spam")).ledger(0).entries] == ["a"]

    after = days.on(DAYS + 1, mail("b"))

    assert ([*after.ledger(0).entries], after.evicted) == ([], 1)
    assert after.require_model().labels_learned == 1


def test_many_entries_that_expire_together_are_evicted_over_several_commits(days, monkeypatch):
    """Kafka would refuse one record with all their ids."""
    monkeypatch.setattr("consumers.worker.partition_task.MORE_EVICTED", 3)
    days.on(0, *(label(f"m{n}", "spam") for n in range(9)))
    evicted = [label("new", "ham"), label("new", "spam"), mail("a"), mail("b")]

    left = [len(days.on(DAYS + 1, record).ledger(0).entries) for record in evicted]

    assert left == [6, 2, 1, 1], "one more if the delta stores an entry; only the last is still remembered"
    assert days.worker.totals.unmatched == 9


def test_a_label_that_waited_for_its_mail_is_kept_from_the_mails_arrival(days):
    days.on(0, label("a", "spam"))
    days.on(0.9 * DAYS, mail("a"))
    days.on(1.1 * DAYS, mail("b"))

    after = days.on(1.2 * DAYS, label("a", None))

    assert after.require_model().labels_learned == 0


def test_the_size_of_a_mail_counts_in_the_cache(log, monkeypatch):
    monkeypatch.setattr("consumers.model.mail_cache.CACHE_BYTES", 150_000)
    log.append([short_mail(name, "word " * 20_000) for name in "abc"])
    worker = Worker(log, Settings(), "w-0")
    step_until_done(worker)
    read: list[int] = []
    read_at = log.read_at
    monkeypatch.setattr(log, "read_at", lambda place, offset: read.append(offset) or read_at(place, offset))

    log.append([label("c", "spam"), label("a", "ham")])
    step_until_done(worker)

    assert read == [0]
    worker.consumer.close()
