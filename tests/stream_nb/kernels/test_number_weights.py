"""The weight of each number among the others: its sums by hand, and what redundant and empty numbers lose."""

import math
import random

import pytest

from stream_nb import MailNB
from tests.support.feature_mails import of


def learned(rows):
    model = MailNB(trust=False)
    for x, label in rows:
        model.learn_one(x, label)
    return model


def sums(model):
    table = model._counts.tabular.numbers
    return {name: tuple(table.sums[slot].tolist()) for name, slot in table.slots.items()}


def weights(model, x):
    model.score(x)
    of_part, _ = model.statistics.part_weights
    return (model._counts.tabular.weights[: len(x.features)] / of_part).tolist()


def overlapping(rng, classes):
    return [
        (of(x=rng.gauss(k, 1.0), y=rng.gauss(-k, 2.0)), f"class {k}")
        for k in (rng.randrange(classes) for _ in "x" * 90)
    ]


@pytest.mark.parametrize("classes", [2, 3])
def test_a_label_adds_its_gradients(classes):
    rng = random.Random(classes)
    rows = overlapping(rng, classes)
    model = learned(rows[:-1])
    x, label = rows[-1]
    chances = model.predict_proba_one(x)
    table, columns = model._counts.tabular, model._counts.columns
    rest = 1.0 - chances[label]
    by_hand = [
        rest * table.terms[i, columns[label]]
        - sum(p * table.terms[i, columns[other]] for other, p in chances.items() if other != label)
        for i in range(2)
    ]
    before = sums(model)
    model.learn_one(x, label)
    for name, gradient in zip("xy", by_hand, strict=True):
        units = round(256 * gradient)
        assert units != 0
        assert sums(model)[name] == (before[name][0] + units, before[name][1] + units**2)
    one, two = (gradients / 256 / 2 / math.sqrt(squares / 65536 + 1) for gradients, squares in sums(model).values())
    assert weights(model, x) == pytest.approx([math.exp((one - two) / 2), math.exp((two - one) / 2)])


def test_numbers_weigh_1_as_long_as_they_have_given_no_label_anything():
    model = learned([(of(x=1.0, y=0.0), "ham"), (of(x=2.0, y=1.0), "spam")])
    assert sums(model) == {"x": (0, 0), "y": (0, 0)}
    assert weights(model, of(x=1.0, y=2.0, other=1.0)) == [1.0, 1.0, 1.0]


def test_of_numbers_that_say_the_same_each_counts_less_than_one_that_says_something_else():
    rng, rows = random.Random(7), []
    for _ in range(800):
        k = rng.randrange(2)
        x = rng.gauss(k, 1.0)
        rows.append((of(**{f"same{i}": x + rng.gauss(0, 0.1) for i in range(8)}, other=rng.gauss(k, 1.0)), "ab"[k]))
    *same, other = weights(learned(rows), rows[0][0])
    assert max(same) < 0.7 * other


def test_what_one_number_tells_is_found_among_many_that_tell_nothing():
    rng, rows = random.Random(8), []
    for _ in range(600):
        k = rng.randrange(2)
        rows.append((of(tells=rng.gauss(k, 0.7), **{f"noise{i}": rng.gauss(0, 1) for i in range(9)}), "ab"[k]))
    tells, *noise = weights(learned(rows), rows[0][0])
    assert max(noise) < tells


def test_weights_stay_within_their_range_whatever_the_labels():
    model = learned(overlapping(random.Random(9), 2))
    assert weights(model, of(x=1.0)) == [1.0]
    model._counts.tabular.numbers.sums[:2] = [(10**12, -5), (-(10**12), 0)]
    assert weights(model, of(x=1.0, y=1.0)) == pytest.approx([math.exp(3.0), math.exp(-3.0)])
