"""Every model of `[learner] model` on a log, with workers that are killed: the same bits as the library's model."""

import os
import signal
import time

import pytest

from consumers.evaluation.verify import verify
from consumers.model.replica import Replica
from consumers.model.textbook import library_model as behind
from consumers.model.textbook_input import READS
from consumers.records.schemas import TOPICS
from tests.support.messages import SMOOTHING, draw_messages, history, library_model, mail_of, read_by
from tests.support.processes import worker_processes

NAMES = ("mail", *READS)
MESSAGES = 300
PATIENCE_S = 400.0


def scored(stages, more_than):
    """Wait until there are more than this number of predictions, as long as their number rises; returns it."""
    deadline, count = time.monotonic() + PATIENCE_S, 0
    while True:
        found = len(stages.predictions())
        if found > more_than:
            return found
        if found > count:
            deadline, count = time.monotonic() + PATIENCE_S, found
        assert time.monotonic() < deadline, f"{found} predictions, and no more"
        time.sleep(0.1)


def kill(worker):
    for pid in [worker.pid, *worker_processes(worker.pid)]:
        os.kill(pid, signal.SIGKILL)
    worker.wait()


def fed(name, key, steps):
    """The library's model after these steps."""
    model, updates = library_model(name, key), {}
    for what, row, called, source in steps:
        if what == "score":
            continue
        if name != "mail":
            getattr(model, f"{what}_one")(read_by(name, row), called)
        elif what == "learn":
            updates[row["id"]] = model.grade(mail_of(row), called, source)
            model.apply_update(mail_of(row), updates[row["id"]])
        else:
            model.revert_update(mail_of(row), updates.pop(row["id"]))
    return model


@pytest.mark.timeout(1500)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("kind", "partitions"), [("sqlite", 1), pytest.param("kafka", 3, marks=pytest.mark.slow)])
def test_killed_workers_learn_the_same_bits_as_the_library(stages_on, kind, partitions, name):
    """Meanwhile labels are changed, withdrawn and forgotten. Two workers, one of which is killed, share three
    partitions."""
    stages = stages_on(kind, partitions)
    stages.environment |= {
        "STREAM_NB_LEARNER_MODEL": name,
        "STREAM_NB_LEARNER_SMOOTHING": str(SMOOTHING),
        "STREAM_NB_LEARNER_LEARN": "everything",
        "STREAM_NB_LEARNER_TRUST": "false",
        "STREAM_NB_WORKER_POLL_RECORDS": "20",
    }
    records, steps = history(draw_messages(MESSAGES, seed=9), seed=10)
    half = len(records) // 2
    start = time.time() - 10_000
    records = [record._replace(timestamp=start + at) for at, record in enumerate(records)]
    with stages.open() as log:
        log.create_topics(TOPICS, partitions)
        log.append(records[:half])
    workers = [stages.start("worker") for _ in range(2 if partitions > 1 else 1)]
    before = scored(stages, more_than=0)
    with stages.open() as log:
        log.append(records[half:])
    scored(stages, more_than=before)
    kill(workers[0])
    stages.start("worker")
    stages.wait_until_done()

    with stages.open() as log:
        model = Replica.load(log, stages.settings()).model
        assert verify(log, stages.settings()).differences == []
    assert len({prediction.id for prediction in stages.predictions()}) == MESSAGES
    expected = fed(name, model.key, steps)
    assert model.labels_learned > MESSAGES / 2
    if name == "mail" and kind == "kafka":  # updates depend on the order of labels, which differs between partitions
        assert (model.labels_learned, set(model.classes)) == (expected.labels_learned, set(expected.classes))
    else:
        assert behind(model).to_bytes() == expected.to_bytes()
