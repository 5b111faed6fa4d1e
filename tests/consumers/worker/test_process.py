"""How a worker process ends tells its supervisor whether to restart it."""

from __future__ import annotations

import logging
import os
import signal
import socket
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
from consumers.runtime.process_slot import take_slot
from consumers.settings import LearnerSettings, Settings, WorkerSettings
from consumers.silence import process as silence
from consumers.worker import process
from tests.support.processes import command_line, descendants
from tests.support.waiting import until

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def isolated_process_state(tmp_path, monkeypatch):
    """Give the test its own process slots, and restore the level of Kafka's logger."""
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    level = logging.getLogger("kafka").level
    yield
    logging.getLogger("kafka").setLevel(level)


def test_an_unreadable_log_makes_the_process_restart(tmp_path):
    (tmp_path / "in.db").mkdir()

    with pytest.raises(Restart, match="starting again from the log: sqlite:") as ended:
        process.run(Settings(log=f"sqlite:{tmp_path}"), Event())

    assert ended.value.exit_status == STATUS_RESTART


@pytest.mark.parametrize("error", [TopicMismatch, UnknownTopic])
@pytest.mark.parametrize("stage", [process, silence, combiner], ids=["worker", "silence", "combiner"])
def test_topics_that_are_being_changed_make_the_stage_restart(stage, error, monkeypatch):
    """As while partitions are added to one topic after the other, or a topic is deleted and created again."""

    def open_log(*_: object, **__: object):
        raise error("topics need equal partition counts; add to the smaller ones")

    monkeypatch.setattr("consumers.records.stage_process.open_ready_log", open_log)
    with pytest.raises(Restart, match="starting again from the log: topics need"):
        stage.run(Settings(), Event())


def test_a_damaged_log_is_a_user_error(tmp_path):
    (tmp_path / "in.db").write_bytes(b"not a database" * 100)

    with pytest.raises(UserError, match=r"in\.db is damaged"):
        process.run(Settings(log=f"sqlite:{tmp_path}"), Event())


def test_a_second_worker_on_sqlite_is_a_user_error(tmp_path, monkeypatch):
    monkeypatch.setattr("consumers.log.sqlite.consumer.FENCE_WAIT_S", 0.0)
    settings = Settings(log=f"sqlite:{tmp_path}")
    with open_ready_log(settings, notify=print) as log:
        first = log.join_group(settings.worker.group, (EMAILS, LABELS), "first")
        with pytest.raises(UserError, match="SQLite has one partition and so allows one worker"):
            process.run(settings, Event())
        first.close()


@pytest.mark.slow
@pytest.mark.parametrize("pause_s", [0.0, 0.2, 0.5, 1.0, 2.0])
def test_ctrl_c_soon_after_the_start_exits_without_a_traceback(tmp_path, pause_s):
    arguments = [sys.executable, "-m", "consumers", "worker", "--log", f"sqlite:{tmp_path / 'log'}"]
    worker = subprocess.Popen(arguments, cwd=ROOT, stderr=subprocess.PIPE, text=True, start_new_session=True)
    until(lambda: any("forkserver" in command_line(pid) for pid in descendants(worker.pid)))
    time.sleep(pause_s)
    os.killpg(worker.pid, signal.SIGINT)
    _, err = worker.communicate(timeout=120)

    assert "Traceback" not in err and "KeyboardInterrupt" not in err
    assert worker.returncode == 0, err


def test_a_health_port_in_use_is_reported_before_anything_compiles(tmp_path):
    """Here the port of the second process of this machine, which listens one port further on."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        settings = Settings(log=f"sqlite:{tmp_path}", worker=WorkerSettings(health_port=port - 1))
        named = rf"health port 127\.0\.0\.1:{port}: .*\[worker\] health_host or health_port \({port - 1},"
        with take_slot(settings, settings.worker.group).lock, pytest.raises(UserError, match=named):
            process.check_start(settings, 1)


def test_a_health_port_above_65535_is_reported_before_anything_compiles(tmp_path):
    settings = Settings(log=f"sqlite:{tmp_path}", worker=WorkerSettings(health_port=65535))
    with take_slot(settings, settings.worker.group).lock, pytest.raises(UserError, match="65536: ports end at 65535"):
        process.check_start(settings, 1)


@pytest.mark.parametrize(
    ("learner", "named"),
    [
        (LearnerSettings(model="gaussian", grams=True), r"\[learner\] grams is for the mail model"),
        (LearnerSettings(positive="unsure"), r"\[learner\] positive is 'unsure'"),
    ],
)
def test_settings_that_no_worker_can_use_are_reported_before_anything_compiles(tmp_path, learner, named):
    with pytest.raises(UserError, match=named):
        process.check_start(Settings(log=f"sqlite:{tmp_path}", learner=learner), 1)


def test_a_worker_whose_stop_event_is_set_returns(tmp_path):
    settings = Settings(log=f"sqlite:{tmp_path / 'log'}")
    open_ready_log(settings, notify=print).close()
    (stop := Event()).set()

    process.run(settings, stop)
