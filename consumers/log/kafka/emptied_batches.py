"""Read past the batches that compaction has emptied.

Of each producer that may still be at work the broker keeps the last batch, without records where these were compacted
away. Such a batch with the end of a transaction has no marker any more; kafka-python (3.0) takes one out of it all the
same, and then fails at each poll of the partition. It comes on compacted topics once `delete.retention.ms` is over.
"""

from __future__ import annotations

from typing import Any


def read_past_emptied(consumer: Any) -> Any:
    """The consumer, which reads on after a batch without the marker that it should have.

    Args:
        consumer: A `kafka.KafkaConsumer`; the library has no public way to do this.
    """
    plain: Any = consumer._fetcher.PartitionRecords

    class PartitionRecords(plain):
        def _contains_abort_marker(self, batch: Any) -> bool:
            records: Any = super()
            try:
                return records._contains_abort_marker(batch)
            except StopIteration:
                return False

    consumer._fetcher.PartitionRecords = PartitionRecords
    return consumer
