"""How much one read of a log brings: many records, but not many large ones.

A mail may have a megabyte, and who reads thousands of records at a time shall not need thousands of megabytes.
"""

from __future__ import annotations

from collections.abc import Iterable

from .base import Record

MOST_READ_BYTES = 32 << 20


def until_large(records: Iterable[Record]) -> list[Record]:
    """The records up to the one with which their values have `MOST_READ_BYTES`; no more are taken.

    Args:
        records: In the order in which they are read.

    >>> from itertools import repeat
    >>> len(until_large(repeat(Record("emails", 0, 0, None, bytes(MOST_READ_BYTES // 2), 0.0))))
    2
    """
    some: list[Record] = []
    size = 0
    for record in records:
        some.append(record)
        size += len(record.value or b"")
        if size >= MOST_READ_BYTES:
            break
    return some
