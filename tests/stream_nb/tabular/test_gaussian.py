"""Gaussian naive Bayes, compared with the lecture notes, scikit-learn and formulas in floats."""

import math
import random
import statistics

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sklearn.naive_bayes import GaussianNB as SkGaussianNB

from stream_nb.tabular.gaussian import GaussianNB
from stream_nb.tabular.moments import Moments, pooled_std
from stream_nb.tabular.normal import Normal
from tests.support.trained import trained

TABLE = [((2, 3, 1), 1), ((-1.2, 2, 0.4), 1), ((1.2, 0.3, 0), 0), ((2.2, 1.1, 0), 1)]
"""Note 001, table 3.2."""


def features(row):
    return dict(zip(("x1", "x2", "x3"), row, strict=True))


def random_rows(n, seed, classes=("ham", "spam", "work")):
    rng = random.Random(seed)
    for _ in range(n):
        c = rng.randrange(len(classes))
        yield {"a": rng.gauss(c, 1 + c), "b": rng.gauss(100 - 3 * c, 0.5), "c": rng.random() ** (c + 1)}, classes[c]


def test_M5_moments_equal_those_of_the_notes_after_each_row():
    model = GaussianNB()
    expected = [(1, 2.0, 0.0), (2, 0.4, 2.56), (2, 0.4, 2.56), (3, 1.0, 7.28 / 3)]  # of the values of class 1 so far
    for (row, y), (n, mean, variance) in zip(TABLE, expected, strict=True):
        model.learn_one(features(row), y)
        moments = model.statistics.get("x1", 1)
        assert (moments.n, moments.mean) == (n, pytest.approx(mean, abs=1e-15))
        assert moments.variance == pytest.approx(variance, abs=1e-15)
    assert moments.variance == pytest.approx(2.426667, abs=5e-7)
    # 1 / 3.904766 exp(-(x - 1)^2 / 4.853333), the notes' 3.91 and 4.86
    assert math.sqrt(2 * math.pi * moments.variance) == pytest.approx(3.904766, abs=5e-7)
    assert 2 * moments.variance == pytest.approx(4.853333, abs=5e-7)
    assert math.exp(model.normals("x1")[1].log_density(1.0)) == pytest.approx(1 / 3.904766, abs=5e-7)
    assert math.exp(model.normals("x1")[1].log_density(4.0)) == pytest.approx(math.exp(-9 / 4.853333) / 3.904766)


def test_M5_a_class_with_one_row_has_the_variance_within_classes():
    model = GaussianNB()
    for row, y in TABLE:
        model.learn_one(features(row), y)
    one_row = model.normals("x1")[0]
    assert one_row.mean == 1.2
    assert one_row.std == pytest.approx(math.sqrt(7.28 / 4), rel=1e-15)  # M2 of both classes over 4 rows
    assert model.predict_one(features((1.2, 0.3, 0))) == 0
    assert model.predict_one(features((2, 3, 1))) == 1


def test_M5_a_class_without_variance_has_that_within_classes_or_of_all_rows():
    model = GaussianNB()
    model.learn_one({"x": 1.0, "same": 7.0}, "ham")
    assert model.normals("x") == {}  # one row in all: uninformative
    model.learn_one({"x": 3.0, "same": 7.0}, "spam")
    assert model.normals("x") == {"ham": Normal(1.0, 1.0), "spam": Normal(3.0, 1.0)}  # standard deviation of all rows
    assert model.normals("same") == {}
    assert model.predict_proba_one({"same": 7.0}) == {"ham": 0.5, "spam": 0.5}
    assert model.predict_proba_one({"same": 8.0}) == {"ham": 0.5, "spam": 0.5}
    model.learn_one({"x": 1.5}, "ham")
    assert model.normals("x")["spam"].std == pytest.approx(math.sqrt(0.125 / 3))  # standard deviation within classes
    model.learn_one({}, "work")
    assert model.normals("x")["work"] == Normal(pytest.approx(5.5 / 3), pytest.approx(np.std([1.0, 3.0, 1.5])))


def test_M5_log_odds_far_from_the_means_have_no_bound():
    model = GaussianNB()
    for x in (-1.0, 1.0):
        model.learn_one({"x": x}, "near")
        model.learn_one({"x": 10.0 + x}, "far")
    assert model.log_odds_one({"x": 105.0}, "far") == pytest.approx((105**2 - 95**2) / 2)  # 1000 nats
    assert model.log_odds_one({"x": -1e6}, "far") == pytest.approx(((1e6) ** 2 - (1e6 + 10) ** 2) / 2)
    assert model.predict_proba_one({"x": 105.0}) == {"far": 1.0, "near": 0.0}


