"""`verify` reports no difference because of records that have left the log before others of the same mails."""

from __future__ import annotations

import itertools
import random
import time

import pytest

from consumers.evaluation.verify import verify
from consumers.log.base import ProducerRecord, TopicPartition
from consumers.model.replica import Replica
from consumers.records.schemas import EMAILS, LABELS, PREDICTIONS, QUARANTINE, SILENCE, TOPICS
from consumers.settings import LearnerSettings, Settings, WorkerSettings
from tests.support.cleaned_log import CleanedLog, CleanedTopics
from tests.support.worker_run import label, message, new_words, run_worker, short_mail

EMPTY = ProducerRecord(EMAILS, b"a", b"")
TWO_CLASSES = Settings(learner=LearnerSettings(max_classes=2), worker=WorkerSettings(poll_s=0.001))


def ahead(message_id: str) -> ProducerRecord:
    """A mail whose producer's clock is decades ahead."""
    return short_mail(message_id, "words")._replace(timestamp=4e9)


def lose(log: CleanedLog, topic: str, first: int) -> None:
    """Delete the records of a topic before offset `first`."""
    log.topics.delete_before(TopicPartition(topic, 0), first)


@pytest.fixture
def log():
    """A log on which each record is two minutes later than the last."""
    log = CleanedLog(CleanedTopics(itertools.count(time.time(), 120.0).__next__))
    log.create_topics(TOPICS, 1)
    return log


def test_a_producer_whose_clock_is_ahead(log):
    run_worker(log, records=[ahead("a"), short_mail("b", "words"), short_mail("c", "words")])
    lose(log, PREDICTIONS, 1)

    found = verify(log, Settings())

    assert (found.mails, found.differences) == (2, [])
    assert found.left_out == {"mails whose predictions or quarantine entries have left the log": 1}


def test_quarantine_leaves_before_the_mails(log):
    """Earlier mails without a prediction may have been quarantined; later ones are missed."""
    for record in (EMPTY, short_mail("b", "words"), EMPTY, *(short_mail(name, "words") for name in "def")):
        run_worker(log, records=[record])
    lose(log, QUARANTINE, 1)

    found = verify(log, Settings())
    assert (found.mails, sum(found.left_out.values()), found.differences) == (5, 1, [])

    predictions = log.topics.records[TopicPartition(PREDICTIONS, 0)]
    predictions[2] = predictions[2]._replace(value=b"")
    assert verify(log, Settings()).differences == ["emails[0]@4: neither predicted nor quarantined"]


def test_quarantine_leaves_after_some_predictions(log):
    """Mails between predictions that are older than the oldest entry may have been quarantined, too."""
    for record in (EMPTY, short_mail("b", "words"), EMPTY, short_mail("c", "words"), EMPTY, short_mail("d", "words")):
        run_worker(log, records=[record])
    lose(log, QUARANTINE, 2)

    found = verify(log, Settings())
    assert (found.mails, sum(found.left_out.values()), found.differences) == (4, 2, [])


def test_all_quarantine_entries_have_left(log):
    run_worker(log, records=[EMPTY, short_mail("b", "words"), short_mail("c", "words")])
    lose(log, QUARANTINE, 1)

    found = verify(log, Settings())

    assert (found.mails, sum(found.left_out.values()), found.differences) == (2, 1, [])


def test_silence_outlives_the_vote_of_a_person(log):
    votes = [label("a", "ham"), label("a", "spam", source=SILENCE)]
    run_worker(log, records=[short_mail("a", "words"), *votes])
    assert verify(log, Settings()).differences == []
    lose(log, LABELS, 1)

    found = verify(log, Settings())

    assert (found.differences, found.left_out["labels whose records have left the log"]) == ([], 1)


def test_the_note_of_a_refused_label_leaves_before_the_label(log):
    votes = [label("a", "ham"), label("b", "spam"), label("c", "list"), label("b", "list")]
    run_worker(log, TWO_CLASSES, [*(short_mail(name, f"words of {name}") for name in "abc"), *votes])
    assert verify(log, TWO_CLASSES).differences == []
    lose(log, QUARANTINE, 2)

    found = verify(log, TWO_CLASSES)

    assert found.differences == []
    assert found.left_out["labels that may have been refused: quarantine entries have left the log"] == 1


def test_a_number_is_unlearned_after_its_mail_has_left(log):
    """The delta takes the number from what is recounted, which lacks it."""
    settings = Settings(learner=LearnerSettings(model="gaussian"))
    mails = [message(name, b'{"id": "%c", "features": {"size": 1}}' % ord(name)) for name in "abc"]
    run_worker(log, settings, [*mails, label("a", "spam"), label("b", "ham"), label("c", "spam")])
    log.append(Replica.load(log, settings).snapshot_records())
    run_worker(log, settings, [label("a", "ham")])
    lose(log, EMAILS, 1)

    found = verify(log, settings)

    assert found.differences == []
    assert found.left_out["deltas compared only by the number of labels, because a mail has left the log"] == 1


def test_a_label_is_refused_because_its_mail_has_left(log):
    """The first label came when the worker had forgotten its mail, the second when it remembered more mails."""
    forgetful = Settings(worker=WorkerSettings(poll_s=0.001, remember_mails=1))
    run_worker(log, forgetful, [short_mail("a", "words"), short_mail("b", "words")])
    run_worker(log, forgetful, [label("a", "ham")])
    lose(log, EMAILS, 1)
    run_worker(log, records=[label("a", "spam")])

    found = verify(log, forgetful)

    assert found.differences == []
    assert found.left_out["labels that came after workers had forgotten their mails"] == 1


@pytest.mark.parametrize("seed", range(4))
def test_any_topic_may_lose_its_oldest_records(log, seed):
    """Mails that are empty or dated in the future, votes of people and of silence, and refused classes."""
    draw, names = random.Random(seed), [f"m{number}" for number in range(20)]
    for name in names:
        records = [draw.choice((EMPTY, ahead(name), short_mail(name, new_words(draw.randrange(9), 5))))]
        for _ in range(draw.randrange(4)):
            vote = draw.choice(("ham", "spam", "list", None)), draw.choice(("ann", "bob", SILENCE))
            records.append(label(draw.choice(names), *vote, forget=draw.random() < 0.1))
        run_worker(log, TWO_CLASSES, records)
        if draw.random() < 0.2:
            topic = draw.choice((EMAILS, LABELS, PREDICTIONS, QUARANTINE))
            lose(log, topic, draw.randrange(log.end_offset(TopicPartition(topic, 0)) + 1))
        assert verify(log, TWO_CLASSES).differences == []
