"""The clock of a stage."""

from __future__ import annotations

import pytest

from tests.consumers.silence.stage_run import Clock


@pytest.fixture
def clock() -> Clock:
    """Stands where the stream begins."""
    return Clock()
