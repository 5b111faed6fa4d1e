"""The mails to ask about, the least certain by the current model first; and what labels of such mails taught."""

from __future__ import annotations

import json
import re
import time

import msgspec
import pytest
from click.testing import CliRunner

from consumers.cli.main import cli
from consumers.errors import BadRecord
from consumers.explain.explainer import Explainer
from consumers.log.base import ProducerRecord, TopicPartition
from consumers.log.sqlite.log import SqliteLog
from consumers.monitor import ask_list as asking
from consumers.monitor.ask_list import ask_list, ask_pool
from consumers.monitor.search import MailSearch
from consumers.records.messages import MailPlace, read_message
from consumers.records.number_text import share_percentage
from consumers.records.replay import final_labels, read_predictions
from consumers.records.schemas import EMAILS, LABELS, TOPICS, LabelRecord, encode
from consumers.settings import Settings, WorkerSettings
from consumers.worker.worker import Worker
from stream_nb.active import margin
from tests.support.log_bench import make_bench
from tests.support.waiting import until
from tests.support.worker_run import run_worker

SETTINGS = Settings(worker=WorkerSettings(poll_s=0.001))
TEXTS = {"spam": "free money click now win", "ham": "lunch at noon in the canteen", "both": "free lunch money noon"}
BEGIN = time.time() - 3_600.0


def feed(log, names: list[str], labels: dict[str, str] | None = None) -> None:
    """Append mails, whose text depends on the first part of their name, then the labels."""
    for number, name in enumerate(names):
        text = f"From: <{name}@example.org>\nSubject: about {name}\n\n{TEXTS[name.partition('-')[0]]}".encode()
        log.append([ProducerRecord(EMAILS, name.encode(), text, 0, BEGIN + number)])
    for name, label in (labels or {}).items():
        log.append([ProducerRecord(LABELS, name.encode(), encode(LabelRecord(name, label, "ann", BEGIN)), 0, BEGIN)])


def work(folder) -> None:
    """Let a new worker process everything."""
    with SqliteLog(folder) as own:
        run_worker(own, SETTINGS)


@pytest.fixture
def log(tmp_path):
    with SqliteLog(tmp_path) as log:
        log.create_topics(TOPICS, 1)
        names = [f"{label}-{n}" for n in range(15) for label in ("spam", "ham")]
        feed(log, names, {name: name.partition("-")[0] for name in names})
        work(tmp_path)
        feed(log, ["ham-new", "both-0", "spam-new", "both-1"], {"both-1": "ham"})
        work(tmp_path)
        yield log


def asked(log, most=10):
    return ask_list(ask_pool(MailSearch(log).mails()), Explainer(log, SETTINGS), most)


def test_the_least_certain_unlabelled_mails_come_first(log):
    answer = asked(log)
    assert answer.mails[0].row.id == "both-0"
    assert {mail.row.id for mail in answer.mails} == {"both-0", "ham-new", "spam-new"}
    assert answer.unlabelled == 3
    model = Explainer(log, SETTINGS).replica().model
    for mail in answer.mails:
        record = log.read_at(TopicPartition(EMAILS, mail.row.place.partition), mail.row.place.offset)
        score = model.score(read_message(record, SETTINGS.learner.headers).mail)
        assert (mail.margin, mail.log_odds) == (margin(score), score.log_odds)
        assert [mail.label, mail.runner_up] == sorted(score.scores, key=score.scores.__getitem__, reverse=True)
    assert [mail.row.id for mail in asked(log, most=1).mails] == ["both-0"]


def test_the_order_is_that_of_the_current_scores_not_of_those_on_arrival(log):
    pool = ask_pool(MailSearch(log).mails())
    otherwise = pool._replace(candidates=pool.candidates[::-1])
    assert ask_list(otherwise, Explainer(log, SETTINGS), 10) == asked(log)


def test_a_mail_that_is_no_longer_on_the_log_is_left_out(log):
    pool = ask_pool(MailSearch(log).mails())
    gone = msgspec.structs.replace(pool.candidates[0], place=MailPlace(0, 999))
    assert ask_list(pool._replace(candidates=[gone, *pool.candidates]), Explainer(log, SETTINGS), 10) == asked(log)


