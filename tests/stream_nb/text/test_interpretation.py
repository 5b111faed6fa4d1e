"""A model as a linear function, its evidence, likelihood, perplexity and entropy."""

import itertools
import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stream_nb import BernoulliNB, Mail, MultinomialNB, Part
from tests.support import oracle, strategies
from tests.support.trained import trained


@given(strategies.data(least=1), strategies.words, st.sampled_from([0.1, 1.0]))
def test_L1_L2_the_log_odds_are_linear_and_the_posterior_logistic(data, message, smoothing):
    for kind, occurrences in ((MultinomialNB, message.count), (BernoulliNB, lambda w: w in message)):
        model = trained(kind(smoothing=smoothing), [(w, "ham" if c == "ham" else "spam") for w, c in data])
        if len(model.classes) < 2:
            continue
        linear = model.linear("spam", "ham")
        value = linear.bias + math.fsum(weight * occurrences(word) for word, weight in linear.weights.items())
        assert value == pytest.approx(model.log_odds_one(message, "spam"), abs=1e-12)
        assert model.predict_proba_one(message)["spam"] == pytest.approx(1 / (1 + math.exp(-value)), abs=1e-12)


@given(strategies.data(least=1), strategies.words, st.sampled_from([0.1, 1.0]))
def test_L4_evidence_adds_up_to_the_log_odds(data, message, smoothing):
    for kind in (MultinomialNB, BernoulliNB):
        model = trained(kind(smoothing=smoothing), data)
        why = model.evidence(message)
        assert why.bias + math.fsum(term.weight for term in why.terms) == pytest.approx(why.log_odds, abs=1e-12)
        for term in why.terms:
            with_word = {c: sum(term.text in w for w, label in data if label == c) for c in model.classes}
            assert term.counts == with_word


@given(strategies.data(least=1), strategies.words, st.sampled_from([1.0, 0.01, 0.001]))
def test_without_smoothing_evidence_is_never_nan_and_adds_up_if_it_is_finite(data, message, kept):
    for kind in (MultinomialNB, BernoulliNB):
        model = trained(kind(smoothing=0.0), data)
        model.decay(kept)
        why = model.evidence(message)
        if "spam" in model.classes:
            assert why.log_odds == model.score(message).log_odds
        assert not any(math.isnan(number) for number in (why.log_odds, why.bias, *(term.weight for term in why.terms)))
        if all(math.isfinite(term.weight) for term in why.terms):
            total = why.bias + math.fsum(term.weight for term in why.terms)
            assert total == pytest.approx(why.log_odds, abs=1e-12)
        else:
            assert why.bias == 0.0


def test_L4_the_bias_of_evidence_equals_that_of_the_linear_function():
    model = trained(BernoulliNB(), [(["a", "b"], "spam"), (["b"], "ham"), (["c"], "ham")])
    linear = model.linear("spam", "ham")
    assert model.evidence(["a"]).bias == pytest.approx(linear.bias, abs=1e-12)


@given(strategies.data(least=1), st.sampled_from([0.5, 1.0]))
def test_E7_the_data_log_likelihood_equals_the_oracle_and_its_parts_add_up(data, smoothing):
    exact = Fraction(smoothing)
    model = trained(MultinomialNB(smoothing=smoothing), data)
    parts = model.log_likelihood()
    expected = math.fsum(
        math.log(oracle.prior(data, c)) + math.fsum(math.log(oracle.multinomial_word(data, w, c, exact)) for w in words)
        for words, c in data
    )
    assert parts.total == pytest.approx(expected, abs=1e-9)
    assert parts.total == pytest.approx(parts.prior + sum(parts.classes.values()), abs=1e-9)
    bernoulli = BernoulliNB.reading(model, smoothing=smoothing).log_likelihood()
    expected = math.fsum(math.log(oracle.bernoulli(data, words, exact)[c]) for words, c in data)
    assert bernoulli.total == pytest.approx(expected, abs=1e-9)


@given(strategies.data(least=1), strategies.words)
def test_M11_perplexity_is_the_inverse_geometric_mean_of_word_probabilities(data, message):
    model = trained(MultinomialNB(), data)
    known = [w for w in message if w in oracle.vocabulary(data)]
    for c, value in model.perplexity(message).items():
        product = math.prod(oracle.multinomial_word(data, w, c) for w in known)
        assert value == pytest.approx(float(product) ** (-1 / len(known)) if known else 1.0)