@pytest.mark.parametrize("prior", ["learned", "uniform"])
def test_M5_equals_sklearn(prior):
    rows = list(random_rows(400, seed=2))
    model = GaussianNB(prior=prior)
    model.learn_many([x for x, _ in rows], [y for _, y in rows])
    oracle = SkGaussianNB(var_smoothing=0.0, priors=[1 / 3] * 3 if prior == "uniform" else None)
    matrix = np.array([list(x.values()) for x, _ in rows])
    oracle.fit(matrix, [y for _, y in rows])
    for x, expected in zip([x for x, _ in rows], oracle.predict_joint_log_proba(matrix), strict=True):
        joint = model.joint_log_likelihood(x)
        assert [joint[label] for label in oracle.classes_] == pytest.approx(list(expected), rel=1e-12, abs=1e-12)


floats = st.floats(-1e6, 1e6)


@example([0.0, -48577.0, -999999.0096731294, -3.3e-202])  # without the last value the mean is between two floats
@example([5e-324, 0.0])  # Welford's mean is rounded
@given(st.lists(floats, min_size=1, max_size=30))
def test_M5_moments_equal_welfords_method_and_the_definition(values):
    moments, mean, m2 = Moments(), 0.0, 0.0
    for n, x in enumerate(values, 1):
        moments.add(x)
        delta = x - mean
        mean += delta / n
        m2 += delta * (x - mean)
    scale = max(map(abs, values)) or 1.0
    assert moments.mean == pytest.approx(mean, abs=max(1e-12 * scale, math.ulp(0.0)))
    assert moments.variance == pytest.approx(m2 / len(values), abs=1e-12 * scale**2)
    exact = statistics.mean(values)
    assert moments.mean == pytest.approx(exact, rel=0, abs=math.ulp(exact))
    assert moments.variance == statistics.pvariance(values)
    assert moments.std == pytest.approx(math.sqrt(moments.variance), rel=1e-15, abs=1e-160)


@given(st.lists(floats, min_size=1, max_size=20), st.lists(floats, min_size=1, max_size=20))
def test_M5_merged_moments_equal_chans_formula(left, right):
    a, b = Moments(), Moments()
    for x in left:
        a.add(x)
    for x in right:
        b.add(x)
    delta, n = b.mean - a.mean, a.n + b.n
    m2 = a.variance * a.n + b.variance * b.n + delta**2 * a.n * b.n / n
    a.merge(b)
    assert a.variance * n == pytest.approx(m2, rel=1e-9, abs=1e-9)
    exact = statistics.mean(left + right)
    assert a.mean == pytest.approx(exact, rel=0, abs=math.ulp(exact))


def test_M5_moments_of_extreme_numbers_do_not_cancel_or_overflow():
    moments = Moments()
    for x in (1e15 + 1, 1e15 + 2, 1e15 + 3):
        moments.add(x)
    assert moments.variance == 2 / 3
    extreme = Moments()
    for x in (1.7e308, -1.7e308):
        extreme.add(x)
    assert (extreme.mean, extreme.std, extreme.variance) == (0.0, 1.7e308, math.inf)
    tiny = Moments()
    for x in (1e-200, 3e-200):
        tiny.add(x)
    assert (tiny.mean, tiny.std, tiny.variance) == (pytest.approx(2e-200), pytest.approx(1e-200), 0.0)


def test_M5_the_pooled_deviation_is_the_root_of_the_variance_within_groups():
    groups = [[1.0, 2.0, 4.0], [10.0, 10.5], [-3.0]]
    moments = []
    for values in groups:
        moments.append(Moments())
        for x in values:
            moments[-1].add(x)
    within = sum(len(v) * statistics.pvariance(v) for v in groups) / 6
    assert pooled_std(moments) == pytest.approx(math.sqrt(within), rel=1e-15)
    assert pooled_std([]) == 0.0


