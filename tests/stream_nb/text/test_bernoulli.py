"""The Bernoulli model equals the product over the whole vocabulary, also after changes of its counts."""

from fractions import Fraction

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
