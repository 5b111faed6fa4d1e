"""Laws of all models of named features, over random histories of messages."""

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stream_nb.tabular.binned import BinnedNB
from stream_nb.tabular.categorical import CategoricalNB
from stream_nb.tabular.gaussian import GaussianNB
from stream_nb.types import Evidence

numbers = st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from([0.0, 0.1, 1.0, 3.0])
categories = st.sampled_from(["red", "blue", "green", 3, None, True])
labels = st.sampled_from(["ham", "spam", "work"])


def rows_of(values):
    x = st.dictionaries(st.sampled_from(["a", "b", "c"]), values, max_size=3)
    return st.lists(st.tuples(x, labels), max_size=12)


MODELS = {
    "gaussian": (GaussianNB, rows_of(numbers)),
    "shared": (lambda: GaussianNB(variance="shared"), rows_of(numbers)),
    "binned": (lambda: BinnedNB(bins=3), rows_of(numbers)),
    "categorical": (CategoricalNB, rows_of(categories)),
    "unsmoothed": (lambda: CategoricalNB(smoothing=0.0), rows_of(categories)),
}


def trained(new, rows):
    model = new()
    for x, y in rows:
        model.learn_one(x, y)
    return model


@pytest.mark.parametrize("name", MODELS)
@given(data=st.data())
@settings(max_examples=60)
def test_learning_is_exact_in_any_order_and_can_be_undone_merged_saved_and_decayed(name, data):
    new, histories = MODELS[name]
    kept, passing = data.draw(histories), data.draw(histories)
    model = trained(new, kept)
    before = model.to_bytes()

    # learning and then unlearning, in any order, restores the state bit for bit
    for x, y in passing:
        model.learn_one(x, y)
    for x, y in data.draw(st.permutations(passing)):
        model.unlearn_one(x, y)
    assert model.to_bytes() == before
    assert model == trained(new, kept)

    # order does not matter, and merged shards equal the whole
    whole = trained(new, kept + passing)
    assert trained(new, data.draw(st.permutations(kept + passing))).to_bytes() == whole.to_bytes()
    shard = trained(new, passing)
    shard_bytes = shard.to_bytes()
    merged = model.copy()
    merged.merge(shard)
    assert merged.to_bytes() == whole.to_bytes()
    assert merged == whole
    rest = merged.copy()
    rest.unmerge(shard)
    assert rest.to_bytes() == before
    assert (model.to_bytes(), shard.to_bytes()) == (before, shard_bytes)

    # bytes restore the same model; damaged bytes raise
    restored = type(whole).from_bytes(whole.to_bytes())
    assert restored == whole
    assert restored.to_bytes() == whole.to_bytes()

    # predicting changes nothing and never returns NaN; equal states predict equally
    for x, _ in [*kept, *passing, ({"never met": 1.0}, ""), ({}, "")]:
        probabilities = whole.predict_proba_one(x)
        assert restored.predict_proba_one(x) == probabilities
        assert merged.predict_one(x) == whole.predict_one(x)
        assert all(0.0 <= p <= 1.0 for p in probabilities.values())
        assert not probabilities or math.fsum(probabilities.values()) == pytest.approx(1.0)
        assert not any(math.isnan(score) for score in whole.joint_log_likelihood(x).values())
    assert whole.to_bytes() == restored.to_bytes()

    # decay by 1 changes nothing, by 0 forgets everything
    whole.decay(1.0)
    assert whole == merged
    whole.decay(0.0)
    assert whole == new()


@pytest.mark.parametrize("name", MODELS)
@given(data=st.data())
@settings(max_examples=60)
def test_L2_L4_M12_score_evidence_and_likelihood_of_a_message_are_consistent(name, data):
    new, histories = MODELS[name]
    rows = data.draw(histories)
    model = trained(new, rows)
    for x in [{}, *(x for x, _ in rows)]:
        joint, why, score = model.joint_log_likelihood(x), model.evidence(x), model.score(x)
        assert score.scores == joint
        if len(joint) < 2:
            assert why == Evidence(0.0, 0.0, ())
            continue
        if "spam" in joint:
            assert score.log_odds == why.log_odds == model.log_odds_one(x, "spam")
            assert score.probability == model.predict_proba_one(x)["spam"]
        if all(math.isfinite(term.weight) for term in why.terms):
            assert why.bias + math.fsum(term.weight for term in why.terms) == pytest.approx(why.log_odds, abs=1e-12)
        assert len(why.terms) <= score.known <= len(x)
        expected = model.log_likelihood_one(x)
        assert expected == -math.inf or max(joint.values()) <= expected <= max(joint.values()) + math.log(len(joint))


