"""What the model of a log knows about a word: its class, weight and probabilities."""

import pytest

from consumers.model.textbook import TextbookModel
from consumers.model.words import known_features, word_class, word_probabilities, word_term
from stream_nb import MailNB
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