@pytest.mark.parametrize("variance", ["own", "shared"])
def test_L3_the_discriminant_equals_the_log_odds_and_is_linear_if_variance_is_shared(variance):
    model = GaussianNB(variance=variance)
    for x, y in random_rows(300, seed=4):
        model.learn_one(x, y)
    polynomial = model.discriminant("spam", "ham")
    for x, _ in random_rows(50, seed=5):
        joint = model.joint_log_likelihood(x)
        size = max(map(abs, joint.values())) + abs(polynomial.bias)
        assert polynomial.log_odds(x) == pytest.approx(joint["spam"] - joint["ham"], abs=1e-12 * size)
    if variance == "shared":
        assert set(polynomial.quadratic.values()) == {0.0}
        square_is_no_float = {"a": 1e160, "b": 0.0, "c": 0.0}
        assert polynomial.log_odds(square_is_no_float) == pytest.approx(1e160 * polynomial.linear["a"])
        model.learn_one({"a": 1.0}, "new")  # the values of all classes vary more than those within them
        assert {i for i, square in model.discriminant("new", "ham").quadratic.items() if square} == {"b", "c"}
    else:
        assert all(polynomial.quadratic.values())
    model.prior = {"work": 1.0}  # neither of the two classes can be right, and so neither is likelier
    assert math.isfinite(model.discriminant("spam", "ham").bias)


@pytest.mark.parametrize("unit", [1e200, 1e-160, 1e-200])
def test_a_number_whose_square_is_no_float_has_scores_but_no_discriminant(unit):
    model = GaussianNB()
    for x, y in [(1, "ham"), (2, "ham"), (4, "spam"), (7, "spam")]:
        model.learn_one({"size": x * unit}, y)
    assert model.predict_one({"size": 6 * unit}) == "spam"
    with pytest.raises(ValueError, match=r"feature 'size' has deviations of .* whose squares are not floats"):
        model.discriminant("spam", "ham")


def test_L3_the_shared_variance_is_the_variance_within_classes():
    rows = list(random_rows(200, seed=6))
    model = GaussianNB(variance="shared")
    for x, y in rows:
        model.learn_one(x, y)
    for feature in ("a", "b", "c"):
        within = sum(
            len(values) * statistics.pvariance(values)
            for values in ([x[feature] for x, y in rows if y == label] for label in model.classes)
        )
        for normal in model.normals(feature).values():
            assert normal.std == pytest.approx(math.sqrt(within / len(rows)), rel=1e-14)


def test_variance_and_prior_can_be_changed_without_retraining():
    rows = list(random_rows(100, seed=7))
    model = GaussianNB()
    model.learn_many([x for x, _ in rows], [y for _, y in rows])
    fresh = GaussianNB(variance="shared", prior="uniform")
    fresh.learn_many([x for x, _ in rows], [y for _, y in rows])
    model.variance, model.prior = "shared", "uniform"
    assert model.joint_log_likelihood(rows[0][0]) == fresh.joint_log_likelihood(rows[0][0])


def test_invalid_options_and_values_are_refused_by_name():
    with pytest.raises(ValueError, match="variance is 'pooled'"):
        GaussianNB(variance="pooled")
    for text in ("many", "1.5", b"1.5"):
        with pytest.raises(ValueError, match=f"'x' is {text!r}"):
            GaussianNB().learn_one({"x": text}, "ham")
    with pytest.raises(KeyError, match=r"class 'junk' is not among \[\]"):
        GaussianNB().discriminant("junk", "ham")
    with pytest.raises(ValueError, match="no value has been added"):
        Moments().remove(1.0)


@pytest.mark.parametrize("values", [[1.0], [1.0, 1.0, 1.0], [1.0, 5.0]])
def test_unlearning_a_value_that_was_not_learned_is_refused_and_changes_nothing(values):
    """A negative variance would give wrong scores, and a snapshot that cannot be read."""
    model = trained(GaussianNB(), [*(({"x": x, "y": 2.0}, "a") for x in values), ({"x": 2.0}, "b")])
    before, predicted = model.to_bytes(), model.predict_proba_one({"x": 1.0, "y": 3.0})
    other = trained(GaussianNB(), [({"y": 2.0, "x": 99.0}, "a")])
    with pytest.raises(ValueError, match=r"feature 'x' of class 'a' has not been learned with this value.*99\.0"):
        model.unlearn_one({"y": 2.0, "x": 99.0}, "a")
    with pytest.raises(ValueError, match="feature 'x' of class 'a' has not been learned"):
        model.unmerge(other)
    assert model.to_bytes() == before
    assert model.predict_proba_one({"x": 1.0, "y": 3.0}) == predicted
    assert GaussianNB.from_bytes(before) == model
