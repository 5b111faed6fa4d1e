"""A worker process ends in a way that its supervisor understands."""

from __future__ import annotations

import logging
import tempfile
from threading import Event

import pytest

from consumers.errors import STATUS_RESTART, Restart
from consumers.settings import Settings
from consumers.worker import process


@pytest.fixture(autouse=True)
def alone(tmp_path, monkeypatch):
    """Process slots and log levels of the test's own."""
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    level = logging.getLogger("kafka").level
    yield
    logging.getLogger("kafka").setLevel(level)


def test_a_log_that_has_gone_away_is_a_reason_to_start_again(tmp_path):
    (tmp_path / "in.db").write_bytes(b"not a database" * 100)

    with pytest.raises(Restart, match="starting again from the log: sqlite:") as ended:
        process.run(Settings(log=f"sqlite:{tmp_path}"), Event())

    assert ended.value.exit_status == STATUS_RESTART


def test_it_stops_when_it_is_told_to(tmp_path):
    (stop := Event()).set()

    process.run(Settings(log=f"sqlite:{tmp_path / 'log'}"), stop)

    assert (tmp_path / "log" / "out.db").exists()
