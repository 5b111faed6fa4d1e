"""Axes of charts show all values, use their width, and have few round ticks."""

import itertools
import math
import random

import pytest

from consumers.studies.axes import Axis


def mantissa(value):
    return round(value / 10.0 ** math.floor(math.log10(value) + 1e-9), 6)


@pytest.mark.parametrize("seed", range(40))
def test_ticks_are_round_and_no_further_out_than_needed(seed):
    draw = random.Random(seed)
    low = draw.uniform(-1, 1) * 10.0 ** draw.uniform(-6, 6)
    high = low + abs(low) * 10.0 ** draw.uniform(-4, 6)
    axis = Axis([high, low], log=False, start=0, end=100)
    values = [value for value, _ in axis.ticks]

    step = values[1] - values[0]
    assert 4 <= len(values) <= 7 and mantissa(step) in (1, 2, 2.5, 5)
    assert [b - a for a, b in itertools.pairwise(values)] == pytest.approx([step] * (len(values) - 1))
    assert values[0] - 1e-6 * step <= low < values[1] and values[-2] < high <= values[-1] + 1e-6 * step
    assert [axis.position(value) for value in (values[0], (low + high) / 2, values[-1] + step)] == pytest.approx(
        [0.0, 100 * ((low + high) / 2 - values[0]) / (values[-1] - values[0]), 100.0]
    )


@pytest.mark.parametrize("seed", range(40))
def test_the_texts_of_ticks_tell_them_apart_with_no_more_digits_than_needed(seed):
    draw = random.Random(seed)
    low = draw.uniform(-1, 1) * 10.0 ** draw.uniform(-6, 10)
    axis = Axis([low, low + abs(low) * 10.0 ** draw.uniform(-8, 6)], log=False, start=0, end=100)
    step = axis.ticks[1][0] - axis.ticks[0][0]
    shown = [float(text.replace(",", "")) for _, text in axis.ticks]
    assert shown == pytest.approx([value for value, _ in axis.ticks], rel=0, abs=1e-3 * step)
    assert not any(text.partition("e")[0].endswith("0") for _, text in axis.ticks if "." in text)


def test_the_ticks_of_one_axis_are_all_written_alike():
    def texts(*values):
        return [text for _, text in Axis(values, log=False, start=0, end=100).ticks]

    assert texts(-12_156.35, -12_155.95) == ["-12,156.4", "-12,156.3", "-12,156.2", "-12,156.1", "-12,156", "-12,155.9"]
    assert texts(1_760_000_000, 1_760_000_040)[:2] == ["1,760,000,000", "1,760,000,010"]
    assert texts(0, 5e6)[-1] == "5,000,000" and texts(0, 2e7)[1:3] == ["5e+06", "1e+07"]
    assert texts(0, 0.9) == ["0", "0.2", "0.4", "0.6", "0.8", "1"]


@pytest.mark.parametrize("seed", range(40))
def test_a_logarithmic_axis_has_powers_of_ten_or_if_it_is_short_others(seed):
    draw = random.Random(seed)
    low = 10.0 ** draw.uniform(-9, 9)
    high = low * 10.0 ** draw.choice([draw.uniform(0.01, 2), draw.uniform(2, 15)])
    axis = Axis([high, low], log=True, start=0, end=100)
    values = [value for value, _ in axis.ticks]

    assert 2 <= len(values) <= 9 and values == sorted(values)
    assert {mantissa(value) for value in values} <= ({1, 2, 5} if high < 250 * low else {1})
    assert 0 <= axis.position(low) < axis.position(high) <= 100
    assert axis.position(math.sqrt(low * high)) == pytest.approx((axis.position(low) + axis.position(high)) / 2)
    assert (axis.position(low / 2.6), axis.position(high * 5.1)) == (0, 100), "it ends near the values"


@pytest.mark.parametrize("value", [0.0, 5.0, -5.0, 1e-300, 1e15, 1e17, -1e17, 1e300])
def test_equal_values_and_values_that_differ_by_rounding_are_in_the_middle_of_the_axis(value):
    for other in (value, math.nextafter(value, math.inf)):
        axis = Axis([value, other], log=False, start=0, end=100)
        assert 0 < axis.position(value) <= axis.position(other) < 100 and len(axis.ticks) >= 3


def test_an_axis_shows_0_and_negative_values_unless_it_is_logarithmic():
    plain, log, with_zero = (Axis(values, log, 0, 100) for values, log in (([-1, 1], 0), ([1, 9], 1), ([0, 9], 1)))
    assert [axis.shows(0.0) for axis in (plain, log, with_zero)] == [True, False, True]
    assert [axis.shows(-1.0) for axis in (plain, log, with_zero)] == [True, False, False]
    assert log.shows(0.5) and len(Axis([0.0], log=True, start=0, end=100).ticks) > 1
    assert not any(axis.shows(value) for axis in (plain, log, with_zero) for value in (math.inf, math.nan))
