"""A worker that is still loading is shown as starting, and one that did not start as stopped."""

from __future__ import annotations

import tempfile
import time

import pytest

from consumers.cli.worker_start import NOTE, WorkerStart
from consumers.log.base import TopicPartition
from consumers.log.consumer_loop import Progress
from consumers.monitor.health import HealthObserver
from consumers.records.heartbeat import WORKER, HeartbeatWriter
from consumers.records.schemas import EMAILS
from consumers.records.setup import open_ready_log
from consumers.runtime.process_slot import take_slot
from consumers.settings import Settings
from tests.support.waiting import until


@pytest.fixture
def settings(tmp_path, monkeypatch) -> Settings:
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    return Settings(log=f"sqlite:{tmp_path / 'log'}")


def test_after_a_second_interrupt_nothing_is_written(settings, monkeypatch):
    """The log may not answer."""
    open_ready_log(settings, notify=print).close()
    with pytest.raises(KeyboardInterrupt), WorkerStart(settings):
        monkeypatch.setattr("consumers.cli.worker_start.open_existing_log", lambda settings: pytest.fail("opened"))
        raise KeyboardInterrupt


@pytest.mark.parametrize("comes", [True, False])
def test_a_worker_is_starting_until_its_first_heartbeat(settings, comes):
    with open_ready_log(settings, notify=print) as log:

        def states() -> list[str]:
            stages = HealthObserver(log).look(time.time()).stages
            return [one.note or one.state for one in stages if one.stage == WORKER]

        with WorkerStart(settings) as start:
            until(lambda: states() == [NOTE])
            slot = take_slot(settings, settings.worker.group)
            if comes:
                start.end()
                progress = {TopicPartition(EMAILS, 0): Progress(0, 0)}
                HeartbeatWriter(log, WORKER, slot.member, lambda: progress).beat()
        slot.lock.close()
        assert states() == ["running" if comes else "stopped"]
