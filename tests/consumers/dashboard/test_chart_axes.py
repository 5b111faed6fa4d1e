"""The round values at a chart's axes, whatever its range."""

from __future__ import annotations

import pytest

TICKS = "range => import('/static/chart_axes.js').then(({ ticks }) => ticks(...range, 6))"


@pytest.fixture
def ticks(stage, open_page):
    page = open_page(stage.server.url)
    return lambda low, high: page.evaluate(TICKS, [low, high])


def test_ticks_are_round_and_within_their_range(ticks):
    assert ticks(0, 1) == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1])
    assert ticks(-3, 11) == pytest.approx([-2.5, 0, 2.5, 5, 7.5, 10])
    assert ticks(5, 5) == [5]


@pytest.mark.parametrize("low", [1e9, 1e15, -1e16, 1.0, 0.0])
@pytest.mark.parametrize("width", [1e-7, 1e-16, 5e-324, 4.0])
def test_ticks_end_where_a_step_is_smaller_than_floats_tell_apart(ticks, low, width):
    values = ticks(low, low + width)
    assert len(values) <= 8
    assert len(set(values)) == len(values)
