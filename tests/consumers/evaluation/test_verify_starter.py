"""A log that begins with a starter: changed and withdrawn labels are recounted, and answers mention the starter."""

from __future__ import annotations

import msgspec
import pytest

from consumers.evaluation.verify import verify
from consumers.explain.explainer import Explainer
from consumers.log import open_log
from consumers.model.files import put_model
from consumers.model.replica import Replica
from consumers.monitor.log_status import LogObserver
from consumers.records.messages import MailPlace
from consumers.records.schemas import TOPICS, MailRecord, encode
from consumers.records.skipped import SkippedRecords
from consumers.settings import Settings, SqliteSettings, WorkerSettings
from stream_nb import Mail, MailNB
from stream_nb.mail_nb.starter import starter
from tests.support.worker_run import label, message, run_worker, short_mail

SETTINGS = Settings(sqlite=SqliteSettings(retention_days=10.0), worker=WorkerSettings(poll_s=0.001))
WORDS = {"ham": "lunch at noon with the team", "spam": "free money for you now"}


def experienced() -> MailNB:
    model = MailNB(key=b"k" * 32)
    for number in range(40):
        name = ("ham", "spam")[number % 2]
        model.learn_one(f"{WORDS[name]} {name}{number % 7}", name)
    return model


@pytest.fixture
def log(tmp_path):
    with open_log(msgspec.structs.replace(SETTINGS, log=f"sqlite:{tmp_path}")) as log:
        log.create_topics(TOPICS, 1)
        yield log


def test_labels_on_a_starter_are_recounted_and_workers_resume_from_its_snapshot(log):
    start = starter(experienced())
    put_model(log, start)
    for first in (0, 10, 20):  # each time a new worker, which starts from the log
        mails = [short_mail(f"m{n}", f"{WORDS[('ham', 'spam')[n % 2]]} word{n}") for n in range(first, first + 10)]
        labels = [label(f"m{n}", ("ham", "spam")[n % 2]) for n in range(first, first + 10)]
        run_worker(log, SETTINGS, [*mails, *labels, label(f"m{first}", "spam"), label(f"m{first + 1}", None)])
    assert verify(log, SETTINGS).differences == []

    model = Replica.load(log, SETTINGS).model
    assert model is not None and model.labels_learned == 27
    assert model.statistics.starter.features == start.statistics.starter.features
    assert 0.0 < model.statistics.starter.share < 1.0
    run_worker(log, SETTINGS, [label(f"m{n}", None) for n in range(30)])
    withdrawn = Replica.load(log, SETTINGS).model
    assert withdrawn is not None and withdrawn == start


def test_explanations_and_the_log_status_mention_the_starter(log):
    put_model(log, starter(experienced()))
    run_worker(log, SETTINGS, [short_mail("m0", WORDS["spam"])])
    why = Explainer(log, SETTINGS).why(MailPlace(0, 0))
    assert why["starter"] == why["log_odds"] > 0.0 and why["labels_learned"] == 0
    run_worker(log, SETTINGS, [label("m0", "spam"), short_mail("m1", WORDS["ham"]), label("m1", "ham")])
    why = Explainer(log, SETTINGS).why(MailPlace(0, 0))
    assert 0.0 < why["log_odds"] != why["starter"]


def test_numbers_of_a_starter_are_restored_when_all_labels_are_withdrawn(log):
    model = MailNB(key=b"k" * 32)
    for number in range(40):
        model.learn_one(Mail((), features=(("size", 10.0 * (number % 2) + number % 3),)), ("ham", "spam")[number % 2])
    start = starter(model)
    put_model(log, start)
    mails = [
        message(f"m{n}", encode(MailRecord(f"m{n}", features={"size": 10.0 * (n % 2) + n % 5}))) for n in range(20)
    ]
    run_worker(log, SETTINGS, [*mails, *(label(f"m{n}", ("ham", "spam")[n % 2]) for n in range(20))])
    assert verify(log, SETTINGS).differences == []
    model = Replica.load(log, SETTINGS).model
    assert model is not None and model.statistics.numbers["size"]["ham"].n == 12.0
    run_worker(log, SETTINGS, [label(f"m{n}", None) for n in range(20)])
    withdrawn = Replica.load(log, SETTINGS).model
    assert withdrawn is not None and withdrawn == start
    assert LogObserver(log, SETTINGS, SkippedRecords()).status({}, ()).starter_share is None  # it knows no words
