"""Losses, compared with their definitions and scikit-learn; reverting is exact."""

import math
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import log_loss as sk_log_loss

from stream_nb.metrics import Losses, exponential, hinge, log_loss, squared, zero_one


def test_Q4_losses_of_single_mails_equal_their_formulas():
    # y, h, 0-1, L2, hinge, exponential
    for y, h, *expected in [
        (+1, 0.5, 0, 0.25, 0.5, math.exp(-0.5)),
        (-1, 0.5, 1, 2.25, 1.5, math.exp(0.5)),
        (+1, 2.0, 0, 1.0, 0.0, math.exp(-2)),
        (-1, -1.0, 0, 0.0, 0.0, math.exp(-1)),
    ]:
        assert [zero_one(y, h), squared(y, h), hinge(y, h), exponential(y, h)] == pytest.approx(expected)
    assert exponential(-1, 1e4) == squared(-1, 1e200) == math.inf


@pytest.mark.parametrize("loss", [zero_one, squared, hinge, exponential, log_loss])
@pytest.mark.parametrize("y", [0, 2, "spam"])
def test_Q4_a_label_other_than_minus_or_plus_1_is_refused(loss, y):
    """With 0 for a negative mail, as in scikit-learn, each loss would be a number, but a wrong one."""
    with pytest.raises(ValueError, match=f"y is {y!r}: give -1 or \\+1"):
        loss(y, 0.5)


@given(st.lists(st.tuples(st.booleans(), st.floats(-15, 15)), min_size=1, max_size=60))
def test_Q4_mean_losses_equal_their_definitions_and_sklearn(mails):
    losses = Losses()
    for y, log_odds in mails:
        losses.update(y, log_odds)
    means = losses.get()
    signs = [1 if y else -1 for y, _ in mails]
    h = [2 / (1 + math.exp(-s)) - 1 for _, s in mails]
    n = len(mails)
    pairs = list(zip(h, signs, strict=True))
    assert means["squared"] == pytest.approx(sum((a - b) ** 2 for a, b in pairs) / n, abs=1e-9)
    assert means["hinge"] == pytest.approx(sum(1 - a * b for a, b in pairs) / n, abs=1e-9)
    assert means["exponential"] == pytest.approx(sum(math.exp(-a * b) for a, b in pairs) / n, abs=1e-9)
    assert means["zero_one"] == sum((s > 0) != y for y, s in mails) / n
    probabilities = [1 / (1 + math.exp(-s)) for _, s in mails]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scikit-learn clips probabilities that round to 1
        expected = sk_log_loss([y for y, _ in mails], probabilities, labels=[False, True])
    assert means["log_loss"] == pytest.approx(expected, rel=1e-6, abs=1e-9)


@given(
    st.lists(st.tuples(st.booleans(), st.floats(allow_nan=False)), max_size=20),
    st.lists(st.tuples(st.booleans(), st.floats(allow_nan=False)), max_size=20),
)
def test_Q4_reverting_mails_restores_the_means_exactly(kept, passing):
    both, alone = Losses(), Losses()
    for mail in passing + kept:
        both.update(*mail)
    for mail in passing:
        both.revert(*mail)
    for mail in kept:
        alone.update(*mail)
    assert both.get() == alone.get()


def test_Q4_log_loss_of_extreme_scores_does_not_overflow():
    assert log_loss(-1, 1e300) == 1e300
    assert log_loss(+1, math.inf) == 0.0
    losses = Losses()
    losses.update(False, math.inf)
    assert losses.get()["log_loss"] == math.inf
    losses.revert(False, math.inf)
    losses.update(True, 0.0)
    assert losses.get()["log_loss"] == pytest.approx(math.log(2))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Losses().revert(True, 1.0), "there is no mail to remove"),
        (lambda: Losses().update(True, math.nan), "log_odds is NaN"),
        (lambda: Losses().update("ham", -1.0), "is_positive is 'ham': give True or False"),
        (lambda: Losses().update(-1, -1.0), "is_positive is -1: give True or False"),
    ],
)
def test_reverting_from_no_mails_nan_scores_and_class_names_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
