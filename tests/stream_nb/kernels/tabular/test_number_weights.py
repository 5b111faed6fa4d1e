"""The weight of each number among the others: its sums, and the low weights of redundant and random numbers."""

import math
import random

import pytest

from stream_nb import MailNB
from tests.support.feature_mails import mail_with


def trained(rows):
    model = MailNB(trust=False)
    for x, label in rows:
        model.learn_one(x, label)
    return model


def gradient_sums(model):
    table = model._counts.tabular.numbers
    return {name: tuple(table.sums[slot].tolist()) for name, slot in table.slots.items()}


def weights(model, x):
    model.score(x)
    of_part, _ = model.statistics.part_weights
    return (model._counts.tabular.weights[: len(x.features)] / of_part).tolist()


def overlapping(rng, classes):
    return [
        (mail_with(x=rng.gauss(k, 1.0), y=rng.gauss(-k, 2.0)), f"class {k}")
        for k in (rng.randrange(classes) for _ in "x" * 90)
    ]


@pytest.mark.parametrize("classes", [2, 3])
def test_a_label_adds_its_gradient_and_its_square_to_each_number(classes):
    rng = random.Random(classes)
    rows = overlapping(rng, classes)
    model = trained(rows[:-1])
    x, label = rows[-1]
    probabilities = model.predict_proba_one(x)
    table, columns = model._counts.tabular, model._counts.columns
    error = 1.0 - probabilities[label]
    expected_gradients = [
        error * table.terms[i, columns[label]]
        - sum(p * table.terms[i, columns[other]] for other, p in probabilities.items() if other != label)
        for i in range(2)
    ]
    before = gradient_sums(model)
    model.learn_one(x, label)
    for name, gradient in zip("xy", expected_gradients, strict=True):
        units = round(256 * gradient)
        assert units != 0
        assert gradient_sums(model)[name] == (before[name][0] + units, before[name][1] + units**2)
    first, second = (
        gradients / 256 / 2 / math.sqrt(squares / 65536 + 1) for gradients, squares in gradient_sums(model).values()
    )
    assert weights(model, x) == pytest.approx([math.exp((first - second) / 2), math.exp((second - first) / 2)])


def test_numbers_without_gradients_have_weight_1():
    model = trained([(mail_with(x=1.0, y=0.0), "ham"), (mail_with(x=2.0, y=1.0), "spam")])
    assert gradient_sums(model) == {"x": (0, 0), "y": (0, 0)}
    assert weights(model, mail_with(x=1.0, y=2.0, other=1.0)) == [1.0, 1.0, 1.0]


def test_each_of_several_redundant_numbers_weighs_less_than_an_independent_one():
    rng, rows = random.Random(7), []
    for _ in range(800):
        k = rng.randrange(2)
        x = rng.gauss(k, 1.0)
        rows.append(
            (mail_with(**{f"same{i}": x + rng.gauss(0, 0.1) for i in range(8)}, other=rng.gauss(k, 1.0)), "ab"[k])
        )
    *redundant, other = weights(trained(rows), rows[0][0])
    assert max(redundant) < 0.7 * other


def test_an_informative_number_weighs_more_than_each_of_many_random_ones():
    rng, rows = random.Random(8), []
    for _ in range(600):
        k = rng.randrange(2)
        rows.append(
            (mail_with(informative=rng.gauss(k, 0.7), **{f"noise{i}": rng.gauss(0, 1) for i in range(9)}), "ab"[k])
        )
    informative, *noise = weights(trained(rows), rows[0][0])
    assert max(noise) < informative


def test_weights_stay_within_their_range_for_extreme_sums():
    model = trained(overlapping(random.Random(9), 2))
    assert weights(model, mail_with(x=1.0)) == [1.0]
    model._counts.tabular.numbers.sums[:2] = [(10**12, -5), (-(10**12), 0)]
    assert weights(model, mail_with(x=1.0, y=1.0)) == pytest.approx([math.exp(3.0), math.exp(-3.0)])
