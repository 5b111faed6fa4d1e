"""Where the latest records of a topic begin."""

from __future__ import annotations

import pytest

from consumers.log.base import TopicPartition
from consumers.monitor.latest import UNEVEN, first_offsets
from consumers.records.schemas import PREDICTIONS
from tests.support.memory_log import new_log


@pytest.mark.parametrize(("partitions", "each"), [(1, 1000), (2, 1000), (UNEVEN, 1000), (40, 100), (300, 14)])
def test_each_partition_is_read_from_some_times_its_equal_share_before_its_end(partitions, each):
    places = [TopicPartition(PREDICTIONS, number) for number in range(partitions)]
    firsts = first_offsets(new_log(partitions), dict.fromkeys(places, 5000), 1000)
    assert firsts == dict.fromkeys(places, 5000 - each)


def test_a_short_partition_is_read_from_its_start():
    place = TopicPartition(PREDICTIONS, 0)
    log = new_log()
    assert first_offsets(log, {place: 7}, 1000) == {place: log.start_offset(place)}
