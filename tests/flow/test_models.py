"""A model of the notes on a log, by the commands: fed, killed, changed, recounted, with the bits of the library."""

import json
import os
import signal
import time

import pytest

from consumers.model.replica import Replica
from consumers.model.textbook import library_model as behind
from consumers.records.replay import final_labels
from tests.support.messages import SMOOTHING, draw_messages, library_model, read_by
from tests.support.processes import worker_processes


@pytest.mark.parametrize("name", ["multinomial", "boolean", "bernoulli", "categorical", "gaussian", "mixed"])
@pytest.mark.parametrize("kind", ["sqlite"])
def test_a_killed_worker_leaves_the_bits_of_the_library(tmp_path, stages_on, kind, name):
    stages = stages_on(kind)
    stages.environment |= {
        "STREAM_NB_LEARNER_MODEL": name,
        "STREAM_NB_LEARNER_SMOOTHING": str(SMOOTHING),
        "STREAM_NB_WORKER_POLL_RECORDS": "20",
    }
    rows = draw_messages(400, seed=9)
    path = tmp_path / "messages.jsonl"
    path.write_text("\n".join(json.dumps({**row, "label": label}) for row, label in rows))
    stages.run("feed", str(path), "--labels", "--label-delay", "3")
    worker = stages.start("worker")
    deadline = time.monotonic() + 120
    while not stages.predictions() and time.monotonic() < deadline:
        time.sleep(0.1)
    for pid in [worker.pid, *worker_processes(worker.pid)]:
        os.kill(pid, signal.SIGKILL)
    worker.wait()
    stages.run("label", "m1", "spam")
    stages.run("label", "m2", "none")
    stages.start("worker")
    stages.wait_until_done()

    assert ": 0 differences" in stages.run("verify")
    with stages.open() as log:
        model, labels = Replica.load(log, stages.settings()).model, final_labels(log)
    expected = library_model(name, model.key)
    for row, _ in rows:
        if row["id"] in labels:
            expected.learn_one(read_by(name, row), labels[row["id"]])
    assert len(labels) == 399
    assert behind(model).to_bytes() == expected.to_bytes()
