"""Poll many records, but not many large ones.

The client bounds the compressed size of a fetch, and decodes a batch only as far as its records are polled. So records
are polled a few at a time, and then twice as many, until their number or their total size is large enough.
"""

from __future__ import annotations

from ..read_size import MOST_READ_BYTES
from .client_types import Consumer, Message, Partition
from .connection import Connection
from .corruption import poll

FIRST_RECORDS, RECORDS_A_CALL = 16, 250
"""Records of the first call of the client, and most of one call; a call costs as much as a few records."""


def poll_many(
    consumer: Consumer, connection: Connection, timeout_s: float, limit: int
) -> dict[Partition, list[Message]]:
    """Like `corruption.poll` (same `timeout_s` and `limit`, same errors), but stops at about `MOST_READ_BYTES`; the
    records of the last call may exceed it."""
    polled: dict[Partition, list[Message]] = {}
    count = size = 0
    a_call = FIRST_RECORDS
    while True:
        requested = min(a_call, limit - count)
        part = poll(consumer, connection, timeout_s, requested)
        for partition, messages in part.items():
            polled.setdefault(partition, []).extend(messages)
            size += sum([len(message.value or b"") for message in messages])
        received = sum(map(len, part.values()))
        count += received
        if received < requested or count >= limit or size >= MOST_READ_BYTES:
            return polled
        timeout_s = 0.0
        a_call = min(2 * a_call, RECORDS_A_CALL)
