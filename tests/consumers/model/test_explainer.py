"""Explanations are right, and asking for them leaves the replica's model as it is."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import pytest

from consumers.errors import BadRecord
from consumers.log.base import ProducerRecord, TopicPartition
from consumers.log.memory import MemoryLog, Topics
from consumers.model.explainer import Explainer
from consumers.model.replica import Replica
from consumers.records.messages import MailPlace, read_message
from consumers.records.schemas import EMAILS, LABELS, SILENCE, TOPICS, LabelRecord, encode
from consumers.settings import Settings, WorkerSettings
from consumers.worker.worker import Worker
from stream_nb import MailNB
from stream_nb.mail_nb.vocabulary import strongest
from stream_nb.types import Mail

SETTINGS = Settings(worker=WorkerSettings(poll_s=0.001))
WORDS = {"spam": "cheap pills winner money casino offer", "ham": "meeting minutes lunch project review draft"}
MAILS = 80
LABELLED, DOUBTFUL, UNLABELLED = "m0", "doubtful", f"m{MAILS - 1}"

QUESTIONS: dict[str, Callable[[Explainer, MemoryLog], object]] = {
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
    """Mails of two classes, three in four labelled and learned, one of them near the threshold."""
    log = MemoryLog(Topics())
    log.create_topics(TOPICS, 2)
    draw = random.Random(5)
    labels = {f"m{number}": draw.choice(["spam", "ham", "ham"]) for number in range(MAILS)}
    for name, label in labels.items():
        log.append([mail(name, f"{label} number {name}", " ".join(draw.choices(WORDS[label].split(), k=6)))])
    log.append([mail(DOUBTFUL, "cheap lunch offer", "cheap meeting offer project")])
    for name in list(labels)[: 3 * MAILS // 4]:
        record = LabelRecord(name, labels[name], "people", time.time())
        log.append([ProducerRecord(LABELS, name.encode(), encode(record))])
    work(log)
    return log


@pytest.fixture
def explainer(log) -> Explainer:
    return Explainer(log, SETTINGS)


def work(log: MemoryLog) -> None:
    """Let a worker do all that there is."""
    worker, idle = Worker(log, SETTINGS, "worker-0"), 0
    while idle < 3:
        idle = 0 if worker.step() else idle + 1


def model_of(log: MemoryLog) -> MailNB:
    model = Replica.load(log, SETTINGS).model
    assert model is not None
    return model


def find(log, message_id: str):
    """The place of a mail and the mail."""
    for partition in range(2):
        for record in log.scan(TopicPartition(EMAILS, partition)):
            if record.key == message_id.encode():
                return MailPlace(partition, record.offset), read_message(record, SETTINGS.learner.headers).mail
    raise AssertionError(message_id)


def place_of(log: MemoryLog, message_id: str) -> MailPlace:
    return find(log, message_id)[0]


@pytest.mark.parametrize("name", QUESTIONS)
def test_no_question_changes_the_replica(explainer, log, name):
    model = explainer.replica().model
    before = model.to_bytes()
    assert QUESTIONS[name](explainer, log)
    assert explainer.replica().model is model
    assert model.to_bytes() == before == model_of(log).to_bytes()


@pytest.mark.parametrize("name", QUESTIONS)
def test_no_question_learns_on_the_replica_even_for_a_moment(explainer, log, name, monkeypatch):
    shared = explainer.replica().model
    for method in ("apply_update", "revert_update", "learn_one", "unlearn_one", "merge", "unmerge", "evict"):
        monkeypatch.setattr(MailNB, method, guarded(getattr(MailNB, method), shared))
    smoothing: list[float] = []
    monkeypatch.setattr(MailNB, "score", noting(MailNB.score, shared, smoothing))
    assert QUESTIONS[name](explainer, log)
    assert set(smoothing) <= {SETTINGS.learner.smoothing}


def guarded(method, shared):
    def call(model, *arguments, **named):
        assert model is not shared, f"{method.__name__} of the replica's model"
        return method(model, *arguments, **named)

    return call


def noting(score, shared, smoothing):
    def call(model, x):
        if model is shared:
            smoothing.append(model.smoothing)
        return score(model, x)

    return call


@pytest.mark.parametrize("name", [name for name in QUESTIONS if name.startswith(("why", "smoothing"))])
def test_a_question_that_fails_halfway_changes_nothing(explainer, log, name, monkeypatch):
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
        QUESTIONS[name](explainer, log)
    assert (model.to_bytes(), model.smoothing) == (before, SETTINGS.learner.smoothing)


@pytest.mark.parametrize("name", [DOUBTFUL, LABELLED])
@pytest.mark.parametrize("label", ["ham", "spam"])
def test_what_if_is_what_then_happens(log, explainer, name, label):
    place, content = find(log, name)
    promised = explainer.why(place)["if_labelled"][label]
    record = LabelRecord(name, label, SETTINGS.dashboard.source, time.time())
    log.append([ProducerRecord(LABELS, name.encode(), encode(record))])
    work(log)
    assert explainer.score(place)["log_odds"] == pytest.approx(promised, abs=1e-9)
    assert model_of(log).score(content).log_odds == pytest.approx(promised, abs=1e-9)


def test_the_same_label_from_another_source_is_learned_anew(log, explainer):
    """By the current score: an early label, which was learned in full, then counts less."""
    ledgers = explainer.replica().ledgers.values()
    early = next(entry for ledger in ledgers for entry in ledger.entries.values() if entry.update.weight == 256)
    place, _ = find(log, early.id)
    why = explainer.why(place)
    promised = why["if_labelled"][early.label]
    assert promised != pytest.approx(why["log_odds"], abs=1e-6)
    record = LabelRecord(early.id, early.label, SETTINGS.dashboard.source, time.time())
    log.append([ProducerRecord(LABELS, early.id.encode(), encode(record))])
    work(log)
    assert explainer.score(place)["log_odds"] == pytest.approx(promised, abs=1e-9)


def test_terms_rest_and_bias_add_up_to_the_score(log, explainer):
    place, content = find(log, LABELLED)
    why = explainer.why(place)
    assert why["log_odds"] == pytest.approx(model_of(log).score(content).log_odds, abs=1e-12)
    total = why["bias"] + why["rest"]["weight"] + sum(term["weight"] for term in why["terms"])
    assert total == pytest.approx(why["log_odds"], abs=1e-9)


def test_without_the_flip_terms_the_mail_would_be_on_the_other_side(log, explainer):
    why = explainer.why(find(log, DOUBTFUL)[0])
    by_text = {term["text"]: term["weight"] for term in why["terms"]}
    assert why["flip"]
    left = why["log_odds"] - sum(by_text[text] for text in why["flip"])
    assert (left > 0) != (why["log_odds"] > 0)


def test_smoothing_in_use_scores_as_learned_without_the_mails_own_label(log, explainer):
    curve = explainer.smoothing()
    assert curve["mails"] == 3 * MAILS // 4
    assert curve["in_use"] == SETTINGS.learner.smoothing
    accuracy = {point["smoothing"]: point["accuracy"] for point in curve["grid"]}
    replica = Replica.load(log, SETTINGS)
    entries = [entry for ledger in replica.ledgers.values() for entry in ledger.entries.values()]
    right = 0
    for entry in entries:
        model = replica.model.copy()
        content = find(log, entry.id)[1]
        model.revert_update(content, entry.update)
        right += (model.score(content).log_odds > 0) == (entry.label == "spam")
    assert accuracy[SETTINGS.learner.smoothing] == pytest.approx(right / len(entries))


def test_smoothing_is_measured_on_labels_of_people_alone(log, explainer):
    before = explainer.smoothing()["mails"]
    silent = LabelRecord(UNLABELLED, "ham", SILENCE, time.time())
    log.append([ProducerRecord(LABELS, UNLABELLED.encode(), encode(silent))])
    work(log)
    assert explainer.replica().require_model().labels_learned == before + 1
    assert explainer.smoothing()["mails"] == before


def test_a_word_of_a_subject_is_looked_up_in_subjects(explainer):
    _, subject = explainer.word("number")["found"]
    assert sum(subject["counts"].values()) > 1.0
    assert subject["text"] == "subject:number"
    assert explainer.word("subject:number")["found"] == [subject]


def test_a_word_that_was_never_learned_is_not_found(explainer):
    assert explainer.word("neverseen")["found"] == []
    assert [entry["text"] for entry in explainer.word("pills")["found"]] == ["pills"]


def test_the_history_of_a_weight_ends_at_its_current_value(log, explainer):
    course = explainer.word("pills")["found"][0]["course"]
    strong = next(term for term in strongest(model_of(log), "spam", n=1000) if term.text == "pills")
    assert course[-1]["weight"] == pytest.approx(strong.weight)
    assert [point["timestamp"] for point in course] == sorted(point["timestamp"] for point in course)


def test_without_a_worker_there_is_no_model_to_ask():
    log = MemoryLog(Topics())
    log.create_topics(TOPICS, 1)
    with pytest.raises(BadRecord, match="no worker has started"):
        Explainer(log, SETTINGS).words()


def test_a_mail_of_a_partition_that_is_not_there_is_refused(explainer):
    for ask in (explainer.why, explainer.score):
        with pytest.raises(BadRecord, match=r"emails\[9\]@0 is not on the log"):
            ask(MailPlace(9, 0))
