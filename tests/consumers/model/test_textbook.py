"""Textbook models on a log: their changes travel as bytes, and are applied all or not at all."""

import pytest

from consumers.model.textbook import TextbookModel
from consumers.model.textbook_input import READS
from stream_nb import SnapshotError
from stream_nb.registry import MODELS
from stream_nb.types import Mail, Part
from tests.support.messages import draw_messages, mail_of

TEXTBOOK = tuple(READS)
KEY = b"sixteen secret bytes"


def trained(name, rows):
    model = TextbookModel.new(name, 0.5, "spam", KEY)
    for row, label in rows:
        model.learn_one(mail_of(row), label)
    return model


def test_a_model_without_smoothing_needs_no_name_of_its_own(monkeypatch):
    monkeypatch.setitem(MODELS, "normal", MODELS["gaussian"])
    monkeypatch.setitem(READS, "normal", READS["gaussian"])

    assert trained("normal", draw_messages(20, seed=3)) == trained("gaussian", draw_messages(20, seed=3))


@pytest.mark.parametrize("name", TEXTBOOK)
def test_applying_the_changes_of_a_recorder_gives_the_same_model(name):
    rows = draw_messages(30, seed=3)
    model, follower = trained(name, rows[:20]), trained(name, rows[:20])
    recorder = model.recorder()
    for row, label in rows[20:]:
        recorder.learn(mail_of(row), label)
    for row, label in rows[:5]:
        recorder.revert_update(mail_of(row), model.grade(mail_of(row), label))

    follower.apply_changes(recorder.take())

    assert follower == model == trained(name, rows[5:])
    assert recorder.take() == b""


@pytest.mark.parametrize("name", TEXTBOOK)
@pytest.mark.parametrize("other", ["key", "model"])
def test_changes_of_another_key_or_model_are_refused_and_change_nothing(name, other):
    message, label = draw_messages(1, seed=3)[0]
    of_other = name if other == "key" else TEXTBOOK[TEXTBOOK.index(name) - 2]
    recorder = TextbookModel.new(of_other, 0.5, "spam", KEY[::-1] if other == "key" else KEY).recorder()
    recorder.learn(mail_of(message), label)
    model = TextbookModel.new(name, 0.5, "spam", KEY)
    before = model.to_bytes()

    with pytest.raises(SnapshotError, match="another key" if other == "key" else "not '"):
        model.apply_changes(recorder.take())

    assert model.to_bytes() == before


@pytest.mark.parametrize("name", ["categorical", "gaussian", "mixed"])
@pytest.mark.parametrize("short_of", ["class", "feature"])
def test_changes_that_unlearn_what_was_not_learned_are_refused_and_change_nothing(name, short_of):
    """The changes that were applied before the error was found are undone."""
    features = (("colour", "red"), ("signed", True), ("size", 3.0), ("width", 4.0))
    unknown = Mail((), (), (("colour", "red"), ("other", "x"), ("size", 3.0), ("other size", 1.0)))
    known, other = Mail((Part("", b"free money"),), (), features), TextbookModel.new(name, 0.5, "spam", KEY)
    unlearned = (unknown, "work" if short_of == "class" else "ham")
    for mail, label in ((known, "ham"), unlearned):
        other.learn_one(mail, label)
    recorder = other.recorder()
    recorder.learn(known, "spam")
    recorder.revert_update(known, other.grade(known, "ham"))
    recorder.revert_update(unlearned[0], other.grade(*unlearned))
    model = TextbookModel.new(name, 0.5, "spam", KEY)
    for _ in range(3):
        model.learn_one(known, "ham")
    before = model.to_bytes()

    with pytest.raises(SnapshotError, match="updates of another model"):
        model.apply_changes(recorder.take())

    assert model.to_bytes() == before
