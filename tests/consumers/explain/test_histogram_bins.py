"""Equally wide bins; those of whole numbers hold equally many whole numbers."""

import math
from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from consumers.explain.histogram_bins import bin_edges


@given(st.integers(-100, 2**45), st.integers(1, 10**6), st.integers(1, 40))
@example(0, 23, 30)  # hours
@example(1, 4, 30)  # stars
def test_bins_of_whole_numbers_hold_equally_many_of_them_and_cover_the_range(low, more, most):
    edges = bin_edges([float(low), float(low + more)], float(low), float(low + more), most)

    assert len({math.floor(right) - math.floor(left) for left, right in pairwise(edges)}) == 1
    assert 2 <= len(edges) <= most + 1
    assert edges[0] == low - 0.5 and edges[-2] < low + more < edges[-1]


def test_bins_of_other_numbers_end_at_the_range():
    assert bin_edges([0.25, 1.0], 0.1, 0.7, 3)[::3] == [0.1, 0.7]
    assert bin_edges([0.0, 2.0**60], 0.0, 2.0**60, 2) == [0.0, 2.0**59, 2.0**60]
    assert bin_edges([0.5, 1e308], 0.5, 1e308, 2)[1] == 5e307
