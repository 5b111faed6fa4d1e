"""Rates, and histograms and quantiles of durations."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consumers.monitor.figures.traffic import Histogram, Rate, RecentDurations


def test_rate_counts_whole_seconds():
    rate = Rate()
    for number in range(50):
        rate.add(100.0 + number / 10)
    assert rate.per_s(105.0) == 10.0
    assert rate.per_s(110.0) == 5.0
    assert rate.per_s(125.0) == 2.0, "none in the last ten seconds, fifty in the minute that has just begun"
    assert rate.per_s(204.0) == 50 / 104
    assert rate.per_s(3_700.0) == 50 / 3_600, "once an hour has passed without any"
    assert rate.per_s(105.0 + 3_600) == 0.0


def test_the_second_in_progress_does_not_count():
    rate = Rate()
    for number in range(10):
        rate.add(100.0 + number)
    for _ in range(50):
        rate.add(110.2)
    assert rate.per_s(110.5) == 1.0


def test_the_order_of_events_does_not_matter():
    rate = Rate()
    for partition in range(2):
        for number in range(60):
            rate.add(1_000.0 + 2 * number + partition)
    assert rate.per_s(1_120.0) == 1.0
    for number in range(20_000):
        rate.add(2_000.0 + number)
        assert len(rate._counts) <= 7_200
        assert number < 10 or rate.per_s(2_001.0 + number) == 1.0


def test_rare_events_have_a_rate_over_a_longer_window():
    rate = Rate()
    assert rate.per_s(50.0) == 0.0
    for number in range(100):
        rate.add(1_000.0 + 60 * number)
    assert rate.per_s(1_000.0 + 60 * 100) == 10 / 600
    rare = Rate()
    for number in range(5):
        rare.add(1_000.0 + 1_800 * number)
    assert rare.per_s(1_000.0 + 1_800 * 4 + 1) == 2 / 3_600, "not one in the second that is over"


@given(st.lists(st.floats(-5, 100)))
def test_histogram_counts_every_duration_once(durations):
    histogram = Histogram.of((0.1, 1.0, 10.0))
    for seconds in durations:
        histogram.add(seconds)
    assert sum(histogram.counts) == len(durations)
    for index, bound in enumerate(histogram.bounds):
        assert sum(histogram.counts[: index + 1]) == sum(seconds <= bound for seconds in durations)
    assert histogram.sum_s == pytest.approx(sum(max(0.0, seconds) for seconds in durations))


def test_quantiles_cover_the_latest_durations():
    durations = RecentDurations()
    assert durations.quantiles() is None
    for number in range(3_000):
        durations.add(float(number))
    found = durations.quantiles()
    assert (found.median_s, found.p95_s, found.p99_s) == pytest.approx((2499.5, 2949.05, 2989.01))
