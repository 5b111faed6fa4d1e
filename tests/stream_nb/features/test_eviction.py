"""The rarest features are evicted, and their number is reported."""

import pytest

from stream_nb import BernoulliNB, MailNB, MultinomialNB


def test_the_rarest_features_are_evicted_first_and_pairs_before_words():
    model = MailNB(band=float("inf"), trust=False)
    for text, label in (("a b", "spam"), ("a b", "spam"), ("a c", "ham"), ("d", "ham")):
        model.learn_one(text, label)
    assert model.features == 6

    assert model.evict(5) == 1
    kinds = {term.text: sum(term.counts.values()) for term in model.evidence("a b a c d").terms}
    assert kinds["a c"] == 0 and kinds["c"] == 1 and kinds["a b"] == 2
    assert model.evict(3) == 2
    kinds = {term.text: sum(term.counts.values()) for term in model.evidence("a b a c d").terms}
    assert (kinds["a"], kinds["b"], kinds["a b"], kinds["c"], kinds["d"]) == (3, 2, 2, 0, 0)
    assert model.evicted == 3 and model.evict(3) == 0


def test_after_eviction_the_statistics_equal_those_of_the_remaining_words():
    model = MultinomialNB()
    for words in (["a", "b"], ["a", "c"], ["a"]):
        model.learn_one(words, "ham")
    assert model.evict(1) == 2
    only = MultinomialNB()
    for _ in range(3):
        only.learn_one(["a"], "ham")
    assert model == only
    left, alone = BernoulliNB.reading(model), BernoulliNB.reading(only)
    assert left.joint_log_likelihood(["a"]) == alone.joint_log_likelihood(["a"])


def test_endless_new_words_keep_the_model_within_its_bounds():
    model = MailNB(max_features=5000, band=float("inf"))
    sizes = []
    for number in range(3000):
        common = "money win free" if number % 2 else "lunch noon see"
        model.learn_one(f"{common} new{number} word{number} w{number % 7}", "spam" if number % 2 else "ham")
        sizes.append(model.features)
    assert max(sizes) <= 5000 + 20
    assert model.evicted > 5000
    assert model.nbytes < 40 * 5000
    assert sum(len(model.statistics.text(row)) for row in range(model.statistics.features)) < 300_000
    assert model.predict_one("free money") == "spam"
    assert MailNB.from_bytes(model.to_bytes()) == model


@pytest.mark.parametrize("most", [10, "3000", 2500.5, float("inf"), True])
def test_max_features_that_is_too_small_or_no_whole_number_is_refused(most):
    with pytest.raises(ValueError, match=r"max_features is .*: give a whole number of 2000 or more, or None"):
        MailNB(max_features=most)


@pytest.mark.parametrize("cls", [MailNB, MultinomialNB])
@pytest.mark.parametrize("most", [-1, 1.5, None])
def test_a_model_refuses_to_keep_less_than_nothing(cls, most):
    model = cls()
    model.learn_one("free money", "spam")
    before = model.to_bytes()
    with pytest.raises(ValueError, match=f"most is {most}: give a whole number of 0 or more"):
        model.evict(most)
    assert model.to_bytes() == before