def test_of_mails_with_the_same_sender_and_subject_only_the_newest_is_asked_about(log, tmp_path):
    """All copies of a newsletter used to fill the list, though a label of one answers for the others."""
    copies = [f"both-{n}" for n in range(2, 6)]
    for number, (name, subject) in enumerate([*((name, "weekly") for name in copies), ("bare-0", ""), ("bare-1", "")]):
        text = f"From: <a@example.org>\nSubject: {subject}\n\n{TEXTS['both']}".encode()
        log.append([ProducerRecord(EMAILS, name.encode(), text, 0, BEGIN + 100 + number)])
    work(tmp_path)
    assert {mail.row.id for mail in asked(log).mails} == {"both-0", "ham-new", "spam-new", "both-5", "bare-0", "bare-1"}
    assert asked(log).unlabelled == 9
    feed(log, [], {"both-5": "spam"})
    work(tmp_path)
    assert "both-4" in {mail.row.id for mail in asked(log).mails}


def test_uncertain_mails_are_rescored_and_labelled_ones_leave_the_list(log, tmp_path):
    before = {mail.row.id: mail.probability for mail in asked(log).mails}
    labels = {f"both-{n}": "spam" for n in range(2, 12)}
    feed(log, list(labels), labels)
    work(tmp_path)
    after = {mail.row.id: mail.probability for mail in asked(log).mails}
    assert set(after) == set(before)
    assert after["both-0"] > before["both-0"] + 0.3
    feed(log, [], {"both-0": "spam"})
    work(tmp_path)
    assert set(before) - {mail.row.id for mail in asked(log).mails} == {"both-0"}


def test_the_gains_equal_a_recount_of_the_log(log):
    answer, labels = asked(log), final_labels(log)
    kinds = {True: [0, 0], False: [0, 0]}
    for _, prediction in read_predictions(log):
        if prediction.id not in labels:
            continue
        scores = sorted(prediction.scores.values(), reverse=True)
        near = len(scores) < 2 or scores[0] - scores[1] <= 1.0
        kinds[near][0] += 1
        kinds[near][1] += prediction.label != labels[prediction.id]
    found = {True: answer.gains, False: answer.other_gains}
    assert {near: [gains.labels, gains.corrected] for near, gains in found.items()} == kinds
    assert answer.gains.labels + answer.other_gains.labels == len(labels) == 31
    replica = Explainer(log, SETTINGS).replica()
    weights = [entry.update.weight for entry in replica.ledger(0).entries.values() if entry.update]
    assert answer.gains.taught + answer.other_gains.taught == pytest.approx(sum(weights) / 256)
    assert answer.gains.taught > 0


def test_a_limited_number_of_mails_is_rescored(log, monkeypatch):
    monkeypatch.setattr(asking, "CANDIDATES", 2)
    assert len(asked(log).mails) == 2
    monkeypatch.setattr(asking, "CANDIDATES", 1)
    assert [mail.row.id for mail in asked(log).mails] == ["both-0"], "the least certain on arrival"
    monkeypatch.setattr(asking, "LATEST", 1)
    assert [mail.row.id for mail in asked(log).mails] == ["spam-new"]


@pytest.mark.parametrize("kind", ["sqlite", "kafka"])
def test_the_list_is_made_on_each_kind_of_log(kind, request, tmp_path):
    bench = make_bench(kind, request, tmp_path)
    try:
        log = bench.ready()
        worker = Worker(bench.open(), SETTINGS, "w-0")
        names = [f"{label}-{n}" for n in range(6) for label in ("spam", "ham")]
        feed(log, names, {name: name.partition("-")[0] for name in names})
        until(
            lambda: not worker.step() and (worker.replica.model and worker.replica.model.labels_learned == len(names))
        )
        feed(log, ["ham-new", "both-0"])
        until(lambda: not worker.step() and len(list(read_predictions(log))) == len(names) + 2)
        answer = asked(log)
        assert [mail.row.id for mail in answer.mails] == ["both-0", "ham-new"]
        assert answer.gains.labels + answer.other_gains.labels == len(names)
        worker.consumer.close()
    finally:
        bench.close()


