"""A clock that jumps while the stages run: an hour back, a day ahead."""

import shutil
import subprocess

import pytest

from consumers.ingest.synthetic import synthetic_mails
from tests.support.processes import worker_processes


@pytest.fixture
def clock(tmp_path):
    """The environment in which the wall clock is set by a file, and a function that sets it off by some seconds."""
    if shutil.which("faketime") is None:
        pytest.skip("no faketime here: install it (Debian package faketime) to see what a clock that jumps does")
    inside = subprocess.run(["faketime", "-f", "+0", "env"], capture_output=True, text=True, check=True).stdout
    library = next(line.partition("=")[2] for line in inside.splitlines() if line.startswith("LD_PRELOAD="))
    offset = tmp_path / "offset"

    def jump(seconds):
        offset.write_text(f"{seconds:+d}\n")

    jump(0)
    environment = {
        "LD_PRELOAD": library,
        "FAKETIME_TIMESTAMP_FILE": str(offset),
        "FAKETIME_NO_CACHE": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }
    return environment, jump


def test_a_worker_outlives_a_clock_that_jumps(tmp_path, stages_on, clock):
    environment, jump = clock
    stages = stages_on("sqlite")
    plain = dict(stages.environment)
    stages.run("topics", "create")
    stages.environment.update(environment)
    worker = stages.start("worker")
    stages.environment = plain
    pids = []
    for turn, seconds in enumerate((0, -3600, 86_400, -86_400, 0)):
        jump(seconds)
        folder = tmp_path / str(turn)
        for label in ("ham", "spam"):
            (folder / label).mkdir(parents=True)
        for number, item in enumerate(synthetic_mails(20, seed=turn)):
            (folder / item.label / f"{turn}-{number}.eml").write_bytes(item.value)
        stages.run("feed", str(folder), "--labels")
        stages.wait_until_done()
        pids.append(worker_processes(worker.pid))

    assert worker.poll() is None
    assert len(pids[0]) == 1 and pids == [pids[0]] * 5, "the worker ended and was started again"
    assert ": 0 differences" in stages.run("verify")
