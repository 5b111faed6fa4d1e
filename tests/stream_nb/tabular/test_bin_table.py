"""Tables updated with each label equal tables rebuilt from the counts, bit for bit."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stream_nb.tabular import binned
from stream_nb.tabular.binned import BinnedNB

NUMBERS = st.one_of(
    st.integers(-3, 3).map(float),
    st.floats(1e6, 1e6 + 40),
    st.floats(-1010.0, -1000.0),
    st.floats(allow_nan=False, allow_infinity=False),
)
MESSAGES = st.dictionaries(st.sampled_from("xyz"), NUMBERS)
LABELS = st.sampled_from(["a", "b", "c"])
CLOSE = st.sampled_from([0.0, 1e6, -1e6]).flatmap(
    lambda centre: st.dictionaries(st.sampled_from("xyz"), st.integers(0, 30).map(lambda i: centre + i))
)
PROBES = [{"x": 0.0, "y": 1e6 + 3}, {"x": -1005.5, "z": 1e6}, {"x": 1e300, "y": -1e300, "z": 2.0}, {}]


def cuts_and_scores(model):
    cuts = [model.cuts(feature) for feature in sorted(model.features)]
    scores = [(model.predict_proba_one(x), model.score(x), model.evidence(x)) for x in PROBES]
    return cuts, scores, model.log_likelihood()


def assert_equals_restored(model):
    fresh = BinnedNB.from_bytes(model.to_bytes())
    assert repr(cuts_and_scores(model)) == repr(cuts_and_scores(fresh))
    assert fresh == model


@given(messages=st.lists(st.tuples(st.one_of(MESSAGES, CLOSE), LABELS), max_size=12), data=st.data())
def test_after_every_change_tables_equal_those_of_a_restored_model(messages, data):
    model, learned_rows = BinnedNB(bins=3, smoothing=0.5), []
    for x, y in messages:
        assert_equals_restored(model)
        step = data.draw(st.sampled_from(["learn", "learn", "learn", "unlearn", "merge", "decay", "set"]))
        if step == "unlearn" and learned_rows:
            model.unlearn_one(*learned_rows.pop(data.draw(st.integers(0, len(learned_rows) - 1))))
        elif step == "merge":
            other = BinnedNB(bins=3, smoothing=0.5)
            other.learn_one(x, y)
            model.merge(other)
        elif step == "decay":
            model.decay(data.draw(st.sampled_from([0.5, 0.01, 0.002])))
            learned_rows = []
        elif step == "set":
            model.bins, model.smoothing = data.draw(st.sampled_from([(2, 0.0), (3, 0.5), (10, 1.0)]))
        else:
            model.learn_one(x, y)
            learned_rows.append((x, y))
    assert_equals_restored(model)


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("towards", [1.0, -1.0])
def test_a_grid_becomes_coarser_as_soon_as_its_numbers_need_it(sign, towards):
    several = BinnedNB(bins=3)
    for step in range(45):
        x, two = sign * (1e6 + towards * 1.5**step), BinnedNB(bins=3)
        for model, number, label in ((several, x, "ab"[step % 2]), (two, sign * 1e6, "a"), (two, x, "b")):
            model.learn_one({"x": number}, label)
            assert_equals_restored(model)


def test_two_models_that_share_statistics_follow_each_others_changes():
    model, other = BinnedNB(), BinnedNB()
    other.attach(model.statistics)
    for number in range(40):
        for each in (model, other):
            each.learn_one({"x": float(number % 7)}, "ab"[number % 2])
            assert_equals_restored(model)
            assert_equals_restored(other)


def test_refused_unlearning_changes_no_table():
    model = BinnedNB()
    model.learn_many([{"x": float(i % 5), "y": 1.0} for i in range(20)], ["a", "b"] * 10)
    assert_equals_restored(model)
    for x in ({"x": 1.0, "y": 7.0}, {"y": 1.0, "x": 1e6}):
        with pytest.raises(ValueError, match="has not been learned"):
            model.unlearn_one(x, "a")
        assert_equals_restored(model)


def test_changing_returned_likelihoods_does_not_change_predictions():
    model = BinnedNB()
    model.learn_many([{"x": 1.0}, {"x": 2.0}], ["a", "b"])
    before = model.predict_proba_one({"x": 1.0})
    model.feature_log_likelihoods("x", 0).clear()
    assert model.predict_proba_one({"x": 1.0}) == before


def test_dropping_tables_beyond_the_bound_does_not_change_predictions(monkeypatch):
    draw = random.Random(5)
    rows = [({f"f{i}": draw.gauss(0.0, 3.0) for i in range(6)}, draw.choice("ab")) for _ in range(60)]
    plain, bounded = BinnedNB(), BinnedNB()
    expected = [(plain.predict_proba_one(x), plain.learn_one(x, y)) for x, y in rows]
    monkeypatch.setattr(binned, "_MOST_CELLS", 100)
    assert [(bounded.predict_proba_one(x), bounded.learn_one(x, y)) for x, y in rows] == expected