def test_the_command_prints_the_list_as_text_and_json(log, tmp_path):
    def run(*options):
        return CliRunner().invoke(cli, ["ask", "--log", f"sqlite:{tmp_path}", *options], standalone_mode=False)

    text = run("--most", "1")
    lines = text.stdout.splitlines()
    assert lines[0].endswith("<both-0@example.org>") and re.search(r"\d % spam  20\d\d-\d\d-\d\d \d\d:\d\d  ", lines[0])
    assert [line.strip() for line in lines[1:3]] == ["about both-0", "both-0"] and " leads " in lines[3]
    assert len(lines) == 4
    assert "corrected the prediction" in text.stderr
    fields = json.loads(run("--json").stdout)
    assert fields["mails"][0]["row"]["id"] == "both-0" and len(fields["mails"]) == 3


def test_the_text_has_the_numbers_of_the_json(log, tmp_path):
    def run(*options):
        return CliRunner().invoke(cli, ["ask", "--log", f"sqlite:{tmp_path}", *options], standalone_mode=False)

    text, fields = run(), json.loads(run("--json").stdout)
    shown = text.stdout.splitlines()
    for number, mail in enumerate(fields["mails"]):
        assert shown[4 * number].startswith(f"{share_percentage(mail['probability'], 0):>3} % spam  ")
        new = f"; {mail['unseen']} of its {mail['known'] + mail['unseen']} words and pairs are new"
        lead = f"{mail['label']} leads {mail['runner_up']} by {mail['margin']:.2f} in log-odds"
        assert shown[4 * number + 3].strip() == lead + (new if mail["unseen"] else "")
    assert text.stderr.startswith(f"{fields['uncertain']} of the latest {fields['unlabelled']} mails without a label ")
    for name, gains in (("labels of such mails", fields["gains"]), ("all other labels", fields["other_gains"])):
        corrected = f"{gains['corrected']} of {gains['labels']} corrected the prediction"
        each = gains["taught"] / gains["labels"]
        assert f"{name}: {corrected}, and each taught {each:.2f} of a mail\n" in text.stderr


@pytest.mark.parametrize(("labels", "prediction"), [({}, "no class"), ({"ham-0": "ham"}, "ham")])
def test_a_model_of_fewer_than_two_classes_is_named_as_the_reason(tmp_path, monkeypatch, labels, prediction):
    with SqliteLog(tmp_path) as log:
        log.create_topics(TOPICS, 1)
        feed(log, ["ham-0", "both-0"], labels)
        work(tmp_path)
        monkeypatch.setattr(asking, "CANDIDATES", 1)
        assert [mail.row.id for mail in asked(log).mails] == ["both-0"], "of equally certain mails the newer"
    options = ["ask", "--log", f"sqlite:{tmp_path}", "--most", "1"]
    ran = CliRunner().invoke(cli, options, standalone_mode=False)
    lines = ran.stdout.splitlines()
    assert lines[0].startswith(f"{prediction}  20") and "the model knows fewer than two classes" in lines[3]
    assert "all other labels: none\n" in ran.stderr


def test_a_mail_between_two_other_classes_has_no_percentage_of_spam(log, tmp_path):
    options = ["ask", "--log", f"sqlite:{tmp_path}", "--most", "1"]
    environment = {"STREAM_NB_LEARNER_POSITIVE": "offer"}
    lines = CliRunner(env=environment).invoke(cli, options, standalone_mode=False).stdout.splitlines()
    assert re.match(r"(ham|spam)  20\d\d-", lines[0]) and " leads " in lines[3]


def test_the_command_reports_a_missing_model_and_an_empty_list(tmp_path):
    with SqliteLog(tmp_path) as log:
        log.create_topics(TOPICS, 1)

    def run():
        return CliRunner().invoke(cli, ["ask", "--log", f"sqlite:{tmp_path}"], standalone_mode=False)

    assert isinstance(run().exception, BadRecord) and "no worker is ready" in str(run().exception)
    with SqliteLog(tmp_path) as log:
        work(tmp_path)
    assert run().stdout == "no mail without a label\n"
