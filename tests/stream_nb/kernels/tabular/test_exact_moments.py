"""Sums of floats and of their squares without rounding, compared with rational numbers."""

import math
import statistics
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stream_nb import kernels
from stream_nb.kernels.layout import UNIT
from stream_nb.kernels.tabular.number_layout import LOWEST_BIT, MOMENTS
from stream_nb.tabular.moments import Moments

finite = st.floats(allow_nan=False, allow_infinity=False)
weighted = st.tuples(finite, st.integers(1, UNIT))


def moments_of(values):
    moments = Moments()
    for x, units in values:
        moments.add(x, units)
    return moments


def square_root(number):
    """The square root of a fraction to 200 bits."""
    return Fraction(math.isqrt(int(number * 4 ** (LOWEST_BIT + 200))), 2 ** (LOWEST_BIT + 200))


def assert_rounded(value, exact):
    """Check that a float is within one unit in the last place of an exact number."""
    assert abs(Fraction(value) - exact) <= Fraction(math.ulp(float(exact)))


@given(st.lists(weighted, max_size=12))
@example([(1.7976931348623157e308, 256)] * 5)
@example([(5e-324, 1), (-5e-324, 256), (1e308, 3)])
@example([(0.0, 256), (-0.0, 1)])
def test_M5_sums_of_finite_floats_and_their_squares_are_exact(values):
    units, total, squares = moments_of(values).sums()
    assert units == sum(w for _, w in values)
    assert Fraction(total, 2**LOWEST_BIT) == sum(Fraction(x) * w for x, w in values)
    assert Fraction(squares, 4**LOWEST_BIT) == sum(Fraction(x) ** 2 * w for x, w in values)


@given(st.lists(weighted, min_size=1, max_size=12))
@example([(1e9 + k * 1e-6, 256) for k in range(9)])
@example([(1e-300, 256), (1e300, 256), (-1e300, 256)])
@example([(1e300, 256), (math.nextafter(1e300, 0), 256)])
def test_M5_mean_and_deviation_are_exact_to_the_last_place(values):
    n = sum(w for _, w in values)
    mean = sum(Fraction(x) * w for x, w in values) / n
    variance = sum(Fraction(x) ** 2 * w for x, w in values) / n - mean**2
    moments = moments_of(values)
    assert_rounded(moments.mean, mean)
    assert_rounded(moments.std, square_root(variance))


@given(st.lists(weighted, max_size=8), st.lists(weighted, max_size=8), st.randoms(use_true_random=False))
def test_removing_values_in_any_order_restores_the_moments_bit_for_bit(kept, removed, random):
    moments = moments_of(random.sample([*kept, *removed], len(kept) + len(removed)))
    for x, units in random.sample(removed, len(removed)):
        moments.add(x, -units)
    assert moments == moments_of(kept)
    assert (moments.mean, moments.std) == (moments_of(kept).mean, moments_of(kept).std)
    assert moments.empty or moments.state() == moments_of(kept).state()


@given(st.lists(st.lists(weighted, max_size=5), max_size=5), st.data())
def test_merged_moments_equal_the_whole_and_can_be_unmerged_in_any_order(shards, data):
    whole = moments_of([pair for shard in shards for pair in shard])
    merged = Moments()
    for shard in shards:
        merged.merge(moments_of(shard))
    assert merged == whole
    assert (merged.mean, merged.std) == (whole.mean, whole.std)
    for shard in data.draw(st.permutations(shards)):
        kernels.add_rows(merged.row, moments_of(shard).row, -1)
    assert merged == Moments()


@given(st.lists(weighted, min_size=1, max_size=8))
def test_moments_restored_from_their_state_are_equal(values):
    moments = moments_of(values)
    restored = Moments.from_state(moments.state())
    assert restored == moments and restored.state() == moments.state()
    assert (restored.mean, restored.std) == (moments.mean, moments.std)
    restored.add(3.0)
    moments.add(3.0)
    assert restored == moments and (restored.mean, restored.std) == (moments.mean, moments.std)


def test_M5_moments_of_four_heights_equal_values_computed_by_hand():
    moments = Moments()
    for centimetres in (182, 171, 168, 175):  # mean 174; deviations 8, -3, -6, 1; squares 64 + 9 + 36 + 1 = 110
        moments.add(centimetres)
    assert (moments.n, moments.mean, moments.variance) == (4.0, 174.0, 27.5)
    assert moments.std == math.sqrt(27.5)
    moments.add(190, UNIT // 2)  # half a message: (696 + 95) / 4.5
    assert moments.mean == pytest.approx(791 / 4.5, rel=1e-15)


def test_sums_of_many_values_are_carried_between_digits():
    row = np.zeros(MOMENTS, np.int64)
    for _ in range(70_000):
        kernels.add_value(row, 0.1, UNIT)
        kernels.add_value(row, -1e200, UNIT)
        kernels.add_value(row, 1e200, UNIT)
    assert kernels.mean_and_std(row)[0] == statistics.mean([0.1, 1e200, -1e200])
    assert np.abs(row[1:]).max() < 2**32


@pytest.mark.parametrize("x", [math.inf, -math.inf, math.nan])
def test_a_number_that_is_not_finite_is_refused(x):
    moments = Moments()
    with pytest.raises(ValueError, match="only finite numbers can be added"):
        moments.add(x)
    assert moments == Moments()


@pytest.mark.parametrize("state", [(0, 0, 0, 0), (256, 1.5, 1, 0), (256, 1, 1, 5000), (256, 1 << 5000, 1 << 9999, 0)])
def test_an_impossible_state_is_refused(state):
    with pytest.raises(ValueError, match=r"not four integers|too large for a sum of floats"):
        Moments.from_state(state)


@pytest.mark.parametrize(
    "change",
    [
        lambda moments, other: moments.add(4.0),
        lambda moments, other: moments.remove(1.0),
        lambda moments, other: moments.merge(other),
        lambda moments, other: moments.unmerge(other),
        lambda moments, other: moments.decay(0.0),
    ],
    ids=["add", "remove", "merge", "unmerge", "decay"],
)
def test_a_mean_read_before_a_change_is_not_returned_after_it(change):
    moments, other = (moments_of((x, UNIT) for x in values) for values in ([1.0, 2.0, 9.0], [2.0]))
    before = moments.mean_and_std()
    change(moments, other)
    assert moments.mean_and_std() == Moments(moments.row).mean_and_std() != before


def test_unmerging_what_cannot_have_been_merged_is_refused_and_changes_nothing():
    for others in ([5.0], [5.0, 5.0], [5.0, 5.0, 5.0]):
        moments = moments_of([(1.0, UNIT), (2.0, UNIT)])
        with pytest.raises(ValueError, match="cannot be removed"):
            moments.unmerge(moments_of((x, UNIT) for x in others))
        assert moments == moments_of([(1.0, UNIT), (2.0, UNIT)]) and moments.mean == 1.5
