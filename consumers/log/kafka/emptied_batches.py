"""Read past batches that compaction has emptied.

The broker keeps the last batch of each producer that may still be active, even if all of its records were compacted
away. If that was a control batch, its transaction marker is gone; kafka-python (3.0) still tries to read it, and then
every poll of the partition fails. This happens on compacted topics after `delete.retention.ms`.
"""

from __future__ import annotations

from typing import Any


def read_past_emptied(consumer: Any) -> Any:
    """Make `consumer`, a `kafka.KafkaConsumer`, skip a control batch without a marker, and return it. Its internals are
    patched, because the library has no public way."""
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
