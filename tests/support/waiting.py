"""Waiting for something that happens a moment later."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic, sleep
from typing import TypeVar

PATIENCE_S = 120.0
PAUSE_S = 0.05

Result = TypeVar("Result")


def until(done: Callable[[], Result], state: Callable[[], object] = lambda: "waited in vain") -> Result:
    """Wait until `done` returns something true, and return that; after a long time fail, and show the `state`.

    It looks less often, the longer it has waited: what it waits for gets the processor, and the wait is a tenth longer.
    """
    start = monotonic()
    while not (result := done()):
        waited = monotonic() - start
        assert waited < PATIENCE_S, state()
        sleep(min(PAUSE_S, waited / 10))
    return result
