"""What a model of a log knows of a word."""

import pytest

from consumers.model.textbook import TextbookModel
from consumers.model.words import word_probabilities, word_term
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
