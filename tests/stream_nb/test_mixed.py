"""A mixed model's log-likelihood is the sum of those of its parts: words, categories and numbers."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stream_nb import BernoulliNB, BinnedNB, MailNB, MultinomialNB, SnapshotError
from stream_nb.mixed import MixedNB
from stream_nb.tabular.categorical import CategoricalNB
from stream_nb.tabular.gaussian import GaussianNB

messages = st.fixed_dictionaries(
    {},
    optional={
        "text": st.sampled_from(["cheap pills", "see you", "pills pills now", ""]),
        "lines": st.floats(-1e6, 1e6),
        "size": st.integers(0, 5),
        "format": st.sampled_from(["html", "plain", None, True]),
    },
)
histories = st.lists(st.tuples(messages, st.sampled_from(["ham", "spam", "work"])), max_size=10)


def learned(rows, **options):
    model = MixedNB(**options)
    for x, y in rows:
        model.learn_one(x, y)
    return model


@given(histories, messages)
def test_M6_joint_log_likelihood_is_the_sum_of_the_parts(rows, x):
    model = learned(rows)
    words, categories, numbers = MultinomialNB(prior="uniform"), CategoricalNB(), GaussianNB()
    for row, y in rows:
        words.learn_one(row.get("text", ""), y)
        categories.learn_one({k: v for k, v in row.items() if k == "format"}, y)
        numbers.learn_one({k: v for k, v in row.items() if k in ("lines", "size")}, y)
    joint = model.joint_log_likelihood(x)
    assert set(joint) == {y for _, y in rows}
    for label, value in joint.items():
        expected = (
            math.log(sum(y == label for _, y in rows) / len(rows))
            + words.joint_log_likelihood(x.get("text", ""))[label]
            + math.log(len(joint))
            + categories.log_likelihoods({k: v for k, v in x.items() if k == "format"})[label]
            + numbers.log_likelihoods({k: v for k, v in x.items() if k in ("lines", "size")})[label]
        )
        assert value == pytest.approx(expected, rel=1e-12, abs=1e-12)


@given(histories, histories, st.data())
@settings(max_examples=40)
def test_M6_learning_is_exact_in_any_order_and_can_be_undone_and_merged(kept, passing, data):
    model = learned(kept)
    before = model.to_bytes()
    shard = learned(passing)
    for x, y in passing:
        model.learn_one(x, y)
    whole = learned(data.draw(st.permutations(kept + passing)))
    assert model == whole
    for x, y in data.draw(st.permutations(passing)):
        model.unlearn_one(x, y)
    assert model.to_bytes() == before
    model.merge(shard)
    assert model.to_bytes() == whole.to_bytes() == MixedNB.from_bytes(whole.to_bytes()).to_bytes()
    rest = model.copy()
    rest.unmerge(shard)
    assert rest.to_bytes() == before
    duplicate = whole.copy()
    duplicate.learn_one({"text": "new"}, "new")
    assert whole == model
    assert "new" not in whole.predict_proba_one({})
    whole.decay(0.0)
    assert whole == MixedNB()


def test_M6_a_mixed_model_can_have_other_parts():
    rows = [({"text": "a b", "n": 1.0}, "ham"), ({"text": "c", "n": 2.0}, "spam")]
    model = learned(rows, words=BernoulliNB(prior="uniform"), numbers=GaussianNB(variance="shared"), prior="uniform")
    assert type(MixedNB.from_bytes(model.to_bytes()).words) is BernoulliNB
    assert model.predict_one({"text": "c", "n": 2.0}) == "spam"
    with pytest.raises(ValueError, match="prior='uniform'"):
        MixedNB(words=MultinomialNB())


@given(histories, messages, st.sampled_from([MultinomialNB, BernoulliNB]))
def test_L4_M6_evidence_of_words_categories_and_numbers_adds_up_to_the_log_odds(rows, x, words):
    model = learned(rows, words=words(prior="uniform"))
    why, score = model.evidence(x), model.score(x)
    assert why.bias + math.fsum(term.weight for term in why.terms) == pytest.approx(why.log_odds, abs=1e-12)
    assert score.scores == model.joint_log_likelihood(x)
    if "spam" in score.scores and len(score.scores) > 1:
        assert why.log_odds == score.log_odds
        assert score.probability == model.predict_proba_one(x)["spam"]
    assert {term.kind for term in why.terms} <= {"word", "category", "number"}


def test_each_part_has_its_own_terms_in_the_evidence():
    spam, ham = {"text": "pills", "lines": 3.0, "format": "html"}, {"text": "noon", "lines": 9.0, "format": "plain"}
    model = learned([(spam, "spam"), ({**spam, "lines": 4.0}, "spam"), (ham, "ham"), ({**ham, "lines": 8.0}, "ham")])
    terms, parts = model.evidence(spam).terms, model.parts(spam)
    for kind, part in {"word": "words", "category": "categories", "number": "numbers"}.items():
        weights = [term.weight for term in terms if term.kind == kind]
        assert weights == [pytest.approx(parts[part]["spam"] - parts[part]["ham"])]


def test_E7_M6_the_data_log_likelihood_is_the_sum_over_messages_and_over_its_parts():
    rows = [
        ({"text": "cheap pills", "lines": 3.0, "format": "html"}, "spam"),
        ({"text": "pills now", "lines": 5.0, "format": "html"}, "spam"),
        ({"text": "see you", "lines": 9.0, "format": "plain"}, "ham"),
        ({"text": "see me", "lines": 12.0}, "ham"),
    ]
    for words in (MultinomialNB, BernoulliNB):
        model = learned(rows, words=words(prior="uniform"))
        parts = model.log_likelihood()
        assert parts.total == pytest.approx(math.fsum(model.joint_log_likelihood(x)[y] for x, y in rows), abs=1e-12)
        assert parts.total == pytest.approx(parts.prior + sum(parts.classes.values()), abs=1e-12)
    assert MixedNB().log_likelihood() == (0.0, 0.0, {})


def test_M6_refused_messages_and_snapshots_change_nothing():
    model = learned([({"text": "a", "n": 1.0, "c": "x"}, "ham")])
    before = model.to_bytes()
    for bad in ({"text": 3.5, "n": 1.0}, {"text": "a", "n": math.inf}):
        with pytest.raises((TypeError, ValueError)):
            model.learn_one(bad, "spam")
        assert model.to_bytes() == before
    with pytest.raises(ValueError, match="'c'"):
        model.unlearn_one({"text": "a", "n": 1.0, "c": "y"}, "ham")
    assert model.to_bytes() == before
    with pytest.raises(SnapshotError):
        MixedNB.from_bytes(before[:-1])


def test_refused_words_leave_numbers_and_categories_as_they_were():
    model = MixedNB()
    with pytest.raises(ValueError, match="the count of 'a' is nan"):
        model.learn_one({"text": {"a": math.nan}, "n": 1.0, "c": "x"}, "spam")
    assert model == MixedNB()

    model.learn_one({"text": {"a": 2.0**40}, "n": 1.0, "c": "x"}, "spam")
    for _ in range(13):
        model.merge(model)
    before = model.to_bytes()
    with pytest.raises(ValueError, match="class 'spam' would have counts above"):
        model.learn_one({"text": {"a": 2.0**40}, "n": 1.0, "c": "x"}, "spam")
    assert model.to_bytes() == before


@pytest.mark.parametrize(
    "never_learned",
    [{"lines": 7.0, "format": "plain"}, {"size": 3, "format": "html"}, {"text": 5, "lines": 1.0, "format": "html"}],
)
def test_refused_unlearning_changes_no_part(never_learned):
    model = learned([({"text": "cheap pills", "lines": 1.0, "format": "html"}, "spam")])
    before = model.copy()
    with pytest.raises((TypeError, ValueError)):
        model.unlearn_one(never_learned, "spam")
    assert model == before


@pytest.mark.parametrize("never_merged", [{"n": 2.0}, {"c": "y"}])
def test_a_refused_unmerge_changes_no_part(never_merged):
    message = {"text": "a", "n": 1.0, "c": "x"}
    model, other = learned([(message, "ham")]), learned([({**message, **never_merged}, "ham")])
    before = model.to_bytes()
    with pytest.raises(ValueError):
        model.unmerge(other)
    assert model.to_bytes() == before


def test_models_are_compared_whatever_the_names_of_features():
    one, other = (learned([({("a", "b"): number, "c": "x"}, "ham")]) for number in (1.0, 2.0))  # JSON has no tuples
    assert one == one.copy()
    assert one != other


def test_a_numpy_bool_is_the_same_category_as_a_python_bool():
    model = learned([({"signed": np.bool_(True)}, "ham")])
    assert model == learned([({"signed": True}, "ham")], words=MultinomialNB(prior="uniform", key=model.words.key))


def test_a_text_that_is_none_is_missing():
    model, without = MixedNB(), MixedNB()
    model.learn_one({"text": None, "lines": 3}, "spam")
    without.learn_one({"lines": 3}, "spam")
    assert model == without
    assert model.score({"text": None, "lines": 2}) == model.score({"lines": 2})


@pytest.mark.parametrize("part", [{"words": MailNB()}, {"numbers": BinnedNB()}, {"categories": "colour"}])
def test_an_unsuitable_part_is_refused(part):
    (name,) = part
    with pytest.raises(ValueError, match=rf"^{name} is .*: give a"):
        MixedNB(**part)


@pytest.mark.parametrize("factor", [0.5, 0.3, 0.01])
def test_a_class_decays_away_from_all_parts_at_once(factor):
    """If it stayed in one of them, evidence would not find it in the others."""
    x = {"text": "cheap pills", "lines": 3.0, "html": True}
    model = MixedNB()
    model.learn_one(x, "spam")
    for _ in range(20):
        model.learn_one({"text": "lunch", "lines": 1.0, "html": False}, "ham")
        model.decay(factor)
        assert set(model.words.classes) == set(model.categories.classes) == set(model.numbers.classes)
        assert model.evidence(x).log_odds == pytest.approx(model.score(x).log_odds)
    assert "spam" not in model.classes
    assert model.categories.values("html") == ([False] if model.classes else [])


def test_a_score_reads_each_feature_once(monkeypatch):
    read: list[str] = []
    for part in (CategoricalNB, GaussianNB):
        likelihoods = part.feature_log_likelihoods

        def counted(self, feature, value, likelihoods=likelihoods):
            read.append(feature)
            return likelihoods(self, feature, value)

        monkeypatch.setattr(part, "feature_log_likelihoods", counted)
    model = learned([({"lines": 1.0, "format": "html"}, "spam"), ({"lines": 9.0}, "ham")])
    score = model.score({"text": "new", "lines": 2.0, "format": "html", "size": 3})
    assert sorted(read) == ["format", "lines", "size"]
    assert (score.known, score.unseen) == (2, 2)


def test_a_prior_of_the_words_that_is_set_later_is_refused_not_counted_twice():
    model = learned([({"text": "pills"}, "spam"), ({"text": "noon"}, "ham")])
    model.words.prior = "learned"
    with pytest.raises(ValueError, match="prior='uniform'; the class prior is counted once"):
        model.predict_one({"text": "pills"})
