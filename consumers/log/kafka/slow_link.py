"""Fetch less over a slow link.

The library waits 30 s for an answer, and then asks for the same again: what the link does not carry in that time never
comes. Large answers are worth it elsewhere: with small ones a worker that has a backlog commits more often, and takes
more CPU.
"""

from __future__ import annotations

from typing import Any

SLOW_BYTES = 1 << 20
"""What an answer has at most once one was late, but for a batch that is larger: 35 kB/s carry it."""


def fetch_less_once_late(consumer: Any, late: type[Exception]) -> None:
    """Let a consumer fetch `SLOW_BYTES` at most from when an answer has not come in time.

    Args:
        consumer: A `kafka.KafkaConsumer`; the library has no public way to do this.
        late: Its error then, `RequestTimedOutError`.
    """
    fetcher: Any = consumer._fetcher
    handle = fetcher._handle_fetch_error

    def handle_fetch_error(node_id: object, error: Exception) -> None:
        if isinstance(error, late):
            for name in ("max_partition_fetch_bytes", "fetch_max_bytes"):
                fetcher.config[name] = min(fetcher.config[name], SLOW_BYTES)
        handle(node_id, error)

    fetcher._handle_fetch_error = handle_fetch_error
