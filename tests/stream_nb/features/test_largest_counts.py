"""Counts beyond 2**53 are refused, before anything changes."""

import math

import numpy as np
import pytest

from stream_nb import BernoulliNB, MailNB, MultinomialNB
from stream_nb.registry import MODELS

MOST = 2**40
"""The largest count of a word in a message."""
FITS = 2**53 // MOST
"""The largest number of messages with that count."""
NUMBERS = {"x": 1.0}, {"x": 2.0}
MESSAGES = {
    "categorical": NUMBERS,
    "gaussian": ({"x": 1.0, "y": 1.5}, {"x": 2.0, "y": 1.0}),
    "binned": NUMBERS,
    "mixed": ({"text": "win money", "size": 1.0}, {"text": "lunch", "size": 2.0}),
}


def at_the_limit(model):
    """Teach a model `FITS` such messages of class "a" and one message of class "b"."""
    for _ in range(FITS):
        model.learn_one({"money": MOST}, "a")
    model.learn_one({"lunch": 1}, "b")
    return model


def test_a_message_beyond_the_limit_is_refused_and_changes_nothing():
    model = at_the_limit(MultinomialNB())
    before, scores = model.to_bytes(), model.score("money for lunch")
    assert model.statistics.counts()[0].tolist() == [2.0**53, 0.0]
    for x in ({"money": 1024}, {"new": 1024, "money": MOST}):
        with pytest.raises(ValueError, match=r"class 'a' would have counts above 9,007,199,254,740,992: call decay"):
            model.learn_one(x, "a")
        assert model.to_bytes() == before
        assert model.score("money for lunch") == scores
    assert model.word_probabilities("money")["a"] == pytest.approx(1.0)
    model.decay(0.5)
    model.learn_one({"money": MOST}, "a")
    assert MultinomialNB.from_bytes(model.to_bytes()) == model


@pytest.mark.parametrize("cls", [MultinomialNB, BernoulliNB])
def test_one_message_beyond_the_limit_adds_no_class(cls):
    model = cls()
    model.learn_one({"lunch": 1}, "b")
    before = model.to_bytes()
    with pytest.raises(ValueError, match="class 'new' would have"):
        model.learn_one({f"word{i}": MOST for i in range(2**15)}, "new")
    assert model.to_bytes() == before
    assert model.classes == ("b",)
    assert model.predict_one("lunch") == "b"


@pytest.mark.parametrize("name", MODELS)
def test_a_merge_beyond_the_limit_is_refused_and_changes_nothing(name):
    model = MailNB(band=math.inf, trust=False) if name == "mail" else MODELS[name].new()
    x, other = MESSAGES.get(name, ("win money", "lunch"))
    model.learn_one(x, "a")
    model.learn_one(other, "b")
    scores = []
    with pytest.raises(ValueError, match=r"class '[ab]' would have counts above"):
        for _ in range(64):
            before = model.to_bytes()
            scores.append(model.score(x))
            model.merge(model.copy())
    assert model.to_bytes() == before
    assert model.score(x) == scores[-1]
    if name != "mail":
        assert {score.label for score in scores} == {"a"}


def test_after_much_learning_and_unlearning_wide_counters_merge_exactly():
    model = MultinomialNB()
    model.learn_one({"money": MOST}, "a")
    for _ in range(2**15):
        model.learn_one({"money": MOST}, "a")
        model.unlearn_one({"money": MOST}, "a")
    other = MultinomialNB()
    other.learn_one("money", "a")
    other.merge(model)
    assert np.array_equal(other.statistics.counts(), [[MOST + 1.0]])
