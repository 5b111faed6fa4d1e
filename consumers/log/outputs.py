"""Waits until the outputs of commits can be read."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from ..errors import Restart
from ..runtime.pause import pause
from .base import Log, TopicPartition

WAIT_S = 30.0
"""Longer than Kafka needs to abort the transaction of a dead process: its timeout, and 10 s until that is noticed."""
PAUSE_S = 0.05


def wait_for_outputs(log: Log, places: Sequence[TopicPartition], beat: Callable[[bool], None] | None = None) -> None:
    """Wait until all records written to some partitions so far can be read, or have been aborted; `beat` is called with
    False meanwhile.

    A process that takes over a group's positions must not read its predecessor's outputs before: on Kafka each
    partition learns of a commit from a message of its own, so positions may be readable before outputs are, for as long
    as a partition has no leader.

    Raises:
        Restart: A transaction stays open for `WAIT_S` seconds.
    """
    deadline = time.monotonic() + WAIT_S
    for place, written in log.written_ends(places).items():
        while log.end_offset(place) < written:
            if time.monotonic() > deadline:
                raise Restart(
                    f"{place} has an open transaction, which hides records from {log.end_offset(place)} on. If this "
                    "happens again, end the transaction with kafka-transactions (docs/guarantees.md)"
                )
            if beat is not None:
                beat(False)
            pause(PAUSE_S)
