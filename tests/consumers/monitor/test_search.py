"""Search over all remembered mails: matches, their order, and new records."""

from __future__ import annotations

import msgspec
import pytest

from consumers.errors import Restart
from consumers.log.base import ProducerRecord, TopicPartition
from consumers.log.memory import MemoryLog
from consumers.model.ledger import LearnedLabel
from consumers.monitor.search import FOUND_ROWS, MailSearch, SearchQuery, with_learned
from consumers.records.schemas import LABELS, PREDICTIONS, encode
from tests.support.memory_log import new_log
from tests.support.monitor_stream import BEGIN, label_record, prediction


def put(log: MemoryLog, number: int, **changes) -> None:
    record = msgspec.structs.replace(prediction(number, 2.0 if number % 2 else -2.0, BEGIN + number), **changes)
    key, value = record.id.encode(), encode(record)
    log.append([ProducerRecord(PREDICTIONS, key, value, record.partition, BEGIN + number)])


@pytest.fixture
def log() -> MemoryLog:
    log = new_log()
    for number in range(300):
        put(log, number)
    put(log, 300, subject="Your INVOICE <b>", sender="Ünal@example.org", label="bills")
    log.append([label_record("m3", "ham", "ann", BEGIN), label_record("m4", "ham", "people", BEGIN)])
    log.append([ProducerRecord(LABELS, b"m5", b"{", 0), label_record("m6", "ham", "eve", BEGIN)._replace(key=b"m7")])
    return log


def ids(search: MailSearch, **query) -> list[str]:
    return [row.id for row in search.search(SearchQuery(**query)).rows]


def test_all_mails_are_searched_and_the_newest_come_first(log):
    found = MailSearch(log).search(SearchQuery())
    assert (found.found, found.remembered, len(found.rows)) == (301, 301, FOUND_ROWS)
    assert [row.id for row in found.rows[:2]] == ["m300", "m299"]


def test_a_mail_that_arrived_later_comes_first_even_if_it_was_scored_earlier():
    log = new_log()
    put(log, 1, arrived_at=BEGIN + 9)
    put(log, 2)
    assert ids(MailSearch(log)) == ["m1", "m2"]


def test_of_bad_records_only_predictions_are_reported(log, caplog):
    """Workers report bad labels."""
    log.append([ProducerRecord(PREDICTIONS, b"m301", b"{", 0)])
    assert MailSearch(log).search(SearchQuery()).found == 301
    assert [line.partition(":")[0] for line in caplog.messages] == ["predictions[0]@301"]


def test_the_latest_mails_of_all_partitions_are_remembered_in_order_of_time():
    log = new_log(3)
    search = MailSearch(log, remember=10)
    for first in (0, 30):
        for number in range(first, first + 30):
            put(log, number, partition=number % 3)
        assert [mail.prediction.id for mail in search.mails()] == [
            f"m{number}" for number in range(first + 20, first + 30)
        ]
    log.append([label_record("m58", "spam", "ann", BEGIN + 2, partition=1)])
    log.append([label_record("m58", "ham", "ann", BEGIN + 1, partition=1)])
    assert [(mail.prediction.id, mail.true_label) for mail in search.labelled(5)] == [("m58", "ham")]


def test_of_many_new_mails_only_the_latest_are_read(monkeypatch):
    log = new_log(10)
    search = MailSearch(log, remember=20)
    read = []
    scan = log.scan
    monkeypatch.setattr(log, "scan", lambda *args: (read.append(record.offset) or record for record in scan(*args)))
    for first in (0, 500):
        for number in range(first, first + 500):
            put(log, number, partition=number % 10)
        read.clear()
        assert [mail.prediction.id for mail in search.mails()] == [
            f"m{number}" for number in range(first + 480, first + 500)
        ]
        assert len(read) == 80


def test_labelled_returns_the_latest_labelled_mails(log):
    search = MailSearch(log)
    assert [mail.prediction.id for mail in search.labelled(10)] == ["m4", "m3"]
    log.append([label_record("m299", "ham", "people", BEGIN), label_record("m4", None, "people", BEGIN)])
    assert [(mail.prediction.id, mail.true_label) for mail in search.labelled(1)] == [("m299", "ham")]
    assert [mail.prediction.id for mail in search.labelled(10)] == ["m299", "m3"]


def test_pages_of_results_join_even_if_mails_arrived_at_the_same_time():
    log = new_log()
    for number in range(250):
        put(log, number, arrived_at=BEGIN)
    search = MailSearch(log)
    pages = [search.search(SearchQuery(skip=skip)) for skip in (0, FOUND_ROWS, 2 * FOUND_ROWS)]
    assert {page.found for page in pages} == {250}
    assert [row.id for page in pages for row in page.rows] == [f"m{number}" for number in reversed(range(250))]


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ({"text": "invoice"}, ["m300"]),
        ({"text": " ünal  your "}, ["m300"]),
        ({"text": "M300"}, ["m300"]),
        ({"text": "invoice nothing"}, []),
        ({"text": "ann"}, ["m3"]),
        ({"label": "bills"}, ["m300"]),
        ({"id": "m30"}, ["m30"]),
        ({"id": "M30"}, []),
        ({"true_label": "ham"}, ["m4", "m3"]),
        ({"wrong": True}, ["m3"]),
        ({"true_label": "", "text": "invoice"}, ["m300"]),
        ({"text": "eve"}, []),
    ],
)
def test_a_query_finds_the_matching_mails(log, query, wanted):
    assert ids(MailSearch(log), **query) == wanted


def test_new_mails_are_found_and_forgotten_ones_are_not(log):
    search = MailSearch(log, remember=10)
    assert search.search(SearchQuery()).remembered == 10
    put(log, 301)
    log.append([label_record("m301", "spam", "ann", BEGIN)])
    assert ids(search, text="m301", true_label="spam") == ["m301"]
    assert search.search(SearchQuery()).remembered == 10
    assert search.find("m301").true_label == "spam"
    assert search.find("m5") is None


def test_rows_get_the_learned_label(log):
    found = MailSearch(log).search(SearchQuery(true_label="ham"))
    rows = with_learned(found, {"m3": LearnedLabel("m3", "ham", 7.0, capped=True)}).rows
    assert [(row.learned_label, row.learned_at, row.capped) for row in rows] == [(None, 0.0, False), ("ham", 7.0, True)]


def test_a_topic_that_was_created_anew_is_not_searched_together_with_the_old_one(log):
    search = MailSearch(log)
    assert len(search.mails()) == 301
    log.topics.records[TopicPartition(PREDICTIONS, 0)].clear()
    with pytest.raises(Restart, match="predictions"):
        search.mails()
