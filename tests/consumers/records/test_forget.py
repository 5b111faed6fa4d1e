"""`records_to_forget` withdraws the votes in force of one source, or on one message, and no others."""

from __future__ import annotations

import pytest

from consumers.log.base import ProducerRecord
from consumers.log.memory import MemoryLog
from consumers.records.forget import records_to_forget
from consumers.records.replay import final_labels
from consumers.records.schemas import LABELS, LabelRecord, decode_label, encode
from tests.support.memory_log import new_log

VOTES = (
    LabelRecord("a", "spam", "ann", 1.0),
    LabelRecord("a", "ham", "bob", 2.0),
    LabelRecord("b", "spam", "ann", 5.0),
    LabelRecord("c", "spam", "ann", 6.0),
    LabelRecord("c", None, "ann", 7.0, forget=True),
    LabelRecord("d", "spam", "ann", 1.0),
    LabelRecord("d", None, "ann", 9.0),
    LabelRecord("<a>", "ham", "eve", 3.0),
)


def written(vote: LabelRecord) -> ProducerRecord:
    return ProducerRecord(LABELS, vote.id.encode(), encode(vote), 0, vote.timestamp)


@pytest.fixture
def log() -> MemoryLog:
    log = new_log()
    log.append(map(written, VOTES))
    return log


@pytest.mark.parametrize(
    ("source", "message", "since", "forgotten"),
    [
        ("ann", None, 0.0, {("a", "ann"), ("b", "ann"), ("d", "ann")}),
        ("ann", None, 5.0, {("b", "ann"), ("d", "ann")}),
        ("ann", None, 9.1, set()),
        ("nobody", None, 0.0, set()),
        (None, "a", 0.0, {("a", "ann"), ("a", "bob"), ("<a>", "eve")}),
        (None, "c", 0.0, set()),
    ],
)
def test_the_matching_votes_in_force_are_withdrawn(log, source, message, since, forgotten):
    records = records_to_forget(log, source, message, since, now=11.0)

    labels = [decode_label(record.value) for record in records]
    assert {(label.id, label.source) for label in labels} == forgotten
    assert labels == [LabelRecord(label.id, None, label.source, 11.0, forget=True) for label in labels]
    assert records == [written(label)._replace(timestamp=None) for label in labels]
    assert len(records) == len(forgotten)


def test_a_label_without_a_timestamp_was_given_when_its_record_was_appended(log):
    """As from a producer that leaves it to Kafka."""
    log.append([ProducerRecord(LABELS, b"e", b'{"id":"e","label":"spam","source":"bob"}', 0, 8.0)])

    assert [records_to_forget(log, "bob", "e", since, now=11.0) == [] for since in (7.9, 8.1)] == [False, True]


def test_votes_of_others_count_again(log):
    assert final_labels(log) == {"a": "ham", "b": "spam", "<a>": "ham"}

    log.append(records_to_forget(log, "bob", None, 0.0, now=11.0))

    assert final_labels(log) == {"a": "spam", "b": "spam", "<a>": "ham"}
