"""Changes of the policy on the log affect later mails, are checked, and can be undone."""

from __future__ import annotations

import math
import time

import msgspec
import pytest

from consumers.errors import BadRecord
from consumers.evaluation.verify import verify
from consumers.log.base import ProducerRecord, Record, TopicPartition
from consumers.log.memory import MemoryLog
from consumers.log.sqlite.log import SqliteLog
from consumers.model.policy import OF_SETTINGS, PolicyFollower
from consumers.model.policy_editor import PolicyEditor
from consumers.records.policy import KEPT, POLICY_PARTITION, PolicyRecord, PolicyValues, policy_record, read_policy
from consumers.records.replay import read_predictions
from consumers.records.schemas import EMAILS, LABELS, POLICY, PREDICTIONS, TOPICS, LabelRecord, PredictionRecord, encode
from consumers.records.skipped import SkippedRecords
from consumers.records.values import MAX_LOG_ODDS
from consumers.settings import LearnerSettings, Settings, WorkerSettings
from consumers.worker.worker import Worker
from stream_nb.mail_nb.decision import Policy
from tests.support.memory_log import new_log
from tests.support.worker_run import step_until_done

SETTINGS = Settings(
    worker=WorkerSettings(poll_s=0.001), learner=LearnerSettings(learn="everything", trust=False, threshold=0.5)
)
WORDS = {"spam": "free money click now", "ham": "lunch at noon canteen", "news": "paper print morning edition"}


@pytest.fixture
def log() -> MemoryLog:
    return new_log(2)


def editor(log, learner: LearnerSettings = SETTINGS.learner) -> PolicyEditor:
    return PolicyEditor(log, learner)


def feed(log, names: list[str], labelled: bool = False) -> None:
    """Append mails, each of the class before the hyphen in its name, and their labels if `labelled`."""
    now = time.time()
    for name in names:
        truth = name.partition("-")[0]
        log.append([ProducerRecord(EMAILS, name.encode(), f"Subject: {WORDS[truth]}\n\nx".encode(), 0, now)])
        if labelled:
            log.append([ProducerRecord(LABELS, name.encode(), encode(LabelRecord(name, truth, "ann", now)), 0, now)])


def work(log, settings: Settings = SETTINGS) -> Worker:
    worker = Worker(log, settings, "w-0")
    step_until_done(worker)
    return worker


def predictions_by_id(log) -> dict[str, PredictionRecord]:
    return {prediction.id: prediction for _, prediction in read_predictions(log)}


def train(log, classes: tuple[str, ...]) -> Worker:
    feed(log, [f"{name}-{n}" for n in range(4) for name in classes], labelled=True)
    return work(log)


@pytest.mark.parametrize("classes", [("spam", "ham"), ("spam", "ham", "news")])
def test_a_change_applies_to_later_mails_and_older_predictions_keep_their_policy(log, classes):
    worker = train(log, classes)
    before = predictions_by_id(log)
    assert {prediction.policy for prediction in before.values()} == {OF_SETTINGS}
    assert {prediction.threshold for prediction in before.values()} == {0.5}
    state = editor(log).change(PolicyValues(threshold=900.0), "ann")
    feed(log, ["spam-late"])
    step_until_done(worker)
    late = predictions_by_id(log)["spam-late"]
    assert (late.threshold, late.policy) == (900.0, state.offset)
    assert late.label != "spam"
    state = editor(log).change(PolicyValues(unsure=1e6), "ann")
    feed(log, ["ham-late"])
    restarted = work(log)  # a new worker reads the change from the log
    assert (predictions_by_id(log)["ham-late"].label, predictions_by_id(log)["ham-late"].policy) == (
        "unsure",
        state.offset,
    )
    assert editor(log).undo("bob").in_force == PolicyValues(threshold=900.0)
    assert editor(log).change(None, "bob").in_force.threshold == 0.5
    feed(log, ["spam-last"])
    step_until_done(restarted)
    assert (predictions_by_id(log)["spam-last"].label, predictions_by_id(log)["spam-last"].threshold) == ("spam", 0.5)
    assert {name: predictions_by_id(log)[name] for name in before} == before
    assert verify(log, SETTINGS).differences == []


def test_changes_keep_source_and_time_and_undo_needs_the_newest_change(log):
    with pytest.raises(BadRecord, match="nothing to undo"):
        editor(log).undo("ann")
    newest = PolicyEditor(log, SETTINGS.learner, lambda: 12.0).change(PolicyValues(unsure=1.0), "an\u202en").offset
    with pytest.raises(BadRecord, match="changed again meanwhile"):
        editor(log).undo("bob", newest - 1)
    state = editor(log).undo("bob", newest)
    assert [(change.source, change.policy) for change in state.changes] == [
        ("bob", None),
        ("an⟨U+202E⟩n", PolicyValues(unsure=1.0)),
    ]
    assert state.changes[1].timestamp == 12.0
    assert state.in_force == PolicyValues(threshold=0.5)


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        (b"policy/0", b'{"policy":{"threshold":1e13},"source":"x","timestamp":0}', "bad-json"),
        (b"policy/0", b'{"policy":{"threshold":null},"source":"x","timestamp":0}', "bad-json"),
        (b"policy/0", b'{"policy":{"unsure":-1},"source":"x","timestamp":0}', "bad-json"),
        (b"policy/0", b'{"policy":{"smoothing":1},"source":"x","timestamp":0}', "bad-json"),
        (b"policy/0", b'{"policy":{"lose_at_most":0.1,"false_positive_cost":2},"source":"x","timestamp":0}', "bad-pol"),
        (b"policy/0", b'{"policy":null,"source":"%s","timestamp":0}' % (300 * b"x"), "bad-source"),
        (b"policy/0", None, "bad-json"),
        (b"policy/256", b'{"policy":null,"source":"x","timestamp":0}', "bad-key"),
        (b"policy/\xc2\xb2", b'{"policy":null,"source":"x","timestamp":0}', "bad-key"),
        (None, b'{"policy":null,"source":"x","timestamp":0}', "bad-key"),
    ],
)
def test_an_invalid_policy_record_is_skipped_by_worker_verify_and_editor(log, key, value, reason):
    with pytest.raises(BadRecord, match=reason):
        read_policy(Record(POLICY, 0, 0, key, value, 0.0))
    log.append([ProducerRecord(POLICY, key, value, 0)])
    worker = train(log, ("spam", "ham"))
    assert {prediction.policy for prediction in predictions_by_id(log).values()} == {OF_SETTINGS}
    assert worker.replica.skipped.count == 1
    assert verify(log, SETTINGS).differences == []
    assert editor(log).state().changes == []


