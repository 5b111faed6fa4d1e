"""Numbers and categories of messages, scored and learned by a worker: labels come, change and are withdrawn."""

import random

import pytest

from consumers.evaluation.verify import verify
from consumers.log.base import ProducerRecord
from consumers.log.memory import MemoryLog, Topics
from consumers.model.explainer import Explainer
from consumers.model.replica import Replica
from consumers.records.messages import MailPlace
from consumers.records.schemas import EMAILS, LABELS, TOPICS, LabelRecord, encode
from consumers.settings import Settings, WorkerSettings
from consumers.worker.worker import Worker
from tests.support.outputs import predictions, quarantined

SETTINGS = Settings(worker=WorkerSettings(poll_s=0.001))


@pytest.fixture
def log():
    log = MemoryLog(Topics())
    log.create_topics(TOPICS, 2)
    return log


def message(name, features, **more):
    return ProducerRecord(EMAILS, name.encode(), encode({"id": name, "features": features, **more}))


def label(name, called, forget=False):
    record = LabelRecord(name, called, "ann", 1.0, forget)
    return ProducerRecord(LABELS, name.encode(), encode(record))


def work(log, *records):
    """Let a worker that starts from the log process these records; returns its replica."""
    log.append(records)
    worker = Worker(log, SETTINGS, "w-0")
    while not worker.partitions or worker.step():
        worker.step()
    worker.consumer.close()
    return worker.replica


def stream(n, seed):
    """Messages of two classes that differ only in a number and a category; some have a word."""
    draw = random.Random(seed)
    for i in range(n):
        spam = draw.random() < 0.5
        features = {
            "size": draw.gauss(13.0 if spam else 4.0, 3.0),
            "format": draw.choices(["html", "plain"], [4, 1] if spam else [1, 4])[0],
            "signed": draw.random() < 0.3,
            "missing": None if draw.random() < 0.9 else 7,
        }
        yield f"m{i}", features, "spam" if spam else "ham"


def test_numbers_and_categories_are_scored_and_learned_as_they_come(log):
    rows = list(stream(300, seed=1))
    for name, features, called in rows:
        work_one = [message(name, features), label(name, called)]
        log.append(work_one)
    work(log)

    truth = {name: called for name, _, called in rows}
    late = [p for p in predictions(log) if p.labels_learned >= 100]
    assert len(late) > 100
    assert sum(p.label == truth[p.id] for p in late) / len(late) > 0.9
    assert quarantined(log) == []


def test_whatever_the_history_and_the_restarts_the_recount_agrees(log, monkeypatch):
    monkeypatch.setattr("consumers.worker.snapshot_writer.MIN_SNAPSHOT_BYTES", 1)
    draw, rows = random.Random(2), list(stream(60, seed=2))
    for name, features, called in rows:
        records = [message(name, features, words={"free": 2} if called == "spam" else {}), label(name, called)]
        other = draw.choice(rows)[0]
        records += [label(other, draw.choice(["ham", "spam", "work", None]), draw.random() < 0.2)]
        replica = work(log, *records)

    assert replica.manifest.number > 2
    assert verify(log, SETTINGS).differences == ()
    assert Replica.load(log, SETTINGS).model == replica.model
    assert set(replica.model.statistics.numbers) <= {"size", "missing"}

    model = work(log, *(label(name, None) for name, _, _ in rows)).model
    assert (model.labels_learned, model.classes, model.features) == (0, (), 0)


def test_a_name_that_is_a_number_and_comes_as_a_text_is_two_features(log):
    both = [message("a", {"size": 5}), message("b", {"size": "large"}), message("c", {"size": 7.5})]
    model = work(
        log, *both, *(label(name, called) for name, called in (("a", "ham"), ("b", "spam"), ("c", "ham")))
    ).model

    assert model.statistics.numbers["size"]["ham"].mean == 6.25
    assert model.statistics.categories["size"]["large"]["spam"] == 1.0
    assert quarantined(log) == []


@pytest.mark.parametrize("value", [1e308, -1e308, 5e-324, -0.0, 2**70, 0])
def test_values_at_the_ends_of_the_range_are_learned_and_taken_back(log, value):
    rows = [("a", {"x": value}), ("b", {"x": 1.0}), ("c", {"x": value}), ("d", {})]
    work(log, *(message(name, features) for name, features in rows), label("a", "ham"), label("b", "spam"))
    work(log, message("e", {"x": value}), label("c", "ham"), label("d", "spam"))

    assert [p.id for p in predictions(log) if not -1e9 < p.log_odds < 1e9] == []
    assert verify(log, SETTINGS).differences == ()
    model = work(log, *(label(name, None) for name in "abcd")).model
    assert (model.labels_learned, model.classes) == (0, ())


def test_the_terms_of_words_and_features_add_up_to_the_score(log):
    for name, features, called in stream(80, seed=3):
        log.append(
            [message(name, features, text="cheap pills" if called == "spam" else "at noon"), label(name, called)]
        )
    work(log, message("asked", {"size": 12.0, "format": "html", "signed": True}, text="cheap lunch at noon"))
    place = next(MailPlace(p.partition, p.next_offset - 1) for p in predictions(log) if p.id == "asked")

    why = Explainer(log, SETTINGS).why(place)

    assert {term["kind"] for term in why["terms"]} == {"word", "pair", "number", "category"}
    total = why["bias"] + sum(term["weight"] for term in why["terms"]) + why["rest"]["weight"]
    assert total == pytest.approx(why["log_odds"], abs=1e-9)
