"""What the project itself logged while a test ran."""

from __future__ import annotations

import logging

import pytest


def own_records(caplog: pytest.LogCaptureFixture) -> list[logging.LogRecord]:
    """The records of the project's loggers; threads of kafka-python log at any time, whatever test runs."""
    return [record for record in caplog.records if record.name.partition(".")[0] in ("consumers", "stream_nb")]


def own_messages(caplog: pytest.LogCaptureFixture) -> list[str]:
    """The messages of the project's loggers."""
    return [record.getMessage() for record in own_records(caplog)]
