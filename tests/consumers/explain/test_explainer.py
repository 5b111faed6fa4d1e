"""Explanations are right, and queries leave the replica's model unchanged."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from consumers.errors import BadRecord
from consumers.explain.explainer import Explainer
from consumers.log.base import ProducerRecord, TopicPartition
from consumers.log.memory import MemoryLog
from consumers.model.replica import Replica
from consumers.records.messages import MailPlace, read_message
from consumers.records.schemas import EMAILS, SILENCE
from consumers.settings import Settings, WorkerSettings
from stream_nb import MailNB
from stream_nb.mail_nb.vocabulary import strongest
from stream_nb.types import Mail
from tests.support import worker_run
from tests.support.memory_log import new_log
from tests.support.worker_run import run_worker

SETTINGS = Settings(worker=WorkerSettings(poll_s=0.001))
WORDS = {"spam": "cheap pills winner money casino offer", "ham": "meeting minutes lunch project review draft"}
MAILS = 80
LABELLED, DOUBTFUL, UNLABELLED = "m0", "doubtful", f"m{MAILS - 1}"

QUERIES: dict[str, Callable[[Explainer, MemoryLog], object]] = {
    "why, of a labelled mail": lambda explainer, log: explainer.why(place_of(log, LABELLED)),
    "why, of an unlabelled mail": lambda explainer, log: explainer.why(place_of(log, DOUBTFUL)),
    "score": lambda explainer, log: explainer.score(place_of(log, LABELLED)),
    "words": lambda explainer, log: explainer.words(),
    "word": lambda explainer, log: explainer.word("cheap"),
    "word of a subject": lambda explainer, log: explainer.word("subject:number"),
    "unknown word": lambda explainer, log: explainer.word("neverseen"),
    "smoothing": lambda explainer, log: explainer.smoothing(),
}


def mail(name: str, subject: str, body: str) -> ProducerRecord:
    return ProducerRecord(EMAILS, name.encode(), f"Subject: {subject}\n\n{body}\n".encode())


@pytest.fixture
def log() -> MemoryLog:
    """Mails of two classes, three in four of them labelled and learned, and an unlabelled one near the threshold."""
    log = new_log(2)
    draw = random.Random(5)
    labels = {f"m{number}": draw.choice(["spam", "ham", "ham"]) for number in range(MAILS)}
    for name, label in labels.items():
        log.append([mail(name, f"{label} number {name}", " ".join(draw.choices(WORDS[label].split(), k=6)))])
    log.append([mail(DOUBTFUL, "cheap lunch offer", "cheap meeting offer project")])
    for name in list(labels)[: 3 * MAILS // 4]:
        log.append([worker_run.label(name, labels[name], "people")])
    run_worker(log)
    return log


@pytest.fixture
def explainer(log) -> Explainer:
    return Explainer(log, SETTINGS)


def model_of(log: MemoryLog) -> MailNB:
    model = Replica.load(log, SETTINGS).model
    assert model is not None
    return model


def find(log, message_id: str):
    """Return the place of a mail, and its content."""
    for partition in range(2):
        for record in log.scan(TopicPartition(EMAILS, partition)):
            if record.key == message_id.encode():
                return MailPlace(partition, record.offset), read_message(record, SETTINGS.learner.headers).mail
    raise AssertionError(message_id)


def place_of(log: MemoryLog, message_id: str) -> MailPlace:
    return find(log, message_id)[0]


@pytest.mark.parametrize("name", QUERIES)
def test_no_query_changes_the_model_of_the_replica_even_temporarily(explainer, log, name, monkeypatch):
    shared, before = explainer.replica().model, model_of(log).to_bytes()
    for method in ("apply_update", "revert_update", "learn_one", "unlearn_one", "merge", "unmerge", "evict"):
        monkeypatch.setattr(MailNB, method, refusing_shared_model(getattr(MailNB, method), shared))
    smoothing: list[float] = []
    monkeypatch.setattr(MailNB, "score", recording_smoothing(MailNB.score, shared, smoothing))
    assert QUERIES[name](explainer, log)
    assert set(smoothing) <= {SETTINGS.learner.smoothing}
    assert explainer.replica().model is shared and shared.to_bytes() == before


def refusing_shared_model(method, shared):
    def call(model, *arguments, **named):
        assert model is not shared, f"{method.__name__} of the replica's model"
        return method(model, *arguments, **named)

    return call


def recording_smoothing(score, shared, smoothing):
    def call(model, x):
        if model is shared:
            smoothing.append(model.smoothing)
        return score(model, x)

    return call


@pytest.mark.parametrize("name", [name for name in QUERIES if name.startswith(("why", "smoothing"))])
def test_a_query_that_fails_halfway_changes_nothing(explainer, log, name, monkeypatch):
    model = explainer.replica().model
    before = model.to_bytes()
    calls = 0

    def fails_later(self: MailNB, x: Mail):
        nonlocal calls
        calls += 1
        if calls > 2:
            raise BadRecord("test", "half-way")
        return score(self, x)

    score = MailNB.score
    monkeypatch.setattr(MailNB, "score", fails_later)
    with pytest.raises(BadRecord, match="half-way"):
        QUERIES[name](explainer, log)
    assert (model.to_bytes(), model.smoothing) == (before, SETTINGS.learner.smoothing)


@pytest.mark.parametrize("name", [DOUBTFUL, LABELLED])
@pytest.mark.parametrize("label", ["ham", "spam"])
def test_the_predicted_score_after_a_label_is_the_score_once_it_is_learned(log, explainer, name, label):
    place, content = find(log, name)
    predicted = explainer.why(place)["if_labelled"][label]
    run_worker(log, records=[worker_run.label(name, label, SETTINGS.dashboard.source)])
    assert explainer.score(place)["log_odds"] == pytest.approx(predicted, abs=1e-9)
    assert model_of(log).score(content).log_odds == pytest.approx(predicted, abs=1e-9)


def test_the_same_label_from_another_source_is_predicted_and_learned_anew(log, explainer):
    """It is graded by the current score: an early label, which was learned with full weight, then weighs less."""
    early = next(entry for _, entry in explainer.replica().entries() if entry.update.weight == 256)
    place, _ = find(log, early.id)
    why = explainer.why(place)
    predicted = why["if_labelled"][early.label]
    assert predicted != pytest.approx(why["log_odds"], abs=1e-6)
    run_worker(log, records=[worker_run.label(early.id, early.label, SETTINGS.dashboard.source)])
    assert explainer.score(place)["log_odds"] == pytest.approx(predicted, abs=1e-9)


def test_bias_terms_and_rest_add_up_to_the_log_odds(log, explainer):
    place, content = find(log, LABELLED)
    why = explainer.why(place)
    assert why["log_odds"] == pytest.approx(model_of(log).score(content).log_odds, abs=1e-12)
    total = why["bias"] + why["rest"]["weight"] + sum(term["weight"] for term in why["terms"])
    assert total == pytest.approx(why["log_odds"], abs=1e-9)


def test_without_its_flip_terms_a_mail_would_be_predicted_otherwise(log, explainer):
    why = explainer.why(find(log, DOUBTFUL)[0])
    by_text = {term["text"]: term["weight"] for term in why["terms"]}
    assert why["flip"]
    left = why["log_odds"] - sum(by_text[text] for text in why["flip"])
    assert (left > 0) != (why["log_odds"] > 0)


def test_the_smoothing_curve_scores_each_mail_without_its_own_label(log, explainer):
    curve = explainer.smoothing()
    assert curve["mails"] == 3 * MAILS // 4
    assert curve["in_use"] == SETTINGS.learner.smoothing
    accuracy = {point["smoothing"]: point["accuracy"] for point in curve["grid"]}
    replica = Replica.load(log, SETTINGS)
    entries = [entry for _, entry in replica.entries()]
    right = 0
    for entry in entries:
        model = replica.model.copy()
        content = find(log, entry.id)[1]
        model.revert_update(content, entry.update)
        right += (model.score(content).log_odds > 0) == (entry.label == "spam")
    assert accuracy[SETTINGS.learner.smoothing] == pytest.approx(right / len(entries))


def test_the_smoothing_curve_leaves_out_labels_of_silence(log, explainer):
    before = explainer.smoothing()["mails"]
    run_worker(log, records=[worker_run.label(UNLABELLED, "ham", SILENCE)])
    assert explainer.replica().require_model().labels_learned == before + 1
    assert explainer.smoothing()["mails"] == before


def test_a_word_is_found_in_bodies_and_subjects_or_in_subjects_only(explainer):
    _, subject = explainer.word("number")["found"]
    assert sum(subject["counts"].values()) > 1.0
    assert subject["text"] == "subject:number"
    assert explainer.word("subject:number")["found"] == explainer.word("Subject:Number")["found"] == [subject]
    assert [entry["text"] for entry in explainer.word("Number")["found"]] == ["number", "subject:number"]


def test_a_word_that_was_never_learned_is_not_found(explainer):
    assert explainer.word("neverseen")["found"] == []
    assert [entry["text"] for entry in explainer.word("pills")["found"]] == ["pills"]


def test_the_history_of_a_words_weight_ends_at_its_current_weight(log, explainer):
    history = explainer.word("pills")["found"][0]["course"]
    strong = next(term for term in strongest(model_of(log), "spam", n=1000) if term.text == "pills")
    assert history[-1]["weight"] == pytest.approx(strong.weight)
    assert [point["timestamp"] for point in history] == sorted(point["timestamp"] for point in history)


def test_queries_are_refused_before_a_worker_is_ready():
    log = new_log()
    with pytest.raises(BadRecord, match="no worker is ready yet"):
        Explainer(log, SETTINGS).words()


def test_a_mail_of_an_unknown_partition_is_refused(explainer):
    for ask in (explainer.why, explainer.score):
        with pytest.raises(BadRecord, match=r"emails\[9\]@0 is not on the log"):
            ask(MailPlace(9, 0))
