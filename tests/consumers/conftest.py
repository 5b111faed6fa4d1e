"""Empty logs for the tests of the worker."""

from __future__ import annotations

import pytest

from consumers.log.sqlite.log import SqliteLog
from consumers.records.schemas import TOPICS
from tests.support.memory_log import new_log


@pytest.fixture
def log(tmp_path):
    """An empty log of one partition."""
    with SqliteLog(tmp_path / "log") as log:
        log.create_topics(TOPICS, 1)
        yield log


@pytest.fixture
def topics():
    """Empty topics of two partitions, in memory."""
    return new_log(2).topics
