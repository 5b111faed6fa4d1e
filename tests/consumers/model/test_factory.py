"""A log remembers whether its model has character n-grams, and everything else stays exact with them."""

from __future__ import annotations

import msgspec
import pytest

from consumers.errors import OtherModel, UserError
from consumers.log.memory import MemoryLog, Topics
from consumers.model.factory import new_model, new_policy, restore_model
from consumers.model.replica import Replica
from consumers.records.schemas import TOPICS
from consumers.settings import LearnerSettings, Settings
from consumers.worker.worker import Worker
from tests.support.worker_run import label, loaded_alike, short_mail, step_until_done

PLAIN = msgspec.convert({"worker": {"poll_s": 0.001}}, Settings)
SETTINGS = msgspec.structs.replace(PLAIN, learner=LearnerSettings(grams=True))


@pytest.fixture
def topics():
    topics = Topics()
    MemoryLog(topics).create_topics(TOPICS, 2)
    return topics


def learned(topics, settings=SETTINGS):
    log = MemoryLog(topics)
    worker = Worker(log, settings, "w-0")
    for n in range(40):
        log.append([short_mail(f"m{n}", f"money for lunch {n % 7}"), label(f"m{n}", "spam" if n % 3 else "ham")])
        worker.step()
    for n in range(10):
        log.append([label(f"m{n}", "other")])
    step_until_done(worker)
    return worker


def test_labels_that_change_leave_no_difference(topics):
    worker = learned(topics)
    loaded_alike(topics, SETTINGS, worker.replica)
    assert any(term.kind == "gram" for term in worker.replica.model.evidence("lunch").terms)


@pytest.mark.parametrize(("first", "second", "mend"), [(SETTINGS, PLAIN, "true"), (PLAIN, SETTINGS, "false")])
def test_a_log_keeps_its_choice(topics, first, second, mend):
    worker = learned(topics, first)
    with pytest.raises(OtherModel, match=rf"\[learner\] grams .*set it to {mend}, or begin a fresh log"):
        Replica.load(MemoryLog(topics), second)
    with pytest.raises(OtherModel, match=rf"set it to {mend}"):
        restore_model(second.learner, worker.replica.model.to_bytes())


def test_textbook_models_have_none():
    with pytest.raises(UserError, match=r"\[learner\] grams is for the mail model, but the model is multinomial"):
        new_model(LearnerSettings(model="multinomial", grams=True))


def test_what_is_unsure_is_no_positive_class():
    """Otherwise a filter would ask for an action on each mail that the policy cannot decide on."""
    with pytest.raises(UserError, match=r"\[learner\] positive is 'unsure', .*: give the name of a class"):
        new_policy(LearnerSettings(positive="unsure", unsure=1.0))
