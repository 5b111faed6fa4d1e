"""Processes that follow sums, on both logs: all have the same model, although the combiner is killed repeatedly."""

from __future__ import annotations

import itertools
import signal

import pytest

from consumers.log.base import Log
from consumers.model.changelog import MODEL_PARTITION
from consumers.model.replica import Replica
from consumers.model.sums import SUMS_PARTITION, Sum, read_sum
from tests.flow.conftest import PATIENCE_S, Stages, wait_until
from tests.flow.test_end_to_end import write_json_lines
from tests.support.processes import kill_with_descendants

ROUNDS, MAILS = 5, 200


def sums_on(log: Log) -> list[Sum]:
    return [read_sum(record) for record in log.scan(SUMS_PARTITION)]


def last_delta(log: Log) -> int:
    """The offset of the last delta; -1 if there is none."""
    return max((r.offset for r in log.scan(MODEL_PARTITION) if (r.key or b"").startswith(b"d/")), default=-1)


def wait_for_sums(log: Log) -> None:
    """Wait until the deltas that are on the log now are in sums."""
    end = last_delta(log)
    wait_until(lambda: any(total.next_offset > end for total in sums_on(log)), lambda: f"sums end before {end}")


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", "kafka"])
def test_a_combiner_killed_repeatedly_puts_each_delta_in_one_sum_and_all_have_the_same_model(tmp_path, stages_on, kind):
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
                kill_with_descendants(combiner)
                combiner = stages.start("combiner")
            stages.wait_until_done()
            replica = replica or Replica.load(log, stages.settings())
            if not number:
                wait_for_sums(log)
        wait_for_sums(log)
        truth = Replica.load(log, stages.settings())

        def has_caught_up(follower: Replica = replica) -> bool:
            follower.follow()  # a single call may return nothing on Kafka
            return follower.checkpoints == truth.checkpoints

        wait_until(has_caught_up, lambda: f"{replica.checkpoints}, not {truth.checkpoints}")
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
