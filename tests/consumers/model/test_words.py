"""What a model of a log knows of a word."""

import pytest

from consumers.model.textbook import TextbookModel
from consumers.model.words import known_features, word_class, word_probabilities, word_term
from stream_nb import MailNB
from stream_nb.types import Mail, Part


@pytest.mark.parametrize("name", ["multinomial", "boolean", "bernoulli", "mixed"])
def test_words_of_subjects_have_probabilities_in_textbook_models_too(name):
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
def test_the_weight_of_a_word_speaks_for_the_positive_class_or_the_one_it_is_typical_of(new):
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
def test_numbers_and_categories_are_known_features_too(new):
    model = new()
    assert known_features(model) == 0
    model.learn_one(Mail((), (), (("size", 3.0), ("language", "en"))), "ham")
    assert known_features(model) == 2
    model.learn_one(Mail((Part("", b"money"),), (), (("size", 4.0),)), "spam")
    assert known_features(model) == 3