def test_L5_entropy_top_words_and_word_probabilities_of_a_class():
    model = trained(MultinomialNB(smoothing=0.0), [(["heads", "tails"], "coin"), (["heads"], "liar")])
    assert model.class_entropy("coin") == pytest.approx(1.0)
    assert model.class_entropy("liar") == 0.0
    assert model.top_words("liar", 1) == [("heads", 1.0)]
    assert model.top_words("liar", 0) == []
    with pytest.raises(ValueError, match="n is -1: give a whole number of 0 or more"):
        model.top_words("liar", -1)
    assert model.word_probabilities("tails") == {"coin": 0.5, "liar": 0.0}
    assert model.word_probabilities("never") == {}
    for nothing in ([], Mail(()), Mail((Part("subject", b" "),))):  # the word read before must not be used
        model.word_probabilities("tails")
        assert model.word_probabilities(nothing) == {}


@given(strategies.data(least=1), st.sampled_from([0.0, 0.5]))
def test_L1_the_linear_function_is_never_nan(data, smoothing):
    for kind in (MultinomialNB, BernoulliNB):
        model = trained(kind(smoothing=smoothing), data)
        for positive, rival in itertools.permutations(model.classes, 2):
            try:
                linear = model.linear(positive, rival)
            except ValueError as error:
                assert smoothing == 0.0 and kind is BernoulliNB and "smoothing" in str(error)
                continue
            assert not math.isnan(linear.bias) and not any(map(math.isnan, linear.weights.values()))


def test_L1_without_smoothing_a_word_of_only_one_class_has_an_infinite_weight():
    model = trained(MultinomialNB(smoothing=0.0), [(["a", "b"], "spam"), (["b"], "ham"), (["c"], "work")])
    weights = model.linear("spam", "ham").weights
    assert weights["a"] == math.inf and math.isfinite(weights["b"]) and weights["c"] == 0.0
    with pytest.raises(ValueError, match=r"smoothing 0\.0"):
        BernoulliNB.reading(model, smoothing=0.0).linear("spam", "ham")


def test_strongest_returns_at_most_n_words():
    model = trained(MultinomialNB(), [(["a", "b", "b"], "spam"), (["c"], "ham")])
    assert [[term.text for term in model.strongest("spam", n)] for n in range(4)] == [[], ["b"], ["b", "a"], ["b", "a"]]
    with pytest.raises(ValueError, match="n is -1: give a whole number of 0 or more"):
        model.strongest("spam", -1)


@pytest.mark.parametrize("kind", [MultinomialNB, BernoulliNB])
def test_a_word_that_no_message_of_a_class_contains_is_not_strong_for_it(kind):
    model = trained(kind(), [(["a"], "small"), *20 * [(["b", "c", "d"], "large")], (["e", "b", "c", "d"], "large")])
    assert [term.text for term in model.strongest("small")] == ["a"]


@pytest.mark.parametrize("kind", [MultinomialNB, BernoulliNB])
@pytest.mark.parametrize("smoothing", [0.0, 1.0])
def test_the_strongest_words_of_all_classes_are_those_of_each(kind, smoothing):
    data = [(["a", "b", "b", "e"], "spam"), (["c", "a"], "ham"), (["c", "d"], "work"), (["c", "d", "f"], "news")]
    model = trained(kind(smoothing=smoothing), data)

    def keep(text):
        return text != "b"

    found = model.strongest_by_class(2, keep)
    assert found == {label: model.strongest(label, 2, keep) for label in model.classes}
    assert any(found.values())
    assert trained(kind(), data[:1]).strongest_by_class(2, keep) == {"spam": ()}


@pytest.mark.parametrize("kind", [MultinomialNB, BernoulliNB])
@pytest.mark.parametrize(
    "call",
    [
        lambda model: model.top_words("junk"),
        lambda model: model.strongest("junk"),
        lambda model: model.linear("junk", "spam"),
        lambda model: model.linear("spam", "junk"),
    ],
)
def test_an_unknown_class_is_refused_with_the_known_ones(kind, call):
    model = trained(kind(), [("free money", "spam"), ("lunch", "ham")])
    with pytest.raises(KeyError, match=r"class 'junk' is not among \['spam', 'ham'\]"):
        call(model)
