"""`verify` recounts labels that were changed or withdrawn, also of mails that cannot be read any more."""

from __future__ import annotations

import itertools
import time

import msgspec
import pytest

from consumers.evaluation.verify import verify
from consumers.log.base import Record, TopicPartition
from consumers.model.changelog import Delta, delta_record, read_record
from consumers.model.replica import Replica
from consumers.records.replay import read_all
from consumers.records.schemas import EMAILS, MODEL, TOPICS
from stream_nb.types import Mail, Part
from tests.support.cleaned_log import CleanedLog, CleanedTopics
from tests.support.worker_run import EVERYTHING, label, run_worker, short_mail


@pytest.fixture
def log():
    """A log on which the labels of two mails have been learned, changed, and for one withdrawn, in a step each."""
    log = CleanedLog(CleanedTopics(itertools.count(time.time(), 120.0).__next__))
    log.create_topics(TOPICS, 1)
    run_worker(log, EVERYTHING, [short_mail("a", "free money"), short_mail("b", "lunch at noon")])
    for votes in (("ham", "ham"), ("spam", "spam"), ("spam", None)):
        run_worker(log, EVERYTHING, [label(name, vote) for name, vote in zip("ab", votes, strict=True)])
    return log


def deltas(log: CleanedLog) -> list[tuple[Record, Delta]]:
    return [(record, read_record(record)) for record in read_all(log, MODEL) if record.key.startswith(b"d/")]


def test_changed_and_withdrawn_labels_are_no_difference(log):
    found = verify(log, EVERYTHING)
    assert (found.differences, found.updates, dict(found.left_out)) == ([], 1, {})


def test_a_change_that_leaves_the_old_label_in_the_model_is_found(log):
    record, delta = deltas(log)[1]
    recorder = Replica.load(log, EVERYTHING).empty_model().recorder()
    for entry in delta.entries:
        words = {"a": b"free money", "b": b"lunch at noon"}[entry.id]
        recorder.apply_update(Mail((Part("subject", entry.id.encode()), Part("", words))), entry.update)
    wrong = delta_record(msgspec.structs.replace(delta, changes=recorder.take()))
    log.topics.records[record.place][record.offset] = record._replace(value=wrong.value)

    name = f"model: delta {delta.checkpoint.seq} of partition 0"
    assert [text[: len(name)] for text in verify(log, EVERYTHING).differences][:1] == [name]


def test_changed_labels_of_mails_that_have_left_the_log_are_counted_but_their_words_are_not(log):
    log.topics.delete_before(TopicPartition(EMAILS, 0), 2)
    found = verify(log, EVERYTHING)
    assert (found.differences, found.mails) == ([], 0)
    kind = "deltas compared only by the number of labels, because a mail has left the log"
    assert found.left_out[kind] == len(deltas(log))


def test_a_learned_mail_that_cannot_be_read_again_is_found(log):
    emails = log.topics.records[TopicPartition(EMAILS, 0)]
    emails[0] = emails[0]._replace(value=b"")
    found = verify(log, EVERYTHING)
    assert any(text.startswith("message 'a': ") for text in found.differences)
    assert found.left_out["updates whose mails cannot be read again: their words are not recounted"] > 0
