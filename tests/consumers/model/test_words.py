"""What the model of a log knows about a word: its class, weight and probabilities."""

import math

import pytest

from consumers.model.textbook import TextbookModel
from consumers.model.textbook_input import READS_WORDS
from consumers.model.words import (
    as_known,
    class_weights,
    known_features,
    occurrences,
    rises,
    strongest,
    word_class,
    word_probabilities,
    word_term,
)
from stream_nb import MailNB
from stream_nb.mail_nb.starter import starter
from stream_nb.types import Mail, Part


@pytest.mark.parametrize("name", ["multinomial", "boolean", "bernoulli", "mixed"])
def test_words_of_subjects_and_bodies_have_their_own_probabilities_in_textbook_models(name):
    model = TextbookModel.new(name, 1.0, "spam")
    model.learn_one(Mail((Part("subject", b"free"),)), "spam")
    model.learn_one(Mail((Part("", b"free lunch"),)), "ham")
    for word in ("free", "subject:free"):
        term = word_term(model, word)
        assert term is not None
        found = word_probabilities(model, term)
        assert set(found) == {"ham", "spam"}
        assert (found["spam"] > found["ham"]) == (word == "subject:free")
        weights = class_weights(model, term)
        assert weights["spam"] == -weights["ham"] == pytest.approx(math.log(found["spam"] / found["ham"]))


def test_a_word_is_found_as_typed_or_else_in_lower_case():
    """Words of mails are in lower case; those of JSON are what a producer wrote."""
    model = MailNB()
    model.learn_one(Mail((Part("subject", b"LUNCH"), Part("", b"Money"))), "ham")
    model.learn_one(Mail((), (("Free", 2.0), ("FREE", 1.0))), "spam")
    typed = ("Money", "MONEY", "Free", "FREE", "free", "Subject:Lunch", "subject:Lunch")
    assert [as_known(model, word) for word in typed] == [
        "money", "money", "Free", "FREE", "free", "subject:lunch", "subject:Lunch"
    ]  # fmt: skip


@pytest.mark.parametrize("name", READS_WORDS)
def test_L5_the_occurrences_behind_a_probability_are_known(name):
    """P(word | class) of the multinomial model is a share of occurrences, not of mails."""
    model = MailNB() if name == "mail" else TextbookModel.new(name, 1.0, "spam")
    model.learn_one(Mail((Part("subject", b"free"), Part("", b"free free money"))), "spam")
    model.learn_one(Mail((Part("", b"lunch money"),)), "ham")
    found = {word: occurrences(model, word_term(model, word)) for word in ("free", "subject:free", "money")}
    if name not in ("multinomial", "mixed"):
        assert found == {"free": {}, "subject:free": {}, "money": {}}
        return
    assert found["free"] == {"spam": 2.0, "ham": 0.0} and found["money"] == {"spam": 1.0, "ham": 1.0}
    assert found["subject:free"] == {"spam": 1.0, "ham": 0.0}
    probabilities = word_probabilities(model, word_term(model, "free"))  # of 4 and 2 words, 4 different ones
    assert probabilities == {"spam": pytest.approx((2 + 1) / (4 + 4)), "ham": pytest.approx((0 + 1) / (2 + 4))}


@pytest.mark.parametrize("name", READS_WORDS)
def test_words_of_the_only_class_are_known(name):
    model = MailNB() if name == "mail" else TextbookModel.new(name, 1.0, "spam")
    assert word_term(model, "free") is None
    model.learn_one(Mail((Part("subject", b"free"), Part("", b"lunch"))), "ham")
    for word in ("lunch", "subject:free"):
        term = word_term(model, word)
        assert (term.text, term.weight, term.counts) == (word, 0.0, {"ham": 1.0})
        assert set(word_probabilities(model, term)) == {"ham"}
        assert class_weights(model, term) == {"ham": pytest.approx(0.0, abs=1e-12)}
    assert word_term(model, "money") is None


@pytest.mark.parametrize("new", [MailNB, lambda: TextbookModel.new("multinomial", 1.0, "spam")], ids=["mail", "words"])
def test_without_the_positive_class_a_words_weight_is_for_its_most_typical_class(new):
    model = new()
    assert word_class(model, "lunch") is None
    for text, label in [("lunch money", "ham"), ("lunch canteen", "ham"), ("holiday money", "family")]:
        model.learn_one(Mail((Part("", text.encode()),)), label)
    assert (word_class(model, "lunch"), word_class(model, "holiday")) == ("ham", "family")
    assert word_term(model, "lunch").weight > 0 < word_term(model, "holiday").weight
    model.learn_one(Mail((Part("", b"money"),)), "spam")
    assert (word_class(model, "lunch"), word_class(model, "holiday")) == ("spam", "spam")
    assert word_class(TextbookModel.new("gaussian", 1.0, "spam"), "lunch") is None


@pytest.mark.parametrize("new", [MailNB, lambda: TextbookModel.new("mixed", 1.0, "spam")], ids=["mail", "mixed"])
def test_numbers_and_categories_count_as_known_features(new):
    model = new()
    assert known_features(model) == 0
    model.learn_one(Mail((), (), (("size", 3.0), ("language", "en"))), "ham")
    assert known_features(model) == 2
    model.learn_one(Mail((Part("", b"money"),), (), (("size", 4.0),)), "spam")
    assert known_features(model) == 3


def test_a_model_of_numbers_has_no_words():
    model = TextbookModel.new("gaussian", 1.0, "spam")
    model.learn_one(Mail((), (), (("size", 3.0),)), "ham")
    assert word_term(model, "lunch") is None
    assert strongest(model, 9, lambda text: True) == {"ham": ()}
    assert rises(model, [], []) == []


def test_a_starter_counts_in_the_probabilities_and_the_weights_of_words():
    other = MailNB()
    for text, label in [("money", "spam"), ("lunch money", "ham"), ("free money", "spam")]:
        other.learn_one(text, label)
    model = starter(other)
    term = word_term(model, "money")
    found = word_probabilities(model, term)
    assert 0.0 < found["ham"] < found["spam"] < 1.0
    assert class_weights(model, term)["spam"] == pytest.approx(math.log(found["spam"] / found["ham"]))
