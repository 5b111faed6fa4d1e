"""Bounds the size of one read of a log, and of what waits after it: many records, but not many large ones.

A mail may be a megabyte in size, and thousands of records at once must not take thousands of megabytes.
"""

from __future__ import annotations

from collections.abc import Iterable

from .base import Record

MOST_READ_BYTES = 32 << 20


def until_large(records: Iterable[Record]) -> list[Record]:
    """The first records in reading order, up to the one at which their values reach `MOST_READ_BYTES`; the rest is not
    consumed.

    >>> from itertools import repeat
    >>> len(until_large(repeat(Record("emails", 0, 0, None, bytes(MOST_READ_BYTES // 2), 0.0))))
    2
    """
    taken: list[Record] = []
    size = 0
    for record in records:
        taken.append(record)
        size += len(record.value or b"")
        if size >= MOST_READ_BYTES:
            break
    return taken


def are_large(records: Iterable[Record]) -> bool:
    """Whether the values of these records together reach `MOST_READ_BYTES`."""
    return sum([len(record.value or b"") for record in records]) >= MOST_READ_BYTES
