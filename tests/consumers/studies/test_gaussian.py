"""The study of Gaussian models of numbers."""

import math
import re

import pytest

from consumers.studies import gaussian
from consumers.studies.numbers import mail_numbers
from stream_nb import BinnedNB, GaussianNB
from tests.consumers.studies.made import with_numbers


def test_Q9_the_misfit_is_small_for_normal_numbers_and_large_for_others(mails):
    section = gaussian.study(mails)
    misfits = {(feature, label): misfit for feature, label, _, _, misfit, *_ in section.figures["misfits"]}
    assert misfits["exclamations", "spam"] > 0.2  # it has only two values
    assert misfits["log bytes", "ham"] < 0.1
    assert list(misfits.values()) == sorted(misfits.values(), reverse=True)
    assert len(section.charts) == 10
    assert section.figures["constant"] == ["capitals", "digits", "high bytes", "links"]
    assert sorted(chart.count("<polyline") for chart in section.charts) == [0] * 4 + [2] * 6


def test_Q9_the_probability_outside_the_possible_range_is_reported(mails):
    rows = {(row[0], row[1]): row for row in gaussian.study(mails).figures["misfits"]}
    _, _, mean, std, _, possible, outside = rows["exclamations", "spam"]
    assert possible == "0 to 1"
    below = 0.5 * math.erfc(mean / std / math.sqrt(2))
    assert outside == pytest.approx(below, abs=1e-9)
    assert outside > 0.1
    assert rows["log bytes", "ham"][5] == "0 to inf"


def test_Q9_a_number_that_is_negative_in_one_class_may_be_anything_observed():
    """The picture shows all of it, with a margin for the curves."""
    mails = [with_numbers("ab"[n % 2], {"n": float(n // 2 - 5) if n % 2 else float(n)}) for n in range(40)]
    section = gaussian.study(mails)
    assert {row[5] for row in section.figures["misfits"]} == {"-5 to 38"}
    texts = re.findall(r'text-anchor="middle">(-?[\d.]+)<', section.charts[0])
    assert [float(text) for text in (texts[0], texts[-1])] == [-20.0, 60.0]


def test_Q9_each_value_of_a_small_whole_number_has_a_bar():
    mails = [with_numbers("ab"[n % 2], {"stars": float(n % 5)}) for n in range(40)]
    (chart,) = gaussian.study(mails).charts
    assert chart.count('class="bar"') == 10


def test_Q9_a_number_that_is_nearly_constant_has_bars_for_its_other_values():
    mails = [with_numbers("ab"[n % 2], {"links": 3.0 if n in (7, 8) else 0.0}) for n in range(400)]
    (chart,) = gaussian.study(mails).charts
    assert chart.count('class="bar"') == 8


def test_Q9_a_number_whose_values_differ_by_rounding_only_has_bars():
    mails = [with_numbers("ab"[n % 2], {"share": 0.3 if n % 3 else 0.1 + 0.2}) for n in range(40)]
    (chart,) = gaussian.study(mails).charts
    assert chart.count('class="bar"') == 2


def test_Q9_a_constant_number_has_one_bar_per_class_and_no_curve():
    mails = [with_numbers("ab"[i % 2], {"same": 1e6, "other": float(i)}) for i in range(20)]
    section = gaussian.study(mails)
    assert section.figures["constant"] == ["same"]
    assert section.text[0].startswith("2 numbers of 20 messages")
    same = next(chart for chart in section.charts if "same" in chart)
    assert same.count('class="bar"') == 2
    assert "<polyline" not in same
    assert gaussian.study(mails, feature="other").text[0].startswith("1 number of 20")


def test_Q9_the_deviation_of_equal_values_is_said_to_be_that_within_classes():
    mails = [with_numbers("ab"[n % 2], {"n": float(n % 2 * n)}) for n in range(20)]
    section = gaussian.study(mails)
    (std,) = {row[3] for row in section.figures["misfits"] if row[1] == "a"}
    assert std > 0.0
    sentence = "A class whose values are all equal has the standard deviation within classes, else of all values."
    assert sentence in section.text
    spread = [with_numbers("ab"[n % 2], {"n": float(n)}) for n in range(20)]
    assert sentence not in gaussian.study(spread).text


def test_numbers_whose_range_no_axis_can_show_have_a_misfit_but_no_chart():
    values = {"wide": (-1.7e308, 1.7e308), "narrow": (0.0, 1e-300), "usual": (1.0, 2.0)}
    mails = [with_numbers("ab"[i % 2], {name: two[i // 2 % 2] for name, two in values.items()}) for i in range(20)]
    section = gaussian.study(mails)
    assert len(section.charts) == 1
    assert section.text[-1] == "Not drawn, because the range is too narrow or too wide: wide, narrow."
    assert {row[0] for row in section.figures["misfits"]} == set(values)


def test_M7_the_accuracies_of_gaussian_and_binned_models_are_reported(mails):
    section = gaussian.study(mails)
    accuracy = section.figures["accuracy"]
    assert set(accuracy) == {"Gaussian, own variances", "Gaussian, shared variance", "12 bins"}
    models = (GaussianNB(), GaussianNB(variance="shared"), BinnedNB(bins=12))
    for model, found in zip(models, accuracy.values(), strict=True):
        right = 0
        for mail, label in mails:
            x = mail_numbers(mail)
            right += model.predict_one(x) == label
            model.learn_one(x, label)
        assert found == right / len(mails)
    best = max(accuracy, key=accuracy.get)
    assert f"Best here: {best}, {100 * accuracy[best]:.2f} %." in section.text[1]
