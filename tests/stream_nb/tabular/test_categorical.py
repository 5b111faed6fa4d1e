"""Categorical naive Bayes, compared with fractions and scikit-learn."""

import math
import random
from collections.abc import Hashable, Iterator
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.naive_bayes import CategoricalNB as SkCategoricalNB

from stream_nb.tabular.categorical import CategoricalNB
from tests.support.trained import trained

rows_strategy = st.lists(
    st.tuples(st.sampled_from("rgb"), st.sampled_from("xy"), st.sampled_from(["ham", "spam"])), min_size=1, max_size=30
)


@given(rows_strategy, st.sampled_from([0, 1, 2]), st.sampled_from("rgbq"))
def test_M4_probabilities_are_smoothed_shares(rows, smoothing, value):
    model = CategoricalNB(smoothing=smoothing)
    for colour, shape, label in rows:
        model.learn_one({"colour": colour, "shape": shape}, label)
    k = len({row[0] for row in rows}) + 1  # one for all unseen values
    for label, probability in model.value_probabilities("colour", value).items():
        of_class = [row[0] for row in rows if row[2] == label]
        expected = Fraction(of_class.count(value) + smoothing, len(of_class) + smoothing * k)
        assert probability == pytest.approx(float(expected), abs=1e-15)


@given(rows_strategy, st.floats(0.01, 5))
def test_M4_probabilities_of_the_learned_values_and_one_unseen_value_sum_to_one(rows, smoothing):
    model = CategoricalNB(smoothing=smoothing)
    for colour, _, label in rows:
        model.learn_one({"colour": colour}, label)
    known = {row[0] for row in rows}
    for label in model.classes:
        probabilities = [model.value_probabilities("colour", v)[label] for v in (*known, "never")]
        assert min(probabilities) > 0
        assert math.fsum(probabilities) == pytest.approx(1)


def test_M4_the_number_of_categories_can_be_given():
    model = CategoricalNB(min_categories={"die": 6})
    for roll in (1, 1, 2, 3, 3, 3, 5):
        model.learn_one({"die": roll, "coin": "heads"}, "all")
    probabilities = [model.value_probabilities("die", face)["all"] for face in range(1, 7)]
    assert probabilities == pytest.approx([3 / 13, 2 / 13, 4 / 13, 1 / 13, 2 / 13, 1 / 13])
    # Not given for the coin: heads and one unseen value.
    assert model.value_probabilities("coin", "heads")["all"] == pytest.approx(8 / 9)
    model.min_categories = 3  # more values have been seen than that
    assert model.value_probabilities("die", 3)["all"] == pytest.approx(4 / 11)
    assert CategoricalNB.from_bytes(model.to_bytes()) == model
    with pytest.raises(ValueError, match="min_categories is 0"):
        CategoricalNB(min_categories=0)


@pytest.mark.parametrize("smoothing", [1.0, 0.5, 0.01])
def test_M4_equals_sklearn(smoothing):
    rng = random.Random(3)
    matrix = [[rng.randrange(4), rng.randrange(3), rng.randrange(2)] for _ in range(300)]
    y = [rng.choice(["a", "b", "c"]) if row[0] else "a" for row in matrix]
    oracle = SkCategoricalNB(alpha=smoothing).fit(np.array(matrix), y)
    model = CategoricalNB(smoothing=smoothing, min_categories={0: 4, 1: 3, 2: 2})
    for row, label in zip(matrix, y, strict=True):
        model.learn_one(dict(enumerate(row)), label)
    for row, expected in zip(matrix, oracle.predict_joint_log_proba(np.array(matrix)), strict=True):
        joint = model.joint_log_likelihood(dict(enumerate(row)))
        assert [joint[label] for label in oracle.classes_] == pytest.approx(list(expected), abs=1e-12)


