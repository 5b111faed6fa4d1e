"""`model.statistics` of models of words: the counts are right, and changing them leaves the model unchanged."""

import numpy as np
import pytest

from stream_nb import BernoulliNB, MailNB, MultinomialNB

DATA = [("free money money", "spam"), ("lunch", "ham")]


def trained(model):
    for text, label in DATA:
        model.learn_one(text, label)
    return model


@pytest.mark.parametrize("kind", [MultinomialNB, BernoulliNB])
def test_textbook_models_show_the_occurrences_of_words_by_class(kind):
    statistics = trained(kind()).statistics
    assert statistics.classes == ("spam", "ham")
    assert statistics.features == 3
    texts = [statistics.text(row) for row in range(3)]
    assert dict(zip(texts, statistics.counts().tolist(), strict=True)) == {
        "free": [1.0, 0.0], "money": [2.0, 0.0], "lunch": [0.0, 1.0],
    }  # fmt: skip
    assert statistics.sums().tolist() == [3.0, 1.0]
    assert statistics.is_word().all()


def test_the_mail_model_shows_words_pairs_and_labels_by_class():
    statistics = trained(MailNB(band=float("inf"))).statistics
    kinds = {statistics.text(row): bool(word) for row, word in enumerate(statistics.is_word())}
    assert kinds == {"free": True, "money": True, "free money": False, "money money": False, "lunch": True}
    assert statistics.labels == {"spam": 1, "ham": 1}


def test_find_returns_the_known_features_of_a_message_in_order():
    statistics = trained(MailNB()).statistics
    found = statistics.find("lunch for free money")
    assert [statistics.text(row) for row in found] == ["lunch", "free", "money", "free money"]
    assert [statistics.text(row) for row in statistics.find("free money", pairs=False)] == ["free", "money"]
    assert len(statistics.find("")) == 0
    with pytest.raises(TypeError, match="int"):
        statistics.find(3)


@pytest.mark.parametrize("kind", [MultinomialNB, MailNB])
def test_returned_arrays_are_copies(kind):
    model = trained(kind())
    before = model.to_bytes()
    statistics = model.statistics
    for array in (statistics.counts(), statistics.sums(), statistics.find("free money"), statistics.counts([0])):
        array += 1
    assert model.to_bytes() == before


def test_a_lookup_between_scoring_and_learning_does_not_change_the_model():
    queried, plain = trained(MailNB()), trained(MailNB())
    for model in (queried, plain):
        model.score("free lunch now")
        if model is queried:
            model.statistics.find("money")
        model.learn_one("free lunch now", "ham")
    assert queried == plain


def test_statistics_of_a_merged_model_are_sums_and_can_be_unlearned():
    model, other = trained(MultinomialNB()), MultinomialNB()
    other.learn_one("lunch", "work")
    before = other.to_bytes()
    counts = other.copy()
    counts.merge(model)
    assert counts.statistics.sums().tolist() == [1.0, 3.0, 1.0]
    for text, label in DATA:
        counts.unlearn_one(text, label)
    assert counts.to_bytes() == before
    assert np.array_equal(other.statistics.sums(), [1.0])
