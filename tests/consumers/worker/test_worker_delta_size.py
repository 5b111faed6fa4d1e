"""Whatever labels change, no delta is much larger than planned: Kafka refuses large records, and a worker that made one
would make it again after each restart."""

from __future__ import annotations

import json
import random

import msgspec
import pytest

from consumers.log.memory import MemoryLog
from consumers.model.replica import Replica
from consumers.records.replay import read_all
from consumers.records.schemas import MODEL
from consumers.settings import Settings
from consumers.worker.model_queue import NEW_WORD
from consumers.worker.partition_task import LABEL_BYTES
from consumers.worker.worker import Worker
from tests.support.memory_log import new_log
from tests.support.worker_run import label, loaded_alike, message, short_mail, step_until_done

DELTA_BYTES = 20_000
MESSAGES = 60


@pytest.fixture
def topics(monkeypatch):
    monkeypatch.setattr("consumers.worker.worker.MOST_DELTA_BYTES", DELTA_BYTES)
    monkeypatch.setattr("consumers.worker.model_queue.AT_ONCE", 1)
    monkeypatch.setattr("consumers.worker.model_queue.MOST_BEGUN_BYTES", DELTA_BYTES)
    return new_log().topics


def with_features(features_of):
    """Labelled messages with features."""
    for n in range(MESSAGES):
        yield message(f"m{n}", json.dumps({"id": f"m{n}", "features": features_of(n)}).encode())
        yield label(f"m{n}", f"class{n % 10}")


def numbers(n):
    return {f"number {name}": n * name + 0.5 for name in range(100)}


def texts(n):
    return {f"category {name}": f"{n} {name} {'x' * 200}" for name in range(10)}


def with_votes():
    """Messages to which many sources with long names gave labels."""
    yield from (short_mail(f"m{n}", "lunch at noon") for n in range(MESSAGES))
    for source in range(6):
        yield from (label(f"m{n}", "spam", f"{source} {'x' * 400}") for n in range(MESSAGES))


def words_of_many_classes():
    """Each word is soon in many classes, with other counts than the other words."""
    draw = random.Random(1)
    for n in range(400):
        yield short_mail(f"m{n}", " ".join(f"w{number}" for number in draw.sample(range(1_000), 20)))
        yield label(f"m{n}", f"class{n % 80}")


CASES = {
    "numbers": ("mail", lambda: with_features(numbers)),
    "numbers of a textbook model": ("gaussian", lambda: with_features(numbers)),
    "texts": ("mail", lambda: with_features(texts)),
    "texts of a textbook model": ("categorical", lambda: with_features(texts)),
    "votes": ("mail", with_votes),
    "many classes": ("mail", words_of_many_classes),
    "many classes of a textbook model": ("bernoulli", words_of_many_classes),
    "many classes of two textbook models": ("mixed", words_of_many_classes),
}


@pytest.mark.parametrize("name", CASES)
def test_large_changes_are_split_into_deltas(name, topics):
    model, records = CASES[name]
    settings = msgspec.convert({"learner": {"model": model}, "worker": {"poll_s": 0.001}}, Settings)
    log = MemoryLog(topics)
    worker, follower = Worker(log, settings, "w-0"), Replica.load(log, settings)
    log.append(list(records()))
    step_until_done(worker)
    follower.follow()

    sizes = [len(record.value or b"") for record in read_all(log, MODEL)]
    assert sum(sizes) > 4 * DELTA_BYTES > max(sizes)
    loaded_alike(topics, settings, worker.replica, follower)


@pytest.mark.parametrize("at_once", [1000, 1])
def test_a_label_counts_with_its_words_while_it_waits_in_the_queue(at_once, topics, monkeypatch):
    """Else a step would go on far beyond the size that a slow link can take; learned, these words need less."""
    monkeypatch.setattr("consumers.worker.model_queue.AT_ONCE", at_once)
    words = "word " * 100
    for name in ("FIRST_BYTES", "MOST_BYTES"):
        monkeypatch.setattr(f"consumers.worker.commit_pace.{name}", 20 * (LABEL_BYTES + NEW_WORD * len(words)))
    log = MemoryLog(topics)
    worker = Worker(log, msgspec.convert({"worker": {"poll_s": 0.001}}, Settings), "w-0")
    log.append([short_mail(f"m{n}", words) for n in range(MESSAGES)])
    log.append([label("m0", "spam"), label("m1", "ham")])
    step_until_done(worker)
    log.append([label(f"m{n}", "spam") for n in range(2, MESSAGES)])
    labels = worker.step()
    assert labels == 20 if at_once > MESSAGES else labels > 25
