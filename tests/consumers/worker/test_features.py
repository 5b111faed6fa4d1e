"""Numbers and categories, scored and learned by a worker while labels arrive, change and are withdrawn."""

import random

import pytest

from consumers.evaluation.verify import verify
from consumers.explain.explainer import Explainer
from consumers.log.base import ProducerRecord
from consumers.model.replica import Replica
from consumers.records.messages import MailPlace
from consumers.records.schemas import EMAILS, encode
from consumers.settings import Settings, WorkerSettings
from tests.support.memory_log import new_log
from tests.support.outputs import predictions, quarantined
from tests.support.worker_run import label, run_worker

SETTINGS = Settings(worker=WorkerSettings(poll_s=0.001))


@pytest.fixture
def log():
    return new_log(2)


def message(name, features, **more):
    return ProducerRecord(EMAILS, name.encode(), encode({"id": name, "features": features, **more}))


def work(log, *records):
    """Append these records, let a new worker process the log, and return its replica."""
    return run_worker(log, SETTINGS, records).replica


def labelled_rows(n, seed):
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


def test_a_worker_learns_to_classify_by_numbers_and_categories(log):
    rows = list(labelled_rows(300, seed=1))
    for name, features, class_name in rows:
        log.append([message(name, features), label(name, class_name)])
    work(log)

    truth = {name: class_name for name, _, class_name in rows}
    late = [p for p in predictions(log) if p.labels_learned >= 100]
    assert len(late) > 100
    assert sum(p.label == truth[p.id] for p in late) / len(late) > 0.9
    assert quarantined(log) == []


def test_verify_finds_no_difference_after_changed_labels_restarts_and_snapshots(log, monkeypatch):
    monkeypatch.setattr("consumers.worker.snapshot_writer.MIN_SNAPSHOT_BYTES", 1)
    draw, rows = random.Random(2), list(labelled_rows(60, seed=2))
    for name, features, class_name in rows:
        records = [message(name, features, words={"free": 2} if class_name == "spam" else {}), label(name, class_name)]
        other = draw.choice(rows)[0]
        records += [label(other, draw.choice(["ham", "spam", "work", None]), forget=draw.random() < 0.2)]
        replica = work(log, *records)

    assert replica.manifest.number > 2
    assert verify(log, SETTINGS).differences == []
    assert Replica.load(log, SETTINGS).model == replica.model
    assert set(replica.model.statistics.numbers) <= {"size", "missing"}

    model = work(log, *(label(name, None) for name, _, _ in rows)).model
    assert (model.labels_learned, model.classes, model.features) == (0, (), 0)


def test_a_name_with_numeric_and_text_values_is_counted_as_a_number_and_a_category(log):
    both = [message("a", {"size": 5}), message("b", {"size": "large"}), message("c", {"size": 7.5})]
    model = work(
        log, *both, *(label(name, class_name) for name, class_name in (("a", "ham"), ("b", "spam"), ("c", "ham")))
    ).model

    assert model.statistics.numbers["size"]["ham"].mean == 6.25
    assert model.statistics.categories["size"]["large"]["spam"] == 1.0
    assert quarantined(log) == []


@pytest.mark.parametrize("value", [1e308, -1e308, 5e-324, -0.0, 2**70, 0])
def test_extreme_numbers_give_finite_scores_and_can_be_withdrawn(log, value):
    rows = [("a", {"x": value}), ("b", {"x": 1.0}), ("c", {"x": value}), ("d", {})]
    work(log, *(message(name, features) for name, features in rows), label("a", "ham"), label("b", "spam"))
    work(log, message("e", {"x": value}), label("c", "ham"), label("d", "spam"))

    assert [p.id for p in predictions(log) if not -1e9 < p.log_odds < 1e9] == []
    assert verify(log, SETTINGS).differences == []
    model = work(log, *(label(name, None) for name in "abcd")).model
    assert (model.labels_learned, model.classes) == (0, ())


def test_bias_and_terms_of_words_and_features_add_up_to_the_log_odds(log):
    for name, features, class_name in labelled_rows(80, seed=3):
        log.append(
            [
                message(name, features, text="cheap pills" if class_name == "spam" else "at noon"),
                label(name, class_name),
            ]
        )
    work(log, message("asked", {"size": 12.0, "format": "html", "signed": True}, text="cheap lunch at noon"))
    place = next(MailPlace(p.partition, p.next_offset - 1) for p in predictions(log) if p.id == "asked")

    why = Explainer(log, SETTINGS).why(place)

    assert {term["kind"] for term in why["terms"]} == {"word", "pair", "number", "category"}
    total = why["bias"] + sum(term["weight"] for term in why["terms"]) + why["rest"]["weight"]
    assert total == pytest.approx(why["log_odds"], abs=1e-9)
