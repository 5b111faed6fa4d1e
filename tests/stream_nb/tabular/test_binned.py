"""Binned naive Bayes: the grid keeps order, the bins hold equal shares, the laws hold."""

import itertools
import math
import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sklearn.naive_bayes import CategoricalNB as SkCategoricalNB

from stream_nb.tabular.binned import BinnedNB
from stream_nb.tabular.gaussian import GaussianNB
from stream_nb.tabular.number_counts import NumberCounts, finest, place_of

finite = st.floats(allow_nan=False, allow_infinity=False)


@given(finite, finite)
def test_M7_the_grid_keeps_order_and_sign(x, y):
    if x <= y:
        assert place_of(x) <= place_of(y)
    assert place_of(-x) == -place_of(x)
    assert (place_of(x) == 0) == (x == 0)


@example([0.0], -5e-324)
@example([0.0], 1.5e-323)
@given(st.lists(finite, min_size=1, max_size=8), finite)
def test_M7_a_place_starts_at_the_first_number_that_it_holds(values, x):
    counts = NumberCounts()
    for value in values:
        counts.add(place_of(value))
    grid = finest([counts])
    place = grid.place(place_of(x))
    start = grid.start(place)
    assert start <= x
    assert math.isinf(start) or grid.place(place_of(start)) == place


@given(st.lists(st.integers(-70, 70), min_size=1, max_size=30), st.sampled_from([0.0, 1e3, -1e6, 2.0**20, 1e9]))
def test_M7_the_finest_grid_has_every_number_where_it_lies(offsets, centre):
    counts = NumberCounts()
    for offset in offsets:
        counts.add(place_of(centre + offset / 8))
    grid = finest([counts])
    found = counts.on(grid)
    assert sum(found.values()) == 256 * len(offsets)
    assert set(found) == {grid.place(place_of(centre + offset / 8)) for offset in offsets}


@pytest.mark.parametrize("centre", [0.0, 1e6, -1e6, 1.7e9])
def test_M7_an_offset_hides_nothing(centre):
    rng = random.Random(4)
    model, right = BinnedNB(bins=10), 0
    for _ in range(1000):
        i = rng.randrange(1000)
        y = "low" if i < 500 else "high"
        right += model.predict_one({"x": centre + i}) == y
        model.learn_one({"x": centre + i}, y)
    assert len(model.cuts("x")) == 9
    assert right > 930


def test_M7_bins_hold_about_equal_shares_and_outer_ones_are_open():
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


def test_M7_a_heavy_value_makes_no_slivers():
    model = BinnedNB(bins=10)
    for x in [0.0] * 900 + [float(i) for i in range(1, 101)]:
        model.learn_one({"x": x}, "all")
    assert len(model.cuts("x")) == 1  # zeros, and the rest


@pytest.mark.parametrize("smoothing", [1.0, 0.1])
def test_M7_equals_sklearn_on_the_bin_numbers(smoothing):
    rng = random.Random(2)
    rows = [({"x": rng.lognormvariate(c, 1), "y": rng.gauss(0, 1 + 3 * c)}, c) for c in [0, 1, 1] * 100]
    model = BinnedNB(bins=6, smoothing=smoothing)
    model.learn_many([x for x, _ in rows], [y for _, y in rows])
    cuts = {feature: model.cuts(feature) for feature in ("x", "y")}
    matrix = [[sum(cut <= x[f] for cut in cuts[f]) for f in ("x", "y")] for x, _ in rows]
    oracle = SkCategoricalNB(alpha=smoothing).fit(matrix, [y for _, y in rows])
    for (x, _), expected in zip(rows, oracle.predict_joint_log_proba(matrix), strict=True):
        assert list(model.joint_log_likelihood(x).values()) == pytest.approx(list(expected), abs=1e-12)


def test_M7_binned_beats_gaussian_where_a_feature_is_not_normal():
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


def test_mistakes_are_named():
    with pytest.raises(ValueError, match="bins is 1"):
        BinnedNB(bins=1)
    with pytest.raises(ValueError, match="feature 'x' is nan"):
        BinnedNB().learn_one({"x": math.nan}, "ham")
