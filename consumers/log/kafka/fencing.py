"""A transactional producer that has fenced its predecessor."""

from __future__ import annotations

import time

from ...runtime.pause import pause
from .client_types import Producer
from .clients import AuthorizationError, KafkaError, make_transactional_producer
from .connection import Connection
from .watchdog import watchdog

COMMIT_S = 17.0
"""A little longer than the transaction timeout, after which the broker aborts the transaction."""
TAKE_OVER_S = 60.0


def take_over(connection: Connection, name: str) -> Producer:
    """A producer with the transactional id `name` that has fenced its predecessor; retries while the coordinator is
    moving.

    Raises:
        KafkaError: The predecessor cannot be fenced.
    """
    deadline = time.monotonic() + TAKE_OVER_S
    while True:
        producer = make_transactional_producer(connection, name)
        try:
            with watchdog("init_transactions", COMMIT_S):
                producer.init_transactions()
            return producer
        except KafkaError as error:
            producer.close(timeout=0)
            if isinstance(error, AuthorizationError) or time.monotonic() > deadline:
                raise
            pause(0.2)
