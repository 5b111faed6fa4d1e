"""Poll many records, but not many large ones.

The client bounds what it fetches as it is compressed; it takes a batch apart only as far as records are polled. So they
are polled a few at a time, until there are enough of them, or of their bytes.
"""

from __future__ import annotations

from typing import Any

from ..read_size import MOST_READ_BYTES
from .client_types import Consumer, Message, Partition
from .corruption import poll

AT_ONCE = 250
"""A call of the client costs as much as a few records."""


def poll_many(
    consumer: Consumer, connection: dict[str, Any], timeout_s: float, limit: int
) -> dict[Partition, list[Message]]:
    """As `corruption.poll`, of `MOST_READ_BYTES` in all, or what `AT_ONCE` records have more.

    Args:
        consumer: As for `corruption.poll`.
        connection: As for `corruption.poll`.
        timeout_s: As for `corruption.poll`.
        limit: Most messages, 1 or more; a damaged range is returned whole.

    Raises:
        KafkaError: As `corruption.poll`.
    """
    polled: dict[Partition, list[Message]] = {}
    count = size = 0
    while True:
        asked = min(AT_ONCE, limit - count)
        some = poll(consumer, connection, timeout_s, asked)
        for partition, messages in some.items():
            polled.setdefault(partition, []).extend(messages)
            size += sum([len(message.value or b"") for message in messages])
        came = sum(map(len, some.values()))
        count += came
        if came < asked or count >= limit or size >= MOST_READ_BYTES:
            return polled
        timeout_s = 0.0
