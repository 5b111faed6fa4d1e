"""Fetch less over a slow link.

The library waits 30 s for an answer, and then repeats the request: an answer that takes longer on a slow link never
arrives. On other links large answers pay, because with small ones a worker with a backlog commits more often and uses
more CPU. So the limit falls at the first late answer, and grows again while full answers come quickly.
"""

from __future__ import annotations

import time
from typing import Any

SLOW_BYTES = 1 << 20
"""The largest answer, except for a larger single batch, after one was late: it arrives in time at 35 kB/s."""
QUICK_S = 3.0
"""A full answer that takes no longer is followed by one of up to twice the size, which has ten times as long."""
LIMITS = ("max_partition_fetch_bytes", "fetch_max_bytes")


def fetch_less_once_late(consumer: Any, late: type[Exception]) -> None:
    """Limit a consumer's fetches to `SLOW_BYTES` once an answer has timed out, and to twice as much after each full
    answer that was quick, up to the limits that it had.

    The internals of `consumer`, a `kafka.KafkaConsumer`, are patched, because the library has no public way; `late` is
    the library's error for a timeout, `RequestTimedOutError`.
    """
    fetcher: Any = consumer._fetcher
    config: dict[str, int] = fetcher.config
    most = {name: config[name] for name in LIMITS}
    handle_response, handle_error = fetcher._handle_fetch_response, fetcher._handle_fetch_error

    def handle_fetch_response(node_id: object, fetch_offsets: object, sent_at: float, response: Any) -> None:
        if config["fetch_max_bytes"] < most["fetch_max_bytes"] and time.monotonic() - sent_at < QUICK_S:
            size = sum(len(each.records or b"") for topic in response.responses for each in topic.partitions)
            if size > config["fetch_max_bytes"] // 2:
                for name in LIMITS:
                    config[name] = min(2 * config[name], most[name])
        handle_response(node_id, fetch_offsets, sent_at, response)

    def handle_fetch_error(node_id: object, error: Exception) -> None:
        if isinstance(error, late):
            for name in LIMITS:
                config[name] = min(config[name], SLOW_BYTES)
        handle_error(node_id, error)

    fetcher._handle_fetch_response = handle_fetch_response
    fetcher._handle_fetch_error = handle_fetch_error
