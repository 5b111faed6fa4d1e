"""Equally wide bins; those of numbers with few decimals hold equally many possible values."""

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from consumers.explain.feature_summary import summarize_features
from consumers.explain.histogram_bins import bin_edges
from stream_nb import Mail, MailNB


@given(st.integers(-100, 2**30), st.integers(1, 10**6), st.integers(1, 40), st.integers(0, 2))
@example(0, 23, 30, 0)  # hours
@example(1, 4, 30, 0)  # stars
@example(20, 24, 30, 1)  # centimetres
def test_bins_of_numbers_with_few_decimals_hold_equally_many_of_them_and_cover_the_range(low, more, most, decimals):
    first, last = (round(number / 10**decimals, decimals) for number in (low, low + more))
    one_step = round((low + 1) / 10**decimals, decimals)
    edges = bin_edges([first, last, one_step], first, last, most)

    in_steps = [edge * 10**decimals for edge in edges]
    assert all(abs(edge % 1 - 0.5) < 0.01 for edge in in_steps)
    assert len({round(right - left) for left, right in pairwise(in_steps)}) == 1
    assert 2 <= len(edges) <= most + 1
    assert edges[0] < first and edges[-2] < last < edges[-1]


def test_bins_of_other_numbers_end_at_the_range():
    assert bin_edges([0.125, 1.0], 0.1, 0.7, 3)[::3] == [0.1, 0.7]
    assert bin_edges([0.0, 2.0**60], 0.0, 2.0**60, 2) == [0.0, 2.0**59, 2.0**60]
    assert bin_edges([0.5, 1e308], 0.5, 1e308, 2)[1] == 5e307


def test_between_neighbouring_numbers_there_are_no_empty_bins():
    assert bin_edges([0.3, 0.1 + 0.2], 0.3, 0.1 + 0.2, 30) == [0.3, 0.1 + 0.2]


@pytest.mark.parametrize(
    ("values", "bins"),
    [
        ([i % 24 for i in range(240)], [10] * 24),
        ([i % 5 for i in range(50)], [10] * 5),
        ([0] * 199 + [3], [199, 0, 0, 1]),
    ],
)
def test_the_histogram_of_whole_numbers_has_all_values_that_occur_and_no_gaps_between_them(values, bins):
    mails = [(Mail((), features=(("x", float(value)),)), "ham") for value in values]
    model = MailNB()
    for mail, label in mails:
        model.learn_one(mail, label)

    (number,) = summarize_features(model, mails)["numbers"]

    assert [each["counts"]["ham"] for each in number["histogram"]] == bins
