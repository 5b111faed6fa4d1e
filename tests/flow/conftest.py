"""Stages as processes on a log, as a user runs them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from typing import Any

import pytest

from consumers.cli.demo_run import caught_up
from consumers.log import open_log
from consumers.log.base import Log
from consumers.records.schemas import PredictionRecord
from consumers.settings import Settings, load_settings
from tests.support.outputs import predictions

PATIENCE_S = 120.0


def wait_until(done: Callable[[], object], state: Callable[[], object] = lambda: None) -> None:
    """Wait until `done` returns something true; after `PATIENCE_S` seconds fail, and show the `state`.

    `done` may read the whole log: it gets a quarter of a processor, because the stages need the processors, too.
    """
    deadline = time.monotonic() + PATIENCE_S
    while True:
        used = time.thread_time()
        if done():
            return
        assert time.monotonic() < deadline, state()
        time.sleep(max(0.1, 3 * (time.thread_time() - used)))


class Stages:
    """Runs `stream-nb` commands on one log; `stop` ends those that still run."""

    def __init__(self, log: str, **environment: str) -> None:
        self.environment = {**os.environ, "STREAM_NB_LOG": log, **environment}
        self._started: list[subprocess.Popen] = []

    def run(self, *arguments: str) -> str:
        """Run a command to its end and return what it printed."""
        return self._run(arguments, status=0).stdout

    def run_refused(self, *arguments: str, status: int = 2) -> str:
        """Run a command that ends with `status`, by default that of a user's mistake, and return its stderr."""
        return self._run(arguments, status).stderr

    def start(self, *arguments: str) -> subprocess.Popen:
        """Start a command and let it run."""
        process = subprocess.Popen([sys.executable, "-m", "consumers", *arguments], env=self.environment)
        self._started.append(process)
        return process

    def _run(self, arguments: tuple[str, ...], status: int) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [sys.executable, "-m", "consumers", *arguments],
            env=self.environment, capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip
        assert done.returncode == status, done.stdout + done.stderr
        return done

    def settings(self) -> Settings:
        """The settings of these commands."""
        return load_settings(None, {k: v for k, v in self.environment.items() if k.startswith("STREAM_NB_")})

    def open(self) -> Log:
        """The log, for the test to read."""
        return open_log(self.settings())

    def predictions(self) -> list[PredictionRecord]:
        """All predictions on the log."""
        with self.open() as log:
            return predictions(log)

    def report(self) -> dict[str, Any]:
        """The figures over the log."""
        return json.loads(self.run("report", "--json"))

    def wait_until_done(self) -> None:
        """Wait until every mail is scored and every label is read."""
        with self.open() as log:
            wait_until(lambda: caught_up(log, self.settings()), lambda: "the worker did not finish")

    def stop(self) -> None:
        """Stop all commands that were started."""
        for process in self._started:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
        for process in self._started:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@pytest.fixture
def stages_on(tmp_path, request):
    """A function that returns `Stages` on a new log of the given kind, "sqlite" or "kafka"."""
    made: list[Stages] = []

    def make(kind: str, partitions: int = 1) -> Stages:
        if kind == "sqlite":
            stages = Stages(f"sqlite:{tmp_path / uuid.uuid4().hex}")
        else:
            kafka = request.getfixturevalue("kafka")
            stages = Stages(
                f"kafka://{kafka.bootstrap}",
                STREAM_NB_KAFKA_PREFIX=f"t{uuid.uuid4().hex[:8]}.",
                STREAM_NB_KAFKA_PARTITIONS=str(partitions),
            )
        made.append(stages)
        return stages

    yield make
    for stages in made:
        stages.stop()
