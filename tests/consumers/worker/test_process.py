"""A worker process ends with the status by which its supervisor decides."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from threading import Event

import pytest

from consumers.combiner import process as combiner
from consumers.errors import STATUS_RESTART, Restart, TopicMismatch, UnknownTopic, UserError
from consumers.records.schemas import EMAILS, LABELS
from consumers.records.setup import open_ready_log
from consumers.settings import Settings
from consumers.silence import process as silence
from consumers.worker import process
from tests.support.log_bench import until
from tests.support.processes import command_line, descendants

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def alone(tmp_path, monkeypatch):
    """Process slots and log levels of the test's own."""
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    level = logging.getLogger("kafka").level
    yield
    logging.getLogger("kafka").setLevel(level)


def test_a_log_that_has_disappeared_is_a_reason_to_start_again(tmp_path):
    (tmp_path / "in.db").mkdir()

    with pytest.raises(Restart, match="starting again from the log: sqlite:") as ended:
        process.run(Settings(log=f"sqlite:{tmp_path}"), Event())

    assert ended.value.exit_status == STATUS_RESTART


@pytest.mark.parametrize("error", [TopicMismatch, UnknownTopic])
@pytest.mark.parametrize("stage", [process, silence, combiner], ids=["worker", "silence", "combiner"])
def test_topics_that_are_being_changed_are_a_reason_to_start_again(stage, error, monkeypatch):
    """Partitions are added to one topic after the other, or a topic is deleted and made again."""

    def open_log(*_: object, **__: object):
        raise error("topics need equal partition counts; add to the smaller ones")

    monkeypatch.setattr("consumers.records.stage_process.open_ready_log", open_log)
    with pytest.raises(Restart, match="starting again from the log: topics need"):
        stage.run(Settings(), Event())


def test_a_damaged_log_is_a_mistake_and_no_reason_to_start_again(tmp_path):
    (tmp_path / "in.db").write_bytes(b"not a database" * 100)

    with pytest.raises(UserError, match=r"in\.db is damaged"):
        process.run(Settings(log=f"sqlite:{tmp_path}"), Event())


def test_a_second_worker_is_a_mistake_and_no_reason_to_start_again(tmp_path, monkeypatch):
    monkeypatch.setattr("consumers.log.sqlite.consumer.FENCE_WAIT_S", 0.0)
    settings = Settings(log=f"sqlite:{tmp_path}")
    with open_ready_log(settings, notify=print) as log:
        first = log.join_group(settings.worker.group, (EMAILS, LABELS), "first")
        with pytest.raises(UserError, match="SQLite has one partition and so allows one worker"):
            process.run(settings, Event())
        first.close()


@pytest.mark.slow
@pytest.mark.parametrize("pause_s", [0.0, 0.2, 0.5, 1.0, 2.0])
def test_ctrl_c_soon_after_the_start_is_no_traceback(tmp_path, pause_s):
    arguments = [sys.executable, "-m", "consumers", "worker", "--log", f"sqlite:{tmp_path / 'log'}"]
    worker = subprocess.Popen(arguments, cwd=ROOT, stderr=subprocess.PIPE, text=True, start_new_session=True)
    until(lambda: any("forkserver" in command_line(pid) for pid in descendants(worker.pid)))
    time.sleep(pause_s)
    os.killpg(worker.pid, signal.SIGINT)
    _, err = worker.communicate(timeout=120)

    assert "Traceback" not in err and "KeyboardInterrupt" not in err
    assert worker.returncode == 0, err


def test_it_stops_when_it_is_told_to(tmp_path):
    settings = Settings(log=f"sqlite:{tmp_path / 'log'}")
    open_ready_log(settings, notify=print).close()
    (stop := Event()).set()

    process.run(settings, stop)
