"""`final_votes`: which vote is the label of a message, when timestamps and partitions disagree."""

from __future__ import annotations

import pytest

from consumers.log.base import ProducerRecord
from consumers.log.memory import MemoryLog
from consumers.records.replay import final_labels, final_votes
from consumers.records.schemas import LABELS, LabelRecord, encode
from tests.support.memory_log import new_log


@pytest.fixture
def log() -> MemoryLog:
    return new_log(2)


def vote(source: str, label: str, timestamp: float, partition: int = 0) -> ProducerRecord:
    return ProducerRecord(LABELS, b"m", encode(LabelRecord("m", label, source, 1.0)), partition, timestamp)


def test_on_one_partition_the_last_vote_counts_even_if_its_clock_was_behind(log):
    log.append([vote("ann", "spam", 20.0), vote("bob", "ham", 10.0)])

    assert final_labels(log) == {"m": "ham"}


def test_a_vote_given_again_is_the_latest(log):
    log.append([vote("ann", "spam", 1.0), vote("bob", "ham", 1.0), vote("ann", "spam", 1.0)])

    assert final_labels(log) == {"m": "spam"}


def test_of_votes_on_several_partitions_the_one_with_the_highest_timestamp_counts(log):
    log.append([vote("ann", "spam", 20.0, partition=0), vote("bob", "ham", 10.0, partition=1)])
    assert final_labels(log) == {"m": "spam"}

    log.append([vote("ann", "work", 15.0, partition=1)])  # older than her own vote on the other partition
    assert final_labels(log) == {"m": "spam"}


def test_refused_votes_are_left_out(log):
    log.append([vote("ann", "spam", 1.0), vote("bob", "new", 2.0)])

    assert final_labels(log, refused={(0, 1)}) == {"m": "spam"}


def test_a_vote_counts_since_its_source_has_said_so_without_a_break(log):
    log.append([vote("ann", "spam", 1.0), vote("ann", "ham", 2.0), vote("ann", "spam", 3.0), vote("ann", "spam", 4.0)])

    assert final_votes(log) == {"m": ("spam", "ann", 3.0, 2)}


def test_labels_by_several_sources_count_since_the_first_of_those_that_agree(log):
    """The worker learns the label then; a later source only confirms it."""
    log.append([vote("ann", "spam", 1.0), vote("bob", "ham", 2.0), vote("cy", "spam", 3.0), vote("dan", "spam", 4.0)])

    assert final_votes(log) == {"m": ("spam", "cy", 3.0, 2)}
