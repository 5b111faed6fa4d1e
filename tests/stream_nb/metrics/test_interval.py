"""Wilson's interval against scipy."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from stream_nb.metrics import wilson


@given(st.integers(0, 500), st.integers(0, 500), st.floats(0.5, 0.999))
def test_P2_wilson_equals_scipy(k, more, confidence):
    n = k + more
    if n == 0:
        assert wilson(k, n, confidence) == (0.0, 1.0)
        return
    interval = binomtest(k, n).proportion_ci(confidence, method="wilson")
    assert wilson(k, n, confidence) == pytest.approx((interval.low, interval.high), abs=1e-9)


@pytest.mark.parametrize(
    "call",
    [
        lambda: wilson(3, 2),
        lambda: wilson(-1, 2),
        lambda: wilson(1, 2, confidence=95),
    ],
)
def test_mistakes_are_named(call):
    with pytest.raises(ValueError, match=": "):
        call()
