"""A topic that was deleted and created again is refused; one whose group only lost its positions is not."""

from __future__ import annotations

import msgspec
import pytest

from consumers.errors import LogDamaged, Restart
from consumers.evaluation.verify import verify
from consumers.log.base import ProducerRecord, TopicPartition
from consumers.log.memory import MemoryLog
from consumers.records.schemas import EMAILS, LABELS, PREDICTIONS, encode
from tests.support.few_mails import mail, work
from tests.support.memory_log import new_log
from tests.support.outputs import predictions
from tests.support.own_log import own_messages
from tests.support.worker_run import EVERYTHING, label, run_worker, short_mail

HISTORY = [mail("a"), mail("b"), label("a", "spam"), label("b", "ham")]


def learned_log() -> MemoryLog:
    """A log with two mails and two labels that were learned, whose group has lost its positions."""
    log = new_log()
    work(log, records=HISTORY)
    log.topics.committed.clear()
    return log


def recreate(log: MemoryLog, topic: str) -> None:
    log.topics.records[TopicPartition(topic, 0)].clear()


@pytest.mark.parametrize("topic", [EMAILS, LABELS])
def test_a_topic_shorter_than_what_was_learned_is_refused_with_the_remedy(topic):
    log = learned_log()
    recreate(log, topic)
    with pytest.raises(LogDamaged, match=rf"{topic}\[0\] ends at 0, but was processed up to 2.*stream-nb save"):
        work(log, records=[mail("c"), label("c", "spam")][topic == EMAILS :][:1])


def test_an_emails_topic_shorter_than_what_was_scored_is_refused_without_labels_too():
    log = new_log()
    work(log, records=[mail("a"), mail("b")])
    recreate(log, EMAILS)
    log.topics.committed.clear()
    with pytest.raises(LogDamaged, match=r"emails\[0\] ends at 1, but 'b' was scored at 1: .*stream-nb save"):
        work(log, records=[mail("c")])


def test_an_emails_topic_that_lost_its_latest_records_is_refused():
    """Kafka's client would go back to the oldest mail, and each would be scored again or quarantined."""
    log = new_log()
    work(log, records=[mail("a"), mail("b")])
    log.topics.records[TopicPartition(EMAILS, 0)].pop()
    with pytest.raises(LogDamaged, match=r"emails\[0\] ends at 1, but was processed up to 2: .*lost records"):
        work(log)


def test_a_running_worker_restarts_if_the_client_goes_back():
    log = new_log()
    worker = run_worker(log, EVERYTHING, [mail("a"), mail("b")])
    worker.consumer.seek(TopicPartition(EMAILS, 0), 1)
    with pytest.raises(Restart, match=r"emails\[0\] is at 1, but reached 2 before: the topic .*lost records"):
        worker.step()
    assert [prediction.id for prediction in predictions(log)] == ["a", "b"]


@pytest.mark.parametrize("third", [short_mail("d", "words"), ProducerRecord(EMAILS, b"d", b"")], ids=["mail", "bad"])
def test_a_topic_with_other_mails_is_refused_even_if_it_is_long_enough(third):
    """Otherwise its mails would be skipped up to the offset of the last mail scored."""
    log = learned_log()
    recreate(log, EMAILS)
    with pytest.raises(LogDamaged, match=r"emails\[0\] has the key b'd' at 1, but 'b' was scored at 1.*stream-nb save"):
        work(log, records=[mail("c"), third, mail("a")])


def test_a_scored_mail_that_is_now_rejected_does_not_make_the_topic_another_one():
    log = learned_log()
    records = log.topics.records[TopicPartition(EMAILS, 0)]
    records[1] = records[1]._replace(value=b"")
    work(log, records=[mail("c")])
    assert [prediction.id for prediction in predictions(log)] == ["a", "b", "c"]


@pytest.mark.parametrize("next_offset", [3, 100])
def test_a_forged_prediction_neither_stops_a_worker_nor_hides_a_mail(next_offset):
    log = learned_log()
    foreign = msgspec.structs.replace(predictions(log)[-1], id="foreign", next_offset=next_offset)
    log.append([ProducerRecord(PREDICTIONS, b"foreign", encode(foreign), 0)])
    work(log, records=[mail("c")])
    assert [prediction.id for prediction in predictions(log)] == ["a", "b", "foreign", "c"]


def test_lost_positions_are_logged_and_no_record_is_processed_twice(caplog):
    log = learned_log()
    work(log, records=[mail("c"), label("c", "ham"), ProducerRecord(LABELS, b"c", b"{broken")])
    for topic in (EMAILS, LABELS):
        assert f"{topic}[0]: the group's position was lost or set back to 0; continuing at 2" in caplog.text
    assert [prediction.id for prediction in predictions(log)] == ["a", "b", "c"]
    assert verify(log, EVERYTHING).differences == []
    caplog.clear()
    work(log, records=[mail("d")])
    assert own_messages(caplog) == []


def test_mails_deleted_by_retention_do_not_make_the_topic_another_one(monkeypatch):
    log = learned_log()
    monkeypatch.setattr(log, "read_at", lambda place, offset: None)
    work(log, records=[mail("c")])
    assert [prediction.id for prediction in predictions(log)] == ["a", "b", "c"]
