"""The mails labelled last are found by the log's timestamps, whatever time a label claims."""

from __future__ import annotations

import time
from unittest.mock import Mock

from consumers.errors import BadRecord
from consumers.explain.explainer import Explainer
from consumers.explain.last_learned import last_learned, left_of
from consumers.log.base import ProducerRecord, TopicPartition
from consumers.model.decay import PARTS
from consumers.model.ledger import Entry
from consumers.model.packed import PackedDict
from consumers.model.replica import Replica
from consumers.records.messages import MailPlace, Message, read_message
from consumers.records.schemas import EMAILS, LABELS, SILENCE, LabelRecord, encode
from consumers.settings import Settings, WorkerSettings
from stream_nb import Mail, MailNB
from tests.support.memory_log import new_log
from tests.support.worker_run import label, run_worker, short_mail

SETTINGS = Settings()
YEAR_S = 366 * 86_400


def test_only_the_latest_entries_of_a_ledger_are_decoded(monkeypatch):
    log = new_log()
    records = [record for n in range(20) for record in (short_mail(f"m{n}", "a mail"), label(f"m{n}", "ham"))]
    replica = run_worker(log, SETTINGS, records).replica
    decoded: list[str] = []
    find = PackedDict.__getitem__
    monkeypatch.setattr(PackedDict, "__getitem__", lambda entries, key: decoded.append(key) or find(entries, key))

    assert len(last_learned(replica, lambda place: Message("", Mail(()), "", ""), 3)) == 3
    assert decoded == ["m19", "m18", "m17"]


def test_only_labels_that_count_and_mails_that_are_still_there_are_listed():
    """Labels of silence repeat predictions, so they cannot measure accuracy."""
    log = new_log()
    labels = [label("m0", "spam"), label("m1", "ham", SILENCE), label("m2", "ham"), label("m3", "work")]
    records = [*(short_mail(f"m{n}", "a mail") for n in range(4)), *labels, label("m2", None)]
    replica = run_worker(log, SETTINGS, records).replica

    def read(place: MailPlace) -> Message:
        if place.offset == 3:
            raise BadRecord("gone", "no longer on the log")
        return Message("", Mail(()), "", "")

    found = [[mail.label for mail in last_learned(replica, read, 9, silence)] for silence in (True, False)]
    assert found == [["spam", "ham"], ["spam"]]


def test_a_label_above_the_cap_of_its_source_has_taught_nothing():
    """It may name a class that the model does not know."""
    capped = Settings(worker=WorkerSettings(source_cap_per_hour=1))
    log = new_log()
    mails = [short_mail(f"m{n}", "a mail") for n in range(2)]
    replica = run_worker(log, capped, [*mails, label("m0", "spam"), label("m1", "work")]).replica
    explainer = Explainer(log, capped)

    assert [mail.label for mail in last_learned(replica, lambda place: Message("", Mail(()), "", ""), 9)] == ["spam"]
    assert [len(word["course"]) for word in explainer.word("mail")["found"]] == [1]
    assert list(explainer.why(MailPlace(0, 1))["if_labelled"]) == ["spam"]


def test_only_the_decay_since_a_label_was_learned_counts():
    update, replica = MailNB().grade("win money now", "spam"), Mock(halvings=3 * PARTS)
    left = [left_of(Entry("m", 1, 0.0, (), update, halvings=turns * PARTS), replica) for turns in (3, 2)]
    assert left[0] == update
    assert left[1].weight == update.weight // 2 > 0


def test_a_label_with_a_future_timestamp_is_ordered_by_the_time_of_its_record():
    log = new_log(2)
    began = round(time.time()) - 100
    for number, ahead_s in enumerate([YEAR_S, 0, 0, 0]):
        name, appended_at = f"m{number}".encode(), began + number
        label = LabelRecord(name.decode(), ("spam", "ham")[number % 2], "people", appended_at + ahead_s)
        log.append([ProducerRecord(EMAILS, name, b"a mail", number % 2, appended_at)])
        log.append([ProducerRecord(LABELS, name, encode(label), number % 2, appended_at)])
    run_worker(log, SETTINGS)

    def read(place: MailPlace) -> Message:
        record = log.read_at(TopicPartition(EMAILS, place.partition), place.offset)
        assert record is not None
        return read_message(record, SETTINGS.learner.headers)

    replica = Replica.load(log, SETTINGS)
    assert [mail.timestamp - began for mail in last_learned(replica, read, 2)] == [2.0, 3.0]
    assert [mail.timestamp - began for mail in last_learned(replica, read, 9)] == [0.0, 1.0, 2.0, 3.0]