def test_M4_without_smoothing_an_unseen_value_has_probability_0():
    model = CategoricalNB(smoothing=0.0)
    model.learn_one({"colour": "red"}, "ham")
    model.learn_one({"colour": "blue"}, "spam")
    assert model.predict_proba_one({"colour": "red"}) == {"ham": 1.0, "spam": 0.0}
    assert model.predict_proba_one({"colour": "green"}) == {"ham": 0.5, "spam": 0.5}
    model.smoothing = 1.0
    assert model.predict_proba_one({"colour": "red"}) == {"ham": pytest.approx(2 / 3), "spam": pytest.approx(1 / 3)}


def test_M4_in_a_class_without_the_feature_all_values_are_equally_likely():
    model = CategoricalNB()
    model.learn_one({"colour": "red"}, "ham")
    model.learn_one({}, "spam")
    assert model.value_probabilities("colour", "red") == {"ham": pytest.approx(2 / 3), "spam": 0.5}
    assert model.value_probabilities("colour", "blue") == {"ham": pytest.approx(1 / 3), "spam": 0.5}


@given(st.lists(st.tuples(st.sampled_from("+-mud"), st.sampled_from("rgb"), st.sampled_from("xy")), max_size=20))
def test_M4_probabilities_after_any_changes_are_those_of_a_model_that_was_not_read_meanwhile(steps):
    model, merged = CategoricalNB(), CategoricalNB()
    for step, value, label in steps:
        x = {"colour": value}
        try:
            match step:
                case "+":
                    model.learn_one(x, label)
                case "-":
                    model.unlearn_one(x, label)
                case "m":
                    merged.learn_one(x, label)
                    model.merge(merged)
                case "u":
                    model.unmerge(merged)
                case _:
                    model.decay(0.01)
        except ValueError:
            pass  # it had not been learned
        fresh = CategoricalNB.from_bytes(model.to_bytes())
        for asked in "rgbq":
            assert model.value_probabilities("colour", asked) == fresh.value_probabilities("colour", asked)


def test_attached_statistics_are_read_anew():
    """Those of both models have changed once."""
    model, other = CategoricalNB(), CategoricalNB()
    model.learn_one({"colour": "red"}, "ham")
    other.merge(trained(CategoricalNB(), [({"colour": value}, "ham") for value in "rgb"]))
    assert model.value_probabilities("colour", "red") == {"ham": pytest.approx(2 / 3)}
    model.attach(other.statistics)
    assert model.value_probabilities("colour", "r") == other.value_probabilities("colour", "r")


def test_a_prediction_does_not_visit_each_value_of_a_category():
    class Visited(dict[Hashable, int]):
        visits = 0

        def __iter__(self) -> Iterator[Hashable]:
            Visited.visits += 1
            return super().__iter__()

    model = CategoricalNB()
    for label in ("ham", "spam"):
        model.learn_one({"host": "a"}, label)
        counts = model.statistics.get("host", label)
        assert counts is not None
        counts.units = Visited(counts.units)
    model.predict_one({"host": "b"})
    first = Visited.visits
    for host in "abc":
        model.learn_one({"host": host}, "ham")
        model.predict_one({"host": host})
        model.unlearn_one({"host": host}, "ham")
        model.predict_one({"host": host})
    assert Visited.visits == first == 2


def test_negative_smoothing_and_a_list_as_value_are_refused_by_name():
    with pytest.raises(ValueError, match="smoothing is -1"):
        CategoricalNB(smoothing=-1)
    with pytest.raises(TypeError, match=r"feature 'c' is \['red'\]"):
        CategoricalNB().learn_one({"c": ["red"]}, "ham")


@pytest.mark.parametrize(("scalar", "value"), [(np.int64(3), 3), (np.float32(0.5), 0.5), (np.bool_(True), True)])
def test_a_numpy_scalar_is_the_same_category_as_the_python_value(scalar, value):
    model = CategoricalNB()
    model.learn_one({"a": scalar}, "x")
    assert model.values("a") == [value]
    model.unlearn_one({"a": value}, "x")
    assert model == CategoricalNB()
