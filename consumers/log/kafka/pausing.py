"""Leave partitions out of polls.

kafka-python (3.0) keeps what it has fetched of a paused partition until that is resumed, but with defects:
- It looks for what it has kept only if nothing is in line to be returned next, and an exhausted fetch stays in line: a
  resumed partition might never be read again. If a paused one is in line, it sleeps for a tenth of a second.
- If a partition is paused before the error of its damaged batch is raised, the error is lost, and a later poll of that
  batch never returns (`corruption`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .client_types import Consumer, Partition


def return_kept(consumer: Any) -> Any:
    """Make `consumer`, a `kafka.KafkaConsumer`, return what it has kept of resumed partitions, and return it. Its
    internals are patched, because the library has no public way."""
    fetcher: Any = consumer._fetcher
    plain: Any = fetcher.fetched_records

    def fetched_records(*arguments: Any, **options: Any) -> Any:
        while True:
            if not fetcher._next_partition_records:
                fetcher._next_partition_records = None
            records, partial = plain(*arguments, **options)
            if records or not fetcher._paused_partition_records.keys() - consumer.paused():
                return records, partial

    fetcher.fetched_records = fetched_records
    return consumer


def pause_only(consumer: Consumer, paused: Iterable[Partition]) -> None:
    """Pause the assigned partitions `paused` (KeyError for one that is not assigned), and resume all others; if the
    next poll raises an error, pause none."""
    internals: Any = consumer
    consumer.resume(*consumer.paused())
    if internals._fetcher._next_in_line_exception_metadata is None:
        consumer.pause(*paused)
