"""The first record of a log's model decides its kind, for all that start at the same moment."""

from __future__ import annotations

import pytest

from consumers.combiner.stage import CombinerStage
from consumers.errors import OtherModel
from consumers.log.base import ProducerRecord
from consumers.log.memory import MemoryLog
from consumers.model.changelog import MODEL_PARTITION
from consumers.model.replica import Replica
from consumers.records.schemas import MODEL
from consumers.settings import LearnerSettings, Settings
from tests.support.memory_log import new_log
from tests.support.worker_run import label, run_worker, short_mail

MAIL, WORDS, GRAMS = (
    Settings(learner=learner)
    for learner in (LearnerSettings(), LearnerSettings(model="multinomial"), LearnerSettings(grams=True))
)
PAIRS = [(MAIL, WORDS, "mail"), (WORDS, MAIL, "multinomial or boolean"), (MAIL, GRAMS, "false"), (GRAMS, MAIL, "true")]
LESSON = (short_mail("a", "money"), label("a", "spam"))


@pytest.fixture
def log():
    return new_log()


@pytest.mark.parametrize(("first", "second", "remedy"), PAIRS)
def test_of_two_models_that_begin_a_log_at_the_same_moment_the_first_goes_on(log, first, second, remedy):
    one, other = (Replica.load(MemoryLog(log.topics), settings) for settings in (first, second))
    one.ensure_key()
    with pytest.raises(OtherModel, match=f"set .* to {remedy}, or begin a fresh log"):
        other.ensure_key()

    assert len(log.topics.records[MODEL_PARTITION]) == 2
    with pytest.raises(OtherModel, match=f"set .* to {remedy}, or begin a fresh log"):
        Replica.load(log, second)
    assert run_worker(log, first, LESSON).replica.require_model().labels_learned == 1
    one.follow()
    assert one.require_model().labels_learned == 1


def test_models_of_the_same_counts_begin_one_log(log):
    boolean = Settings(learner=LearnerSettings(model="boolean"))
    one, other = (Replica.load(MemoryLog(log.topics), settings) for settings in (WORDS, boolean))
    one.ensure_key()
    other.ensure_key()
    assert one.require_model().key == other.require_model().key


@pytest.mark.parametrize("key", [b"key/start", b"key/Some Model/1", b"key//1", b"key/MailNB/"])
def test_a_record_that_names_no_kind_is_passed_over(log, key):
    log.append([ProducerRecord(MODEL, key, b"x" * 32, 0)])
    worker = run_worker(log, MAIL, LESSON)
    assert worker.replica.require_model().key != b"x" * 32
    assert Replica.load(log, MAIL).require_model().labels_learned == 1


def test_a_combiner_refuses_a_log_of_another_model(log):
    """It would write sums without the changes that it cannot read."""
    run_worker(log, MAIL, LESSON)
    stage = CombinerStage(log, WORDS, "c-0")
    with pytest.raises(OtherModel, match=r"set .* to mail"):
        for _ in range(9):
            stage.step()
