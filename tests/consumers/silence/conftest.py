"""A clock for the stage."""

from __future__ import annotations

import pytest

from tests.consumers.silence.stage_run import Clock


@pytest.fixture
def clock() -> Clock:
    """A clock set to the beginning of the stream."""
    return Clock()