def test_a_policy_that_the_workers_model_does_not_support_is_skipped(log):
    textbook = msgspec.structs.replace(SETTINGS, learner=LearnerSettings(model="multinomial"))
    with pytest.raises(BadRecord, match="lose_at_most needs"):
        editor(log, textbook.learner).change(PolicyValues(lose_at_most=0.1), "ann")
    editor(log).change(PolicyValues(lose_at_most=0.1), "ann")
    feed(log, ["spam-a", "ham-a"], labelled=True)
    worker = work(log, textbook)
    assert {prediction.policy for prediction in predictions_by_id(log).values()} == {OF_SETTINGS}
    assert worker.replica.skipped.count == 1
    assert verify(log, textbook).differences == []


def test_an_infinite_threshold_is_written_as_the_largest_log_odds(log, monkeypatch):
    """`lose_at_most` may set the threshold to infinity, which JSON cannot represent."""
    worker = train(log, ("spam", "ham"))
    monkeypatch.setattr(Policy, "threshold_for", lambda policy, model: math.inf)
    editor(log).change(PolicyValues(lose_at_most=0.0), "ann")
    feed(log, ["ham-late", "spam-late"])
    step_until_done(worker)
    assert (predictions_by_id(log)["spam-late"].label, predictions_by_id(log)["spam-late"].threshold) == (
        "ham",
        MAX_LOG_ODDS,
    )
    assert verify(log, SETTINGS).differences == []


def test_predictions_follow_from_the_positive_class_that_they_were_made_for(log):
    """`[learner] positive` may change afterwards."""
    train(log, ("spam", "ham"))
    editor(log).change(PolicyValues(threshold=-100.0), "ann")
    feed(log, ["ham-late"])
    work(log)
    assert predictions_by_id(log)["ham-late"].label == "spam"
    now = msgspec.structs.replace(SETTINGS, learner=msgspec.structs.replace(SETTINGS.learner, positive="ham"))
    assert verify(log, now).differences == []


@pytest.mark.parametrize("forgery", [{"label": "ham"}, {"threshold": 2.0}, {"positive": "unsure"}])
def test_verify_reports_a_prediction_that_does_not_follow_from_its_policy(log, forgery):
    editor(log).change(PolicyValues(threshold=1.0), "ann")
    train(log, ("spam", "ham"))
    feed(log, ["spam-late"])
    work(log)
    place = TopicPartition(PREDICTIONS, 0)
    number = next(
        n for n, r in enumerate(log.topics.records[place]) if predictions_by_id(log)[r.key.decode()].label == "spam"
    )
    record = log.topics.records[place][number]
    prediction = msgspec.structs.replace(predictions_by_id(log)[record.key.decode()], **forgery)
    log.topics.records[place][number] = record._replace(value=encode(prediction))
    (difference,) = verify(log, SETTINGS).differences
    assert "does not follow from its scores by policy@0" in difference


def test_verify_reports_a_prediction_that_ignores_a_later_change(log):
    train(log, ("spam", "ham"))
    editor(log).change(PolicyValues(threshold=1.0), "ann")
    feed(log, ["ham-late"])
    work(log)
    stale = msgspec.structs.replace(predictions_by_id(log)["ham-late"], id="x", next_offset=99, policy=OF_SETTINGS)
    log.append([ProducerRecord(PREDICTIONS, b"x", encode(stale), 0)])
    assert any("after one by policy@0" in line for line in verify(log, SETTINGS).differences)


def test_the_policy_topic_keeps_only_the_latest_changes(tmp_path):
    with SqliteLog(tmp_path) as log:
        log.create_topics(TOPICS, 1)
        slot = -1
        for number in range(KEPT + 3):
            record = policy_record(PolicyRecord(PolicyValues(threshold=float(number)), "ann", 0.0), slot)
            log.append([record])
            slot = PolicyFollower(log, SETTINGS.learner, SkippedRecords()).last_slot if number > KEPT - 5 else number
        kept = list(log.scan(POLICY_PARTITION))
        assert len(kept) == KEPT
        assert editor(log).state().in_force.threshold == KEPT + 2.0
        assert editor(log).undo("ann").in_force.threshold == KEPT + 1.0
