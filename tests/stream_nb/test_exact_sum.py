"""Exact sums, compared with fractions and `math.fsum`."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stream_nb.exact_sum import ExactSum, dyadic

finite = st.floats(allow_nan=False, allow_infinity=False)


@given(finite)
def test_dyadic_returns_the_exact_value_in_lowest_terms(x):
    m, k = dyadic(x)
    assert Fraction(m, 2**k) == Fraction(x)
    assert k == 0 or m % 2


@given(st.lists(finite.filter(lambda x: abs(x) < 1e300)), st.lists(finite))
def test_a_sum_is_correctly_rounded_after_additions_and_removals(kept, passing):
    total = ExactSum()
    for x in passing + kept:
        total.add(x)
    for x in reversed(passing):
        total.remove(x)
    assert total.value() == math.fsum(kept)


def test_a_sum_beyond_the_range_of_floats_is_infinite_until_numbers_are_removed():
    total = ExactSum()
    total.add(1.7e308)
    total.add(1.7e308)
    assert total.value() == math.inf
    total.remove(1.7e308)
    assert total.value() == 1.7e308


@pytest.mark.parametrize("x", [math.inf, -math.inf, math.nan])
def test_a_number_that_is_not_finite_is_refused(x):
    with pytest.raises(ValueError, match="finite"):
        ExactSum().add(x)
