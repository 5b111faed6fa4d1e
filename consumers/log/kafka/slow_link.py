"""Fetch less over a slow link.

The library waits 30 s for an answer, and then repeats the request: an answer that takes longer on a slow link never
arrives. On other links large answers pay, because with small ones a worker with a backlog commits more often and uses
more CPU.
"""

from __future__ import annotations

from typing import Any

SLOW_BYTES = 1 << 20
"""The largest answer, except for a larger single batch, after one was late: it arrives in time at 35 kB/s."""


def fetch_less_once_late(consumer: Any, late: type[Exception]) -> None:
    """Limit a consumer's fetches to `SLOW_BYTES` once an answer has timed out.

    Args:
        consumer: A `kafka.KafkaConsumer`; its internals are patched, because the library has no public way.
        late: The library's error for a timeout, `RequestTimedOutError`.
    """
    fetcher: Any = consumer._fetcher
    handle = fetcher._handle_fetch_error

    def handle_fetch_error(node_id: object, error: Exception) -> None:
        if isinstance(error, late):
            for name in ("max_partition_fetch_bytes", "fetch_max_bytes"):
                fetcher.config[name] = min(fetcher.config[name], SLOW_BYTES)
        handle(node_id, error)

    fetcher._handle_fetch_error = handle_fetch_error
