"""The model of a log: by default the library's; with character n-grams, which a log keeps, counts stay exact."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from consumers.errors import OtherModel, UserError
from consumers.log.memory import MemoryLog
from consumers.model.factory import new_model, new_policy, restore_model, saved_model
from consumers.model.replica import Replica
from consumers.model.textbook_input import READS
from consumers.settings import SECTIONS, LearnerSettings, Settings
from consumers.worker.worker import Worker
from stream_nb import MailNB, MultinomialNB, SnapshotError
from stream_nb.registry import MODELS
from tests.support.worker_run import label, loaded_alike, short_mail, step_until_done

PLAIN = msgspec.convert({"worker": {"poll_s": 0.001}}, Settings)
SETTINGS = msgspec.structs.replace(PLAIN, learner=LearnerSettings(grams=True))


def worker_with_changed_labels(topics, settings=SETTINGS):
    log = MemoryLog(topics)
    worker = Worker(log, settings, "w-0")
    for n in range(40):
        log.append([short_mail(f"m{n}", f"money for lunch {n % 7}"), label(f"m{n}", "spam" if n % 3 else "ham")])
        worker.step()
    for n in range(10):
        log.append([label(f"m{n}", "other")])
    step_until_done(worker)
    return worker


def test_with_n_grams_changed_labels_leave_no_difference(topics):
    worker = worker_with_changed_labels(topics)
    loaded_alike(topics, SETTINGS, worker.replica)
    assert any(term.kind == "gram" for term in worker.replica.model.evidence("lunch").terms)


@pytest.mark.parametrize(("first", "second", "remedy"), [(SETTINGS, PLAIN, "true"), (PLAIN, SETTINGS, "false")])
def test_a_log_of_the_other_n_gram_setting_is_refused_with_the_remedy(topics, first, second, remedy):
    worker = worker_with_changed_labels(topics, first)
    with pytest.raises(OtherModel, match=rf"\[learner\] grams .*set it to {remedy}, or begin a fresh log"):
        Replica.load(MemoryLog(topics), second)
    with pytest.raises(OtherModel, match=rf"set it to {remedy}"):
        restore_model(second.learner, worker.replica.model.to_bytes())


def test_n_grams_are_refused_for_textbook_models():
    with pytest.raises(UserError, match=r"\[learner\] grams is for the mail model, but the model is multinomial"):
        new_model(LearnerSettings(model="multinomial", grams=True))


@pytest.mark.parametrize("positive", ["unsure", "(none)", "", " ", "x" * 101, "a\x1b[31m"])
def test_the_positive_class_must_be_a_possible_label(positive):
    """With "unsure", a filter would act on each mail that the policy leaves undecided."""
    with pytest.raises(UserError, match=r"\[learner\] positive is '.*', not 1 to 100 printable characters"):
        new_policy(LearnerSettings(positive=positive, unsure=1.0))


@pytest.mark.parametrize("classes", [(1, 0), (True, False), ("spam", 2.5), ("a\nb", "ham")])
@pytest.mark.parametrize("library_class", [MailNB, MultinomialNB])
def test_a_saved_model_of_classes_that_are_no_labels_is_refused(library_class, classes):
    model = library_class()
    for each in classes:
        model.learn_one("free money", each)
    with pytest.raises(SnapshotError, match=r"model with the class .*, not text of 1 to 100 printable characters"):
        saved_model(LearnerSettings(), model.to_bytes())
    with pytest.raises(SnapshotError, match="model with the class 1, not text"):
        saved_model(LearnerSettings(), library_class(positive=1).to_bytes())


def test_without_settings_a_log_has_the_librarys_model():
    assert new_model(LearnerSettings()) == MailNB()


def test_each_model_of_the_settings_reads_messages_and_is_documented_with_its_class():
    names = get_args(SECTIONS["learner"]["model"])
    page = (Path(__file__).parents[3] / "docs" / "models.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| `(\w+)`.* \| `(\w+)(?:\(.*\))?` \|$", page, re.MULTILINE))
    assert names == ("mail", *READS)
    assert rows == {name: MODELS[name].model.__name__ for name in names}
