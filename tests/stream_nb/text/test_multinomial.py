"""The multinomial model equals its definition, computed in fractions."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stream_nb import MultinomialNB
from tests.support import oracle, strategies
from tests.support.oracle import close, logs
from tests.support.trained import trained

SMOOTHINGS = st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(1), Fraction(7, 4)])


@given(strategies.data(least=1), strategies.words, SMOOTHINGS)
def test_E8_M2_the_multinomial_model_equals_algorithms_3_1_and_3_2(data, message, smoothing):
    model = trained(MultinomialNB(smoothing=float(smoothing)), data)

    assert close(model.joint_log_likelihood(message), logs(oracle.multinomial(data, message, smoothing)))


@given(strategies.data(least=1), strategies.words, SMOOTHINGS)
def test_M3_presence_equals_the_multinomial_model_of_binarised_input(data, message, smoothing):
    model = trained(MultinomialNB(smoothing=float(smoothing), presence=True), data)
    binarised = trained(MultinomialNB(smoothing=float(smoothing)), [(sorted(set(w)), c) for w, c in data])

    assert close(model.joint_log_likelihood(message), logs(oracle.multinomial(data, message, smoothing, presence=True)))
    assert close(model.joint_log_likelihood(message), binarised.joint_log_likelihood(sorted(set(message))))


@given(strategies.data(least=1), strategies.smoothings)
def test_E3_the_word_probabilities_of_a_class_sum_to_one(data, smoothing):
    model = trained(MultinomialNB(smoothing=smoothing), data)
    for c in model.classes:
        total = math.fsum(p for _, p in model.top_words(c, n=1000))
        has_words = any(words for words, label in data if label == c)
        if has_words or (smoothing and model.words):
            assert total == pytest.approx(1, abs=1e-12)


def test_a_class_with_negative_counts_is_read_as_one_without_words():
    """Unlearning a message whose words were evicted makes counts negative."""
    model = MultinomialNB()
    model.learn_many(["money", "money", "lunch"], ["a", "a", "b"])
    model.unlearn_one("win win win win", "a")  # as if its words had been evicted
    assert model.word_probabilities("win")["a"] == pytest.approx(1 / 3)
    assert all(value <= 0.0 for value in model.joint_log_likelihood("win lunch").values())
    assert math.isfinite(model.class_entropy("a"))
