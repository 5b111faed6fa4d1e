"""What is taken out of the counts of words must have been put in."""

import pytest

from stream_nb import BernoulliNB, MixedNB, MultinomialNB
from tests.support.trained import trained

WORDS = pytest.mark.parametrize("cls", [MultinomialNB, BernoulliNB])


@WORDS
def test_less_than_a_message_cannot_be_unlearned(cls):
    """Otherwise a class would have -0.5 messages and no probability."""
    model = trained(cls(), [("a", "ham"), ("b", "spam")])
    model.decay(0.5)
    before = model.to_bytes()
    with pytest.raises(ValueError, match="class 'ham' has no message to unlearn"):
        model.unlearn_one("a", "ham")
    assert model.to_bytes() == before
    assert model.predict_proba_one("c") == {"ham": 0.5, "spam": 0.5}


@WORDS
def test_what_was_never_merged_is_not_taken_back(cls):
    model, other = trained(cls(), [("a", "ham")]), trained(cls(), [("a", "ham"), ("b", "ham")])
    before = model.to_bytes()
    with pytest.raises(ValueError, match=r"class 'ham' has 1.0 messages: 2.0 cannot"):
        model.unmerge(other)
    with pytest.raises(ValueError, match=r"class 'spam' has 0.0 messages: 1.0 cannot"):
        model.unmerge(trained(cls(), [("a", "spam")]))
    assert model.to_bytes() == before


def test_a_mixed_model_takes_back_all_its_parts_or_none():
    model = trained(MixedNB(), [({"text": "a", "n": 1, "c": "x"}, "ham")])
    before = model.to_bytes()
    with pytest.raises(ValueError):
        model.unmerge(trained(MixedNB(), [({"text": "a", "n": 1, "c": "x"}, "ham")] * 2))
    model.decay(0.5)
    with pytest.raises(ValueError):
        model.unlearn_one({"text": "a", "n": 1, "c": "x"}, "ham")
    model.merge(model.copy())
    assert model.to_bytes() == before


def test_words_of_a_class_that_goes_are_counted_no_more():
    """If another message of the same length is unlearned, the last of its class."""
    model = trained(MultinomialNB(), [("win", "spam")])
    model.unlearn_one("won", "spam")
    assert (model.classes, model.words) == ((), 0)
    model.learn_one("lunch", "ham")
    assert model.word_probabilities("lunch") == {"ham": 1.0}
