"""The Bernoulli model equals the product over the whole vocabulary, also after changes of its counts."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stream_nb import BernoulliNB
from tests.support import oracle, strategies
from tests.support.oracle import close, logs
from tests.support.trained import trained

SMOOTHINGS = st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(1), Fraction(7, 4)])


@given(strategies.data(least=1), strategies.words, SMOOTHINGS)
def test_M1_the_joint_likelihood_is_a_product_over_the_whole_vocabulary(data, message, smoothing):
    model = trained(BernoulliNB(smoothing=float(smoothing)), data)

    assert close(model.joint_log_likelihood(message), logs(oracle.bernoulli(data, message, smoothing)))


@given(strategies.data(least=1), strategies.words, strategies.data(least=1))
def test_M1_likelihoods_stay_exact_after_learning_and_unlearning(data, message, later):
    model = trained(BernoulliNB(), data)
    model.predict_one(message)  # builds the histogram, which must be maintained from here on
    trained(model, later)
    for words, label in data:
        model.unlearn_one(words, label)

    assert close(model.joint_log_likelihood(message), logs(oracle.bernoulli(later, message)))


@given(strategies.data(least=1), strategies.data(least=1), strategies.words)
def test_M1_after_every_change_likelihoods_equal_those_of_a_restored_model(data, more, message):
    changes = [
        lambda model: model.learn_one(["a", "new"], "work"),
        lambda model: model.merge(trained(BernoulliNB(), more)),
        lambda model: model.evict(max(1, model.words - 1)),
        lambda model: model.decay(0.5),
        lambda model: model.learn_one(["a"] * 3, "ham"),
    ]
    model = trained(BernoulliNB(), data)
    for change in changes:
        model.score_grid(message, [0.5, 1.0])  # values cached here must not be used after the change
        change(model)
        fresh = BernoulliNB.from_bytes(model.to_bytes())
        assert close(model.joint_log_likelihood(message), fresh.joint_log_likelihood(message))


def test_L1_messages_unlearned_after_an_eviction_or_a_decay_leave_the_log_odds_linear():
    """They leave fewer messages with a word than 0, or more than the class has."""
    for change in (lambda model: model.evict(2), lambda model: model.decay(0.5)):
        for smoothing in (0.1, 1.0):
            model = BernoulliNB(smoothing=smoothing)
            data = [("a", "ham"), ("a", "ham"), ("a b", "ham"), ("c", "spam"), ("c", "spam"), ("a c", "spam")]
            trained(model, data)
            change(model)
            model.unlearn_one("b" if model.words == 3 else "a b", "ham")
            bias, weights = model.linear("spam", "ham")
            for words in ([], ["a"], ["a", "c"], ["a", "b", "c"]):
                linear = bias + sum(weights.get(word, 0.0) for word in words)
                assert abs(model.log_odds_one(words, "spam") - linear) < 1e-12
            assert model.log_likelihood().total < 0.0


def test_a_class_with_words_but_without_messages_can_be_interpreted_without_smoothing():
    model = trained(BernoulliNB(smoothing=0.0), [({"a": 1000}, "spam"), ("b", "ham")])
    model.decay(0.001)  # 256 / 256 occurrences, 0 messages
    model.learn_one("b", "ham")
    assert model.classes == ("spam", "ham")
    assert model.word_probabilities("b") == {"spam": 0.0, "ham": 1.0}
    assert [term.text for term in model.strongest("ham")] == ["b"]
    assert model.log_likelihood().total == 0.0
    with pytest.raises(ValueError, match="set smoothing above 0"):
        model.linear("spam", "ham")
