"""Processes that follow sums, on both logs: the combiner is killed again and again, and all have the same model."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import time

import pytest

from consumers.log.base import Log
from consumers.model.changelog import PLACE as MODEL_PLACE
from consumers.model.replica import Replica
from consumers.model.sums import PLACE, Sum, read_sum
from tests.flow.conftest import PATIENCE_S, Stages
from tests.flow.test_end_to_end import write_json_lines
from tests.support.processes import descendants

ROUNDS, MAILS = 5, 200


def sums_on(log: Log) -> list[Sum]:
    return [read_sum(record) for record in log.scan(PLACE)]


def last_delta(log: Log) -> int:
    """The offset of the last delta, -1 without any."""
    return max((r.offset for r in log.scan(MODEL_PLACE) if (r.key or b"").startswith(b"d/")), default=-1)


def wait_for_sums(log: Log) -> None:
    """Until the deltas that are on the log now are in sums."""
    end, deadline = last_delta(log), time.monotonic() + PATIENCE_S
    while not any(total.next_offset > end for total in sums_on(log)):
        assert time.monotonic() < deadline, f"sums end before {end}"
        time.sleep(0.1)


def kill_all(process: subprocess.Popen) -> None:
    """SIGKILL of a supervisor and all that it started."""
    for pid in [process.pid, *descendants(process.pid)]:
        os.kill(pid, signal.SIGKILL)
    process.wait()


@pytest.mark.parametrize("kind", ["sqlite", "kafka"])
def test_killed_again_and_again_each_delta_is_in_one_sum_and_all_have_the_same_model(tmp_path, stages_on, kind):
    stages: Stages = stages_on(kind, partitions=3)
    stages.environment["STREAM_NB_LEARNER_FOLLOW"] = "sums"
    stages.run("topics", "create")
    said = stages.run("top")
    assert "Combiner never ran; start it: stream-nb combiner" in said
    stages.start("worker", *(["--processes", "2"] if kind == "kafka" else []))
    combiner = stages.start("combiner")
    stages.start("monitor", "--port", "0")
    with stages.open() as log:
        replica: Replica | None = None
        for number in range(ROUNDS):
            name = f"r{number}"
            stages.run("feed", write_json_lines(tmp_path / f"{name}.jsonl", MAILS, name), "--labels")
            if number % 2:
                kill_all(combiner)
                combiner = stages.start("combiner")
            stages.wait_until_done()
            replica = replica or Replica.load(log, stages.settings())
            if not number:
                wait_for_sums(log)
        wait_for_sums(log)
        truth, deadline = Replica.load(log, stages.settings()), time.monotonic() + PATIENCE_S
        while replica.checkpoints != truth.checkpoints:  # Kafka gives nothing at once
            assert time.monotonic() < deadline, f"{replica.checkpoints}, not {truth.checkpoints}"
            time.sleep(0.05)
            replica.follow()
        assert replica.require_model().to_bytes() == truth.require_model().to_bytes()
        assert truth.require_model().labels_learned == ROUNDS * MAILS
        sums = sums_on(log)
        assert len(sums) > 1
        assert all(one.next_offset == other.first_offset for one, other in itertools.pairwise(sums))
    assert "0 differences" in stages.run("verify")
    assert "Combiner" not in stages.run("top")
    combiner.send_signal(signal.SIGINT)
    combiner.wait(PATIENCE_S)
    assert "Combiner stopped" in stages.run("top")
