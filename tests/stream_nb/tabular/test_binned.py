"""Binned naive Bayes: bins have equal shares of the values, and likelihoods follow from their counts."""

import itertools
import math
import random

import pytest
from sklearn.naive_bayes import CategoricalNB as SkCategoricalNB

from stream_nb import Mail, MailNB
from stream_nb.tabular.binned import BinnedNB
from stream_nb.tabular.gaussian import GaussianNB


@pytest.mark.parametrize("centre", [0.0, 1e6, -1e6, 1.7e9])
def test_M7_numbers_with_a_large_offset_are_still_distinguished(centre):
    rng = random.Random(4)
    model, right = BinnedNB(bins=10), 0
    for _ in range(1000):
        i = rng.randrange(1000)
        y = "low" if i < 500 else "high"
        right += model.predict_one({"x": centre + i}) == y
        model.learn_one({"x": centre + i}, y)
    assert len(model.cuts("x")) == 9
    assert right > 930


@pytest.mark.parametrize(("start", "steps"), [(0.0, 5e-6), (1e6, 1e6 * 6e-8), (1.7e9, 1.7e9 * 6e-8), (-1.7e9, 102.0)])
def test_M7_differences_of_6e_8_of_the_numbers_are_distinguished(start, steps):
    model = BinnedNB(bins=2)
    for i in range(64):
        model.learn_one({"x": start + steps * i}, i < 32)
    assert all(model.predict_one({"x": start + steps * i}) is (i < 32) for i in range(64))


def test_M7_bins_contain_about_equal_shares_and_the_outer_ones_are_open():
    rng = random.Random(0)
    values = [rng.expovariate(1) for _ in range(5000)]
    model = BinnedNB(bins=5)
    for x in values:
        model.learn_one({"x": x}, "all")
    cuts = [-math.inf, *model.cuts("x"), math.inf]
    assert len(cuts) == 6
    for lower, upper in itertools.pairwise(cuts):
        assert sum(lower <= x < upper for x in values) == pytest.approx(1000, abs=60)
    assert model.log_likelihoods({"x": 1e9}) == model.log_likelihoods({"x": max(values)})


def test_M7_a_very_frequent_value_has_a_bin_of_its_own():
    model = BinnedNB(bins=10)
    for x in [0.0] * 900 + [float(i) for i in range(1, 101)]:
        model.learn_one({"x": x}, "all")
    assert len(model.cuts("x")) == 1  # zeros, and the rest


@pytest.mark.parametrize("smoothing", [1.0, 0.1])
def test_M7_equals_the_categorical_model_of_sklearn_on_bin_numbers(smoothing):
    rng = random.Random(2)
    rows = [({"x": rng.lognormvariate(c, 1), "y": rng.gauss(0, 1 + 3 * c)}, c) for c in [0, 1, 1] * 100]
    model = BinnedNB(bins=6, smoothing=smoothing)
    model.learn_many([x for x, _ in rows], [y for _, y in rows])
    cuts = {feature: model.cuts(feature) for feature in ("x", "y")}
    matrix = [[sum(cut <= x[f] for cut in cuts[f]) for f in ("x", "y")] for x, _ in rows]
    oracle = SkCategoricalNB(alpha=smoothing).fit(matrix, [y for _, y in rows])
    for (x, _), expected in zip(rows, oracle.predict_joint_log_proba(matrix), strict=True):
        assert list(model.joint_log_likelihood(x).values()) == pytest.approx(list(expected), abs=1e-12)


def test_M7_binned_predicts_better_than_gaussian_if_a_feature_is_not_normal():
    rng = random.Random(5)

    def draw():
        if rng.random() < 0.5:
            return {"x": rng.choice([-3, 3]) + rng.gauss(0, 0.5)}, "two humps"
        return {"x": rng.gauss(0, 0.5) + rng.choice([-6, 0, 6])}, "three humps"

    binned, gaussian = BinnedNB(bins=20), GaussianNB()
    right = {"binned": 0, "gaussian": 0}
    for _ in range(1500):
        x, y = draw()
        right["binned"] += binned.predict_one(x) == y
        right["gaussian"] += gaussian.predict_one(x) == y
        binned.learn_one(x, y)
        gaussian.learn_one(x, y)
    assert right["binned"] > 1350
    assert right["gaussian"] < 1200


@pytest.mark.parametrize("bins", [300, 10**30])
def test_with_more_bins_than_values_each_value_has_a_bin_of_its_own(bins):
    model = BinnedNB(bins=bins)
    for x in range(200):
        model.learn_one({"x": 1.0 + x / 200}, "all")
    assert len(model.cuts("x")) == 199


def test_too_few_bins_nan_and_text_are_refused_by_name():
    with pytest.raises(ValueError, match="bins is 1"):
        BinnedNB(bins=1)
    for value in (math.nan, "1.5", b"1.5"):
        with pytest.raises(ValueError, match=f"feature 'x' is {value!r}"):
            BinnedNB().learn_one({"x": value}, "ham")


def test_evidence_names_the_number_of_the_message():
    model = BinnedNB()
    for i in range(10):
        model.learn_one({"a": i}, "spam" if i < 5 else "ham")
    assert [term.text for term in model.evidence({"a": 7.25}).terms] == ["a 7.25"]


@pytest.mark.parametrize("hostile", [1e4, -1e4, 1e308])
def test_M7_one_outlier_hurts_the_gaussian_but_not_the_models_that_count_numbers(hostile):
    """As docs/models.md states; unlearning that message undoes it."""
    rng = random.Random(1)
    rows = [({"a": rng.gauss(3.0 * spam, 2), "b": rng.gauss(3.0 * spam, 2)}, spam) for spam in [True, False] * 400]
    models = [BinnedNB(positive=True), MailNB(positive=True), GaussianNB(positive=True)]
    wrappers = [lambda x: x, lambda x: Mail((), (), tuple(x.items())), lambda x: x]
    right = []
    for model, wrap in zip(models, wrappers, strict=True):
        model.learn_many([wrap(x) for x, _ in rows[:400]], [y for _, y in rows[:400]])
        before = model.copy()
        right.append(sum(model.predict_one(wrap(x)) == y for x, y in rows[400:]))
        model.learn_one(wrap({"a": hostile, "b": 3.0}), True)
        right.append(sum(model.predict_one(wrap(x)) == y for x, y in rows[400:]))
    model.unlearn_one({"a": hostile, "b": 3.0}, True)
    assert model == before
    assert right[1] > right[0] - 8 and right[3] > right[2] - 8 and right[5] < right[4] - 50
