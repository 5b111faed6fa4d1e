"""Counts of numbers on grids: intervals are ordered, the finest suitable grid is used, and counts are exact."""

import math
from collections import Counter

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stream_nb.tabular.number_counts import NumberCounts, interval_of, on_finest

finite = st.floats(allow_nan=False, allow_infinity=False)
CENTRES = [0.0, 1e3, -1e6, 2.0**20, 1e9]


def counts_of(values):
    counts = NumberCounts()
    for value in values:
        counts.add(interval_of(value))
    return counts


@given(finite, finite)
def test_M7_intervals_have_the_order_and_sign_of_the_numbers(x, y):
    if x <= y:
        assert interval_of(x) <= interval_of(y)
    assert interval_of(-x) == -interval_of(x)
    assert (interval_of(x) == 0) == (x == 0)


@example([0.0], -5e-324)
@example([0.0], 1.5e-323)
@given(st.lists(finite, min_size=1, max_size=8), finite)
def test_M7_the_start_of_an_interval_is_the_least_number_in_it(values, x):
    grid, _, _ = on_finest([counts_of(values)])
    interval = grid.interval(interval_of(x))
    start = grid.start(interval)
    assert start <= x
    assert math.isinf(start) or grid.interval(interval_of(start)) == interval


@given(st.lists(st.lists(finite, min_size=1, max_size=30), min_size=1, max_size=3))
@example([[1.0, 1e300], [-1e300, 0.0]])
def test_M7_each_number_is_counted_at_its_interval_on_the_grid_of_all_groups(groups):
    grid, intervals, units = on_finest([counts_of(group) for group in groups])
    assert intervals.tolist() == sorted({grid.interval(interval_of(x)) for group in groups for x in group})
    for row, group in zip(units.tolist(), groups, strict=True):
        expected = Counter(grid.interval(interval_of(x)) for x in group)
        assert row == [256 * expected[interval] for interval in intervals.tolist()]


@given(st.lists(st.integers(-70, 70), min_size=1, max_size=30), st.sampled_from(CENTRES))
def test_M7_close_numbers_around_any_centre_are_counted_at_their_intervals(offsets, centre):
    values = [centre + offset / 8 for offset in offsets]
    grid, intervals, units = on_finest([counts_of(values)])
    assert units.sum() == 256 * len(offsets)
    assert set(intervals.tolist()) == {grid.interval(interval_of(value)) for value in values}


def test_large_numbers_with_a_small_difference_have_different_intervals():
    grid, intervals, _ = on_finest([counts_of([1e6, 1e6 + 1, 1e6 + 1])])
    assert grid.level == 3
    assert len(intervals) == 2


@given(st.lists(finite, min_size=1, max_size=9), st.lists(finite, max_size=9), st.randoms())
def test_counts_are_merged_and_removed_exactly_in_any_order(values, more, rng):
    counts = counts_of(values)
    for value in rng.sample(more, len(more)):
        counts.add(interval_of(value))
    assert counts.n == len(values) + len(more)
    merged = counts_of(more)
    merged.merge(counts_of(values))
    assert merged == counts == NumberCounts.from_state(counts.state())
    for value in more:
        counts.remove(interval_of(value))
    assert counts == counts_of(values)


def test_removing_a_number_that_was_not_counted_is_refused():
    counts = counts_of([1.0])
    with pytest.raises(ValueError, match=r"no number near 2\.0 has been counted"):
        counts.remove(interval_of(2.0))
    assert counts == counts_of([1.0])


def test_if_decay_empties_a_finer_grid_the_coarser_one_is_used():
    counts = counts_of([1.0 + k / 4096 for k in range(4)])  # one interval of the coarsest grid, four of the next
    counts.decay(1 / 256)
    counts.decay(0.3)
    assert counts.levels[0].units and counts.levels[1].empty
    grid, intervals, units = on_finest([counts])
    assert (grid.level, len(intervals), units.tolist()) == (0, 1, [[1]])


@pytest.mark.parametrize(
    "state",
    [
        [[], [], [], []],
        [[[1, 256]]],
        [[["a", 256]], [[1, 256]], [[1, 256]], [[1, 256]]],
        [[[1, 256]], [[4096, 256]], [[1, 256]], [[1, 256]]],
        [[[10**9, 256]], [[1, 256]], [[1, 256]], [[1, 256]]],
    ],
)
def test_an_impossible_state_is_refused(state):
    with pytest.raises(ValueError, match="counts of n"):
        NumberCounts.from_state(state)
