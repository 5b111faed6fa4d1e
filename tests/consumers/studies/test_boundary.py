"""The boundary between two classes, with own and with shared variances."""

import itertools
import math
import random
import re

import pytest

from consumers.errors import UserError
from consumers.studies import boundary
from stream_nb import GaussianNB
from tests.consumers.studies.made import with_numbers


def numbers(n):
    rng = random.Random(0)
    for i in range(n):
        wide = i % 3 == 0
        x = {"a": rng.gauss(0, 3 if wide else 1), "b": rng.gauss(0, 3 if wide else 1), "noise": rng.gauss(0, 1)}
        yield with_numbers("wide" if wide else "narrow", x)


def test_L3_own_variances_separate_classes_that_differ_only_in_variance():
    section = boundary.study(list(numbers(900)), positive="wide")
    assert set(section.figures["pair"]) == {"a", "b"}
    (curve, right), (line, chance) = section.figures["rows"]
    assert "curve" in curve and "line" in line
    assert right > chance + 0.05
    model = GaussianNB()
    for mail in numbers(900):
        model.learn_one(
            {name: x for name, x in mail.mail.features if name in "ab"}, "wide" if mail.label == "wide" else "other"
        )
    assert section.figures["quadratic"] == model.discriminant("wide", "other").quadratic
    named = [({name: x for name, x in mail.mail.features if name in "ab"}, mail.label) for mail in numbers(900)]
    assert right == sum((model.predict_one(x) == "wide") == (label == "wide") for x, label in named) / 900
    named = boundary.study(list(numbers(90)), positive="wide", feature="a, noise")
    assert set(named.figures["pair"]) == {"a", "noise"}
    with pytest.raises(UserError, match="--feature a: a boundary needs two numbers"):
        boundary.study(list(numbers(90)), positive="wide", feature="a")


def test_without_a_choice_the_pair_that_classifies_most_messages_correctly_is_drawn():
    mails = list(numbers(300))
    accuracies = {
        pair: boundary.study(mails, "wide", ",".join(pair)).figures["rows"][0][1]
        for pair in itertools.combinations(("a", "b", "noise"), 2)
    }
    found = boundary.study(mails, "wide").figures
    assert accuracies[found["pair"]] == found["rows"][0][1] == max(accuracies.values()) > min(accuracies.values())


def test_messages_far_from_all_others_are_outside_the_picture():
    mails = [*numbers(300), with_numbers("wide", {"a": 1e6, "b": 0.0}), with_numbers("narrow", {"a": 0.0, "b": -1e6})]
    section = boundary.study(mails, "wide", "a,b")
    shown = int(re.search(r"messages \((\d+) are within the picture", section.text[0])[1])
    assert 290 < shown < 301
    assert section.charts[0].count("<circle") == shown


def test_only_numbers_that_a_message_has_together_are_a_pair():
    apart = [with_numbers("wide" if i % 2 else "narrow", {"ab"[i % 3 > 0]: float(i)}) for i in range(30)]
    with pytest.raises(UserError, match="no message has both a and b"):
        boundary.study(apart, "wide")
    third = [with_numbers(mail.label, {"c": float(i % 7)}) for i, mail in enumerate(apart)]
    with pytest.raises(UserError, match="two varying numbers of one message; the mails have a, b, c"):
        boundary.study(apart + third, "wide")
    both = [with_numbers(mail.label, {"b": float(i), "c": float(i % 7)}) for i, mail in enumerate(apart)]
    assert boundary.study(apart + both, "wide").figures["pair"] == ("b", "c")
    one = with_numbers("wide", {"a": 1.0, "b": 2.0})
    assert boundary.study([*apart, one], "wide").figures["pair"] == ("a", "b")


@pytest.mark.parametrize(
    ("coefficients", "roots"),
    [
        ((1, 0, -4), (-2, 2)),
        ((-1, 0, 4), (-2, 2)),
        ((1, -2, 1), (1, 1)),
        ((1, 0, 4), (math.nan, math.nan)),
        ((0, 2, -4), (2, math.nan)),
        ((0, 0, 1), (math.nan, math.nan)),
        ((1e-9, 1e6, -1e6), (-1e15, 1)),  # one root is far outside any picture
    ],
)
def test_roots(coefficients, roots):
    assert boundary._roots(*coefficients) == pytest.approx(roots, nan_ok=True)


@pytest.mark.parametrize("unit", [1.0, 1e7, 1e-9])
def test_L3_the_log_odds_are_0_at_every_point_of_the_curve(unit):
    """In bytes as in megabytes."""
    model = GaussianNB()
    for mail in numbers(600):
        model.learn_one({name: unit * x for name, x in mail.mail.features if name in "ab"}, mail.label)
    discriminant = model.discriminant("wide", "narrow")
    points = boundary._curve(discriminant, ("a", "b"), (-5 * unit, 5 * unit), (-5 * unit, 5 * unit))
    drawn = [(x, y) for x, y in points if math.isfinite(y)]
    assert len(drawn) > 100
    for x, y in drawn:
        assert discriminant.log_odds({"a": x, "b": y}) == pytest.approx(0, abs=1e-9)


def test_the_positive_class_may_be_called_other():
    mails = list(numbers(300))
    renamed = [mail._replace(label="other" if mail.label == "wide" else "work") for mail in mails]
    expected, found = boundary.study(mails, positive="wide"), boundary.study(renamed, positive="other")
    assert found.figures == expected.figures


def test_numbers_whose_squares_are_no_floats_are_refused():
    rows = [
        with_numbers(mail.label, {"a": 1e200 * dict(mail.mail.features)["a"], "b": 1.0 * i})
        for i, mail in enumerate(numbers(90))
    ]
    with pytest.raises(UserError, match="study boundary: feature 'a' has deviations of"):
        boundary.study(rows, positive="wide")
