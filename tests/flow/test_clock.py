"""A clock that jumps while the stages run: an hour back, a day ahead."""

import shutil
import subprocess

import pytest

from consumers.ingest.synthetic import synthetic_mails
from tests.support.processes import worker_processes


@pytest.fixture
def clock(tmp_path):
    """An environment with a fake wall clock, and a function that shifts this clock by some seconds."""
    if shutil.which("faketime") is None:
        pytest.skip("faketime is missing (apt-get install faketime): jumps of the clock were not tested")
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


@pytest.mark.slow
def test_a_worker_survives_jumps_of_the_clock(tmp_path, stages_on, clock):
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
    assert len(pids[0]) == 1 and pids == [pids[0]] * 5, "the worker process was restarted"
    assert ": 0 differences" in stages.run("verify")
