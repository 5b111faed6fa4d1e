"""Mails and labels handled many at a time give the same results as one by one, whatever their history."""

from __future__ import annotations

import random
import time
from unittest import mock

import msgspec
import pytest

from consumers.evaluation.verify import verify
from consumers.log.base import ProducerRecord
from consumers.model.textbook import TextbookModel
from consumers.records.schemas import EMAILS, MODEL, SILENCE
from consumers.settings import LearnerSettings, Settings, WorkerSettings
from consumers.worker import model_queue, reading
from consumers.worker.worker import Worker
from tests.support.few_mails import TEXTS
from tests.support.memory_log import new_log
from tests.support.outputs import predictions, quarantine_reasons
from tests.support.worker_run import EVERYTHING, NEAR_ERROR, label, message, short_mail, step_until_done

SETTINGS = {
    "near error": NEAR_ERROR,
    "everything": EVERYTHING,
    "threshold by losses": Settings(learner=LearnerSettings(lose_at_most=0.01)),
    "small memory": Settings(
        learner=LearnerSettings(max_classes=3), worker=WorkerSettings(remember_mails=3, remember_labels=5)
    ),
    "quota": Settings(worker=WorkerSettings(source_cap_per_hour=3)),
    "decay": Settings(learner=LearnerSettings(half_life=10), worker=WorkerSettings(poll_records=30)),
    "textbook": Settings(learner=LearnerSettings(model="multinomial")),
}


def history(seed):
    """Mails, some bad or twice, and labels of three sources: early, late, changed, withdrawn, of rare classes."""
    rng, start = random.Random(seed), time.time() - 1000
    names, words = [f"m{number}" for number in range(rng.choice([10, 40]))], [f"w{number}" for number in range(60)]
    records = []
    for number in range(rng.randrange(20, 200)):
        name = rng.choice(names)
        if rng.random() < 0.5:
            mail = short_mail(name, f"From: {rng.choice('ab')}@example.org\n\n{' '.join(rng.choices(words, k=20))}")
            record = mail if rng.random() < 0.9 else message(name, b"")
        else:
            given = rng.choice(["ham", "ham", "spam", "spam", "list", None, 1])
            record = label(name, given, rng.choice(["ann", "ben", SILENCE]), forget=rng.random() < 0.1)
        records.append(record._replace(timestamp=start + number))
    return records


def outcome(records, settings, at_once):
    """What a worker makes of a log, after `verify` has found no difference."""
    with mock.patch.object(model_queue, "AT_ONCE", at_once), mock.patch.object(reading, "AT_ONCE", at_once):
        log = new_log(2)
        kind = b"MultinomialNB" if settings.learner.model == "multinomial" else b"MailNB"
        log.append([ProducerRecord(MODEL, b"key/%b/test" % kind, b"k" * 32, 0), *records])
        worker = Worker(log, settings, "w-0")
        step_until_done(worker)
    assert verify(log, settings).differences == []
    scored = [(p.id, p.label, p.threshold, p.scores, p.known, p.labels_learned) for p in predictions(log)]
    entries = [[*worker.replica.ledger(partition).entries.values()] for partition in range(2)]
    learned = [[(each.id, each.votes and each.label, each.update) for each in part] for part in entries]
    return scored, quarantine_reasons(log), worker.replica.require_model().to_bytes(), learned


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
def test_random_histories(settings, seed):
    settings = msgspec.structs.replace(settings, worker=msgspec.structs.replace(settings.worker, poll_s=0.001))
    records = history(seed)
    expected = outcome(records, settings, at_once=1)
    for at_once in (2, 7, 64):
        assert outcome(records, settings, at_once) == expected


@pytest.mark.parametrize("at_once", [2, 3, 64])
def test_bad_records_a_duplicate_and_labels_before_between_and_after_mails(at_once):
    records = [message(name, TEXTS["abcd"[i % 4]]) for i, name in enumerate("pqrstuvwxyz")]
    records[9:9] = [
        label("p", "spam"),
        message("q", TEXTS["a"]),
        ProducerRecord(EMAILS, b"bad", b""),
        label("s", "ham"),
    ]
    records[2:2] = [label("p", "ham"), label("z", "spam"), label("q", "spam"), label("w", "ham")]
    start = time.time() - 100
    records = [record._replace(timestamp=start + i) for i, record in enumerate(records)]
    together = outcome(records, NEAR_ERROR, at_once)
    assert sorted(together[1]) == ["duplicate-id", "empty"]
    assert len({labels_learned for *_, labels_learned in together[0]}) >= 4, "the model changed between the mails"
    assert together == outcome(records, NEAR_ERROR, at_once=1)


def test_labels_in_one_poll_name_no_more_classes_than_allowed():
    names = [f"m{number}" for number in range(8)]
    given = ["ham", "spam", "ham", "list", "news", "spam", "list", "ham"]
    mails = [short_mail(name, "some words") for name in names]
    records = [record._replace(partition=0) for record in [*mails, *map(label, names, given)]]
    settings = Settings(learner=LearnerSettings(max_classes=2), worker=WorkerSettings(poll_s=0.001))
    _, reasons, _, learned = outcome(records, settings, 64)
    assert reasons == ["too-many-classes"] * 3
    assert sorted(update.label for part in learned for *_, update in part if update) == ["ham"] * 3 + ["spam"] * 2


def test_a_textbook_model_scores_no_mail_again_when_it_learns_its_label(monkeypatch):
    scored: list[object] = []
    score = TextbookModel.score
    monkeypatch.setattr(TextbookModel, "score", lambda model, x: scored.append(x) or score(model, x))
    log = new_log()
    worker = Worker(log, SETTINGS["textbook"], "w-0")
    log.append([short_mail(f"m{n}", "some words") for n in range(10)])
    log.append([label(f"m{n}", "ham" if n % 2 else "spam") for n in range(10)])
    step_until_done(worker)

    assert worker.totals.labels == worker.replica.require_model().labels_learned == len(scored) == 10
