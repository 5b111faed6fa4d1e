"""`verify` finds sums that differ from their deltas, and missing ones, and counts those it cannot compare."""

from __future__ import annotations

import msgspec
import pytest

from consumers.evaluation.findings import Findings
from consumers.evaluation.sums import check_sums
from consumers.evaluation.verify import verify
from consumers.model.changelog import MODEL_PARTITION, Checkpoint
from consumers.model.sums import SUMS_PARTITION, read_sum, sum_record
from consumers.records.skipped import SkippedRecords
from consumers.settings import Settings
from tests.consumers.combiner.test_stage import run, settings_of


@pytest.fixture
def fleet():
    fleet = run(settings_of(), 11)
    fleet.settle()
    return fleet


def forged(fleet, place: int, **changes: object) -> None:
    """Replace a sum by a changed one."""
    records = fleet.topics.records[SUMS_PARTITION]
    total = msgspec.structs.replace(read_sum(records[place]), **changes)
    records[place] = records[place]._replace(value=sum_record(total, None).value)


def differences(fleet) -> list[str]:
    return verify(fleet.log, Settings(learner=fleet.settings.learner)).differences


def longest(fleet) -> int:
    """The offset of the sum with the most parts."""
    return max(
        range(len(fleet.topics.records[SUMS_PARTITION])),
        key=lambda at: len(read_sum(fleet.topics.records[SUMS_PARTITION][at]).parts),
    )


def test_a_sum_with_other_changes_is_found(fleet):
    place = longest(fleet)
    forged(fleet, place, changes=read_sum(fleet.topics.records[SUMS_PARTITION][place - 1]).changes)

    found = [text.split(": ", 1)[1] for text in differences(fleet)]
    assert found == [f"sum {place + 1} does not equal the sum of its deltas"]


@pytest.mark.parametrize("unread", [b"no sum", None], ids=["not a sum", "without changes of its own"])
def test_a_sum_after_one_that_is_not_compared_is_checked(fleet, unread):
    records = fleet.topics.records[SUMS_PARTITION]
    forged(fleet, 0, changes=None)
    if unread is not None:
        records[0] = records[0]._replace(value=unread)
    forged(fleet, 2, changes=read_sum(records[1]).changes)
    skipped, found = SkippedRecords(), Findings()
    check_sums(fleet.log, fleet.settings.learner, skipped, found)

    assert [text.split(": ", 1)[1] for text in found.differences] == ["sum 3 does not equal the sum of its deltas"]
    assert skipped.count == (unread is not None)


def test_a_sum_with_other_entries_or_another_checkpoint_is_found(fleet):
    part, *others = read_sum(fleet.topics.records[SUMS_PARTITION][longest(fleet)]).parts
    for wrong in (
        msgspec.structs.replace(part, entries=part.entries[1:]),
        msgspec.structs.replace(part, checkpoint=Checkpoint(part.checkpoint.seq, part.checkpoint.labels_next + 1, 0)),
    ):
        forged(fleet, longest(fleet), parts=(wrong, *others))
        assert len(differences(fleet)) == 1


def test_a_missing_sum_is_found(fleet):
    del fleet.topics.records[SUMS_PARTITION][1]

    assert len(differences(fleet)) == 1 and "begins at" in differences(fleet)[0]


def test_sums_whose_deltas_a_snapshot_replaced_are_counted_as_not_compared(fleet):
    records = fleet.topics.records[MODEL_PARTITION]
    covered = read_sum(fleet.topics.records[SUMS_PARTITION][longest(fleet)])
    for offset in range(covered.first_offset, covered.next_offset):
        if records[offset].key.startswith(b"d/"):
            records[offset] = records[offset]._replace(value=None)  # as after a tombstone
    found = Findings()

    check_sums(fleet.log, fleet.settings.learner, SkippedRecords(), found)

    assert found.differences == []
    assert found.left_out == {"sums whose deltas have been deleted, because a snapshot includes them": 1}
