"""Counts of numbers on grids: places are ordered, the finest grid that fits is read, sums are exact."""

import math
from collections import Counter

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stream_nb.tabular.number_counts import NumberCounts, on_finest, place_of

finite = st.floats(allow_nan=False, allow_infinity=False)
CENTRES = [0.0, 1e3, -1e6, 2.0**20, 1e9]


def counts_of(values):
    counts = NumberCounts()
    for value in values:
        counts.add(place_of(value))
    return counts


@given(finite, finite)
def test_M7_the_grid_keeps_order_and_sign(x, y):
    if x <= y:
        assert place_of(x) <= place_of(y)
    assert place_of(-x) == -place_of(x)
    assert (place_of(x) == 0) == (x == 0)


@example([0.0], -5e-324)
@example([0.0], 1.5e-323)
@given(st.lists(finite, min_size=1, max_size=8), finite)
def test_M7_a_place_starts_at_the_first_number_that_it_holds(values, x):
    grid, _, _ = on_finest([counts_of(values)])
    place = grid.place(place_of(x))
    start = grid.start(place)
    assert start <= x
    assert math.isinf(start) or grid.place(place_of(start)) == place


@given(st.lists(st.lists(finite, min_size=1, max_size=30), min_size=1, max_size=3))
@example([[1.0, 1e300], [-1e300, 0.0]])
def test_M7_every_number_is_read_where_it_lies(groups):
    grid, places, units = on_finest([counts_of(group) for group in groups])
    assert places.tolist() == sorted({grid.place(place_of(x)) for group in groups for x in group})
    for row, group in zip(units.tolist(), groups, strict=True):
        held = Counter(grid.place(place_of(x)) for x in group)
        assert row == [256 * held[place] for place in places.tolist()]


@given(st.lists(st.integers(-70, 70), min_size=1, max_size=30), st.sampled_from(CENTRES))
def test_M7_the_finest_grid_has_every_number_where_it_lies(offsets, centre):
    values = [centre + offset / 8 for offset in offsets]
    grid, places, units = on_finest([counts_of(values)])
    assert units.sum() == 256 * len(offsets)
    assert set(places.tolist()) == {grid.place(place_of(value)) for value in values}


def test_numbers_that_differ_little_from_a_large_one_are_told_apart():
    grid, places, _ = on_finest([counts_of([1e6, 1e6 + 1, 1e6 + 1])])
    assert grid.level == 3
    assert len(places) == 2


@given(st.lists(finite, min_size=1, max_size=9), st.lists(finite, max_size=9), st.randoms())
def test_what_is_added_is_taken_back_and_merges_in_any_order(values, more, rng):
    counts = counts_of(values)
    for value in rng.sample(more, len(more)):
        counts.add(place_of(value))
    assert counts.n == len(values) + len(more)
    merged = counts_of(more)
    merged.merge(counts_of(values))
    assert merged == counts == NumberCounts.from_state(counts.state())
    for value in more:
        counts.remove(place_of(value))
    assert counts == counts_of(values)


def test_what_is_not_held_is_not_taken_back():
    counts = counts_of([1.0])
    with pytest.raises(ValueError, match=r"no number near 2\.0 has been counted"):
        counts.remove(place_of(2.0))
    assert counts == counts_of([1.0])


def test_a_coarser_grid_is_read_where_a_decay_left_nothing_on_a_finer_one():
    counts = counts_of([1.0 + k / 4096 for k in range(4)])  # one place of the coarsest grid, four of the next
    counts.decay(1 / 256)
    counts.decay(0.3)
    assert counts.levels[0].units and counts.levels[1].empty
    grid, places, units = on_finest([counts])
    assert (grid.level, len(places), units.tolist()) == (0, 1, [[1]])


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
def test_a_state_that_no_counts_have_is_refused(state):
    with pytest.raises(ValueError, match="counts of n"):
        NumberCounts.from_state(state)
