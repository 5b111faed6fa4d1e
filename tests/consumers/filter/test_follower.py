"""The follower of predictions: where it starts, what it hands to requests, and what it does when the log fails."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from queue import Empty, Queue

import pytest

from consumers.errors import LogUnavailable, Restart
from consumers.filter.follower import PredictionFollower
from consumers.filter.passed import PassedMails
from consumers.log.base import ProducerRecord
from consumers.log.memory import MemoryLog, Topics
from consumers.records.schemas import PREDICTIONS, TOPICS, PredictionRecord, encode
from tests.support.filter_client import PATIENCE_S
from tests.support.memory_log import new_log
from tests.support.own_log import own_messages, own_records


def mail_id(letter: str) -> str:
    return letter * 32 + "." + "0" * 16


def predict(log: MemoryLog, letters: str, partition: int = 0) -> None:
    """Append a prediction for each of these mails."""
    for id in map(mail_id, letters):
        about = PredictionRecord(id, "spam", 9.0, 1.0, "spam", 0.0, 9, {}, 1, 0, "emails", partition, 1, 1.0, 1.0)
        log.append([ProducerRecord(PREDICTIONS, id.encode(), encode(about), partition)])


@pytest.fixture
def log() -> MemoryLog:
    return new_log()


@contextmanager
def following(log: MemoryLog, remember: int = 10) -> Iterator[tuple[PredictionFollower, PassedMails, Queue[str]]]:
    """A follower that has caught up, the mails that passed, and the letters of the predictions that it hands over."""
    passed, arrived = PassedMails(100), Queue()

    def hand_over(predictions: list[PredictionRecord]) -> None:
        for prediction in predictions:
            arrived.put(prediction.id[0])

    others = {*threading.enumerate()}
    follower = PredictionFollower(lambda: log, remember, passed, lambda message_id: True, hand_over, keep_places=True)
    (thread,) = (one for one in threading.enumerate() if one not in others and one.name == "filter-follower")
    try:
        assert follower.caught_up.wait(PATIENCE_S)
        yield follower, passed, arrived
    finally:
        follower.close()
        assert not thread.is_alive()


def next_of(arrived: Queue, count: int) -> str:
    return "".join(arrived.get(timeout=PATIENCE_S) for _ in range(count))


def test_reading_starts_as_many_mails_before_the_end_as_are_remembered():
    log = new_log(2)
    predict(log, "abcd", partition=0)
    predict(log, "ef", partition=1)
    with following(log, remember=6) as (_, passed, arrived):
        assert sorted(next_of(arrived, 5)) == list("bcdef")
        assert [passed.find(letter * 32) for letter in "af"] == [None, mail_id("f")]
        predict(log, "g")
        assert next_of(arrived, 1) == "g"


def test_the_follower_has_caught_up_once_nothing_is_left_to_read(log, monkeypatch):
    """Only then does it wait for more."""
    read, waits = log.read, []

    def read_one(places, limit=1000, timeout_s=0.0):
        waits.append(timeout_s > 0)
        return read(places, 1, timeout_s)

    monkeypatch.setattr(log, "read", read_one)
    predict(log, "abc")
    with following(log) as (_, passed, _):
        assert waits[:4] == [False] * 4
        assert all(passed.find(letter * 32) for letter in "abc")


def test_a_prediction_read_again_is_handed_over_alone_and_the_next_one_follows(log):
    predict(log, "abc")
    with following(log) as (follower, _, arrived):
        assert next_of(arrived, 3) == "abc"
        assert follower.read_again(mail_id("a")) and not follower.read_again(mail_id("d"))
        assert next_of(arrived, 1) == "a"
        predict(log, "d")
        assert next_of(arrived, 1) == "d"


def test_only_the_latest_predictions_can_be_read_again(log):
    predict(log, "abc")
    with following(log, remember=3) as (follower, _, arrived):
        predict(log, "d")
        assert next_of(arrived, 4) == "abcd"
        assert [follower.read_again(mail_id(letter)) for letter in "abcd"] == [False, True, True, True]


def test_after_a_restart_the_latest_predictions_are_read_again_from_where_they_are_now(log, monkeypatch):
    """As after a topic was recreated: its offsets begin again."""
    predict(log, "abc")
    read, failed = log.read, threading.Event()

    def read_anew(places, limit=1000, timeout_s=0.0):
        if any(offset > log.end_offset(place) for place, offset in places.items()):
            failed.set()
            raise Restart("the topic was recreated")
        return read(places, limit, timeout_s)

    monkeypatch.setattr(log, "read", read_anew)
    with following(log) as (_, _, arrived):
        assert next_of(arrived, 3) == "abc"
        for kept in log.topics.records.values():
            kept.clear()
        assert failed.wait(PATIENCE_S)
        predict(log, "d")
        assert next_of(arrived, 1) == "d"
        with pytest.raises(Empty):
            arrived.get_nowait()


def test_after_a_failure_reading_goes_on_where_it_stopped(log, monkeypatch, caplog):
    monkeypatch.setattr("consumers.filter.follower.PAUSE_S", 0.0)
    read, failures = log.read, [LogUnavailable("the broker is away")]

    def fail_once(places, limit=1000, timeout_s=0.0):
        if failures:
            predict(log, "abc")
            raise failures.pop()
        return read(places, limit, timeout_s)

    with following(log, remember=1) as (_, _, arrived):
        monkeypatch.setattr(log, "read", fail_once)
        assert next_of(arrived, 3) == "abc"
    expected = ["cannot read predictions, trying again: the broker is away", "predictions are read again"]
    assert own_messages(caplog) == expected


def test_unreadable_predictions_are_logged_in_one_line_without_a_traceback(caplog):
    opened = Queue()

    def open_log():
        opened.put(1)
        raise LogUnavailable("are the brokers up?")

    follower = PredictionFollower(
        open_log, 10, PassedMails(10), lambda message_id: False, lambda predictions: None, False
    )
    opened.get(timeout=PATIENCE_S)
    follower.close()

    assert set(own_messages(caplog)) == {"cannot read predictions, trying again: are the brokers up?"}
    assert not any(record.exc_info for record in own_records(caplog))


def test_what_no_worker_wrote_about_an_awaited_mail_is_skipped_and_logged_with_its_place(caplog):
    log = new_log()
    sure = PredictionRecord("a", "spam", 9.0, 1.0, "spam", 0.0, 9, {}, 1, 0, "emails", 0, 1, 1.0, 1.0)
    about_another = encode(sure).replace(b'"id":"a"', b'"id":"b"')
    log.append([ProducerRecord(PREDICTIONS, b"a", value, 0) for value in (b"junk", about_another, encode(sure))])
    arrived: Queue[list] = Queue()
    follower = PredictionFollower(lambda: log, 10, PassedMails(10), lambda message_id: True, arrived.put, False)

    assert arrived.get(timeout=PATIENCE_S) == [sure]
    follower.close()
    ours = [each.getMessage() for each in caplog.records if not each.name.startswith("kafka")]
    assert [text.partition(":")[0] for text in ours] == ["predictions[0]@0", "predictions[0]@1"]


def test_reading_a_prediction_again_is_retried_after_a_failure(monkeypatch):
    log = new_log()
    sure = PredictionRecord("a", "spam", 9.0, 1.0, "spam", 0.0, 9, {}, 1, 0, "emails", 0, 1, 1.0, 1.0)
    log.append([ProducerRecord(PREDICTIONS, b"a", encode(sure), 0)])
    read_at, failures = log.read_at, [LogUnavailable("the broker is away")]

    def fail_once(*place):
        if failures:
            raise failures.pop()
        return read_at(*place)

    monkeypatch.setattr(log, "read_at", fail_once)
    arrived: Queue[list] = Queue()
    follower = PredictionFollower(lambda: log, 10, PassedMails(10), lambda message_id: True, arrived.put, True)
    try:
        assert arrived.get(timeout=PATIENCE_S) == [sure]
        assert follower.read_again("a")
        assert arrived.get(timeout=PATIENCE_S) == [sure] and not failures
    finally:
        follower.close()


def test_added_partitions_are_read():
    class Growing(MemoryLog):
        count = 1

        def partitions(self, topic):
            return self.count

        def read(self, next_offsets, limit=1000, timeout_s=0.0):
            self.count = 2
            read.put(sorted(place.partition for place in next_offsets))
            return []

    read: Queue[list[int]] = Queue()
    log = Growing(Topics())
    log.create_topics(TOPICS, 2)
    follower = PredictionFollower(
        lambda: log, 10, PassedMails(10), lambda message_id: False, lambda predictions: None, False
    )

    assert [read.get(timeout=PATIENCE_S) for _ in range(2)] == [[0], [0, 1]]
    follower.close()
