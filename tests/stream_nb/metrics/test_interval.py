"""Confidence intervals and bounds of shares, compared with scipy."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, binomtest

from stream_nb.metrics import share_at_most, wilson


def test_wilsons_interval_ends_at_0_or_1_without_successes_or_failures():
    for n in range(1, 50):  # rounding alone would give ends such as 1.0000000000000002
        assert (wilson(0, n)[0], wilson(n, n)[1]) == (0.0, 1.0)


@given(st.integers(0, 500), st.integers(0, 500), st.floats(0.5, 0.999))
def test_P2_wilson_equals_scipy(k, more, confidence):
    n = k + more
    if n == 0:
        assert wilson(k, n, confidence) == (0.0, 1.0)
        return
    interval = binomtest(k, n).proportion_ci(confidence, method="wilson")
    assert wilson(k, n, confidence) == pytest.approx((interval.low, interval.high), abs=1e-9)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: wilson(3, 2), "k is 3 of n = 2"),
        (lambda: wilson(-1, 2), "k is -1 of n = 2"),
        (lambda: wilson(1, 2, confidence=95), "confidence is 95"),
        (lambda: wilson(1, 2, confidence=0.0), r"confidence is 0\.0"),
    ],
)
def test_invalid_arguments_of_wilson_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize(
    ("k", "n"), [(0, 1), (0, 4000), (3, 7), (7, 4500), (400, 4500), (4499, 4500), (40_000, 90_000)]
)
def test_share_at_most_equals_scipy(k, n):
    for confidence in (0.1, 0.5, 0.95, 0.999):
        assert share_at_most(k, n, confidence) == pytest.approx(beta.ppf(confidence, k + 1, n - k), rel=1e-9)


def test_share_at_most_is_1_without_failures_and_refuses_invalid_arguments():
    assert share_at_most(0, 0) == share_at_most(5, 5) == 1.0
    for k, n, confidence in ((-1, 3, 0.95), (4, 3, 0.95), (1, 3, 1.0)):
        with pytest.raises(ValueError, match="give"):
            share_at_most(k, n, confidence)
