"""A worker process ends in a way that its supervisor understands."""

from __future__ import annotations

import logging
import tempfile
from threading import Event

import pytest

from consumers.errors import STATUS_RESTART, Restart, UserError
from consumers.records.schemas import EMAILS, LABELS
from consumers.records.setup import open_ready_log
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


def test_a_second_worker_is_a_mistake_and_no_reason_to_start_again(tmp_path, monkeypatch):
    monkeypatch.setattr("consumers.log.sqlite.consumer.FENCE_WAIT_S", 0.0)
    settings = Settings(log=f"sqlite:{tmp_path}")
    with open_ready_log(settings, notify=print) as log:
        first = log.join_group(settings.worker.group, (EMAILS, LABELS), "first")
        with pytest.raises(UserError, match="SQLite has one partition and so one worker"):
            process.run(settings, Event())
        first.close()


def test_it_stops_when_it_is_told_to(tmp_path):
    (stop := Event()).set()

    process.run(Settings(log=f"sqlite:{tmp_path / 'log'}"), stop)

    assert (tmp_path / "log" / "out.db").exists()
