"""Rates and durations."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consumers.monitor.traffic import Histogram, Rate, RecentDurations


def test_rate_counts_whole_seconds():
    rate = Rate()
    for number in range(50):
        rate.add(100.0 + number / 10)
    assert rate.per_s(105.0) == 10.0
    assert rate.per_s(110.0) == 5.0
    assert rate.per_s(200.0) == 0.0


@given(st.lists(st.floats(-5, 100)))
def test_histogram_counts_every_duration_once(durations):
    histogram = Histogram.of((0.1, 1.0, 10.0))
    for seconds in durations:
        histogram.add(seconds)
    assert sum(histogram.counts) == len(durations)
    for index, bound in enumerate(histogram.bounds):
        assert sum(histogram.counts[: index + 1]) == sum(seconds <= bound for seconds in durations)
    assert histogram.sum_s == pytest.approx(sum(max(0.0, seconds) for seconds in durations))


def test_quantiles_are_of_the_latest():
    durations = RecentDurations()
    assert durations.quantiles() is None
    for number in range(3_000):
        durations.add(float(number))
    found = durations.quantiles()
    assert (found.median_s, found.p95_s, found.p99_s) == pytest.approx((2499.5, 2949.05, 2989.01))
