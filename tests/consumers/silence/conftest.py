"""The clock of a stage."""

from __future__ import annotations

import pytest

from tests.consumers.silence.stage_run import Clock


@pytest.fixture
def clock() -> Clock:
    """A clock that stands at the beginning of the stream."""
    return Clock()