@pytest.mark.parametrize("name", MODELS)
def test_E7_the_data_log_likelihood_is_the_sum_over_messages_parts_and_shards(name):
    new, _ = MODELS[name]
    rng = random.Random(5)
    values = (lambda: rng.choice("rgb")) if new().KIND == "category" else (lambda: rng.gauss(3, 2))
    rows = [({f: values() for f in rng.sample("abc", 2)}, rng.choice(["ham", "spam", "work"])) for _ in range(60)]
    model = trained(new, rows)
    parts = model.log_likelihood()
    assert parts.total == pytest.approx(math.fsum(model.joint_log_likelihood(x)[y] for x, y in rows), rel=1e-12)
    assert parts.total == pytest.approx(parts.prior + sum(parts.classes.values()), rel=1e-12)
    # classes merge independently: merged shards equal the whole
    shards = [trained(new, rows[:20]), trained(new, rows[20:])]
    shards[0].merge(shards[1])
    assert shards[0].log_likelihood() == parts
    assert new().log_likelihood() == (0.0, 0.0, {})


def test_L4_terms_name_the_feature_and_the_counts_behind_them():
    model = trained(GaussianNB, [({"size": 1.0}, "ham"), ({"size": 2.0}, "ham"), ({"size": 9.0}, "spam"), ({}, "spam")])
    (term,) = model.evidence({"size": 8.5}).terms
    assert (term.text, term.kind, term.counts) == ("size 8.5", "number", {"ham": 2.0, "spam": 1.0})
    model = trained(CategoricalNB, [({"html": True}, "spam"), ({"html": True}, "ham"), ({"html": False}, "ham")])
    (term,) = model.evidence({"html": True}).terms
    assert (term.text, term.kind, term.counts) == ("html true", "category", {"ham": 1.0, "spam": 1.0})


@pytest.mark.parametrize("new", [GaussianNB, CategoricalNB, BinnedNB])
def test_refused_operations_change_nothing(new):
    model = new()
    model.learn_one({"a": 1, "b": 2}, "ham")
    before = model.to_bytes()
    bad = [1] if new is CategoricalNB else math.nan
    with pytest.raises((ValueError, TypeError), match="feature 'b'"):
        model.learn_one({"a": 1, "b": bad}, "ham")
    with pytest.raises(ValueError, match="class 'spam'"):
        model.unlearn_one({"a": 1}, "spam")
    with pytest.raises(ValueError, match="feature 'zz'"):
        model.unlearn_one({"a": 1, "zz": 2}, "ham")
    with pytest.raises(ValueError, match="decay factor"):
        model.decay(1.5)
    with pytest.raises(ValueError, match="prior"):
        new(prior="guess")
    assert model.to_bytes() == before


def test_M8_a_new_class_can_be_learned_at_any_time():
    rng = random.Random(0)
    model = GaussianNB()
    for label, centre in [("a", 0.0), ("b", 10.0), ("c", 20.0)]:
        for _ in range(30):
            model.learn_one({"x": rng.gauss(centre, 1)}, label)
    assert [model.predict_one({"x": x}) for x in (0, 10, 20)] == ["a", "b", "c"]


def test_decay_by_half_halves_counts_and_keeps_mean_and_variance():
    rng = random.Random(1)
    model = GaussianNB()
    for _ in range(100):
        model.learn_one({"x": rng.choice([3.0, 4.0, 0.1])}, "ham")
    moments = model.statistics.get("x", "ham")
    mean, variance = moments.mean, moments.variance
    for _ in range(4):
        model.decay(0.5)
    assert model.class_counts == {"ham": 6.25}
    assert moments.n == 6.25
    assert moments.mean == pytest.approx(mean, rel=1e-15)
    assert moments.variance == pytest.approx(variance, rel=1e-14)
