"""Rates, and histograms and quantiles of durations."""

from __future__ import annotations

from random import Random
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consumers.monitor.figures.traffic import Durations, Rate


def test_rate_counts_whole_seconds():
    rate = Rate()
    for number in range(50):
        rate.add(100.0 + number / 10)
    assert rate.per_s(105.0) == 10.0
    assert rate.per_s(110.0) == 5.0
    assert rate.per_s(114.0) == 1.0, "ten in the last ten seconds"
    assert rate.per_s(115.0) == 0.82, "9 / 11, since the tenth last, which is counted no more"
    assert rate.per_s(204.0) == 9 / 100
    assert rate.per_s(3_700.0) == 0.0025
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
    assert rate.per_s(1_000.0 + 60 * 100) == 9 / 600
    rare = Rate()
    for number in range(5):
        rare.add(1_000.0 + 1_800 * number)
    assert rare.per_s(1_000.0 + 1_800 * 4 + 1) == 0.00056, "not one in the second that is over"


@given(st.lists(st.integers(0, 300), min_size=1, max_size=200))
def test_the_rate_only_falls_once_nothing_comes(times):
    rate = Rate()
    for timestamp in [0, *times]:
        rate.add(1_000.0 + timestamp)
    end = 1_001.0 + max(times)
    rates = [rate.per_s(end + seconds) for seconds in range(600)]
    assert rates == sorted(rates, reverse=True)
    assert len(set(rates)) < 150, "a view is written for each"


@pytest.mark.parametrize("per_s", [0.02, 0.5, 20.0])
def test_the_rate_of_a_steady_stream_is_right_on_average(per_s):
    random, rate, timestamp, found = Random(0), Rate(), 0.0, []
    for _ in range(2_000):
        timestamp += random.expovariate(per_s)
        rate.add(timestamp)
        found.append(rate.per_s(timestamp + random.random() / per_s))
    assert fmean(found[100:]) == pytest.approx(per_s, rel=0.1)


@given(st.lists(st.floats(-5, 100)))
def test_histogram_counts_every_duration_once(durations):
    all_durations = Durations((0.1, 1.0, 10.0))
    for seconds in durations:
        all_durations.add(seconds)
    histogram = all_durations.histogram
    assert sum(histogram.counts) == len(durations)
    for index, bound in enumerate(histogram.bounds):
        assert sum(histogram.counts[: index + 1]) == sum(seconds <= bound for seconds in durations)
    assert histogram.sum_s == pytest.approx(sum(max(0.0, seconds) for seconds in durations))


def test_quantiles_cover_the_latest_durations():
    durations = Durations((1.0,))
    assert durations.quantiles() is None
    for number in range(3_000):
        durations.add(float(number))
    found = durations.quantiles()
    assert (found.median_s, found.p95_s, found.p99_s) == pytest.approx((2499.5, 2949.05, 2989.01))
