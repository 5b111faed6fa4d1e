"""Consecutive records of a partition come together, in their order."""

from consumers.log.base import Record, TopicPartition
from consumers.log.runs import runs


def test_runs_are_the_consecutive_records_of_a_partition():
    places = [("emails", 0), ("emails", 0), ("labels", 0), ("emails", 1), ("emails", 0)]
    records = [Record(topic, partition, n, None, b"v", 0.0) for n, (topic, partition) in enumerate(places)]
    assert [(place, [record.offset for record in run]) for place, run in runs(records)] == [
        (TopicPartition("emails", 0), [0, 1]),
        (TopicPartition("labels", 0), [2]),
        (TopicPartition("emails", 1), [3]),
        (TopicPartition("emails", 0), [4]),
    ]
    assert [*runs([])] == []
