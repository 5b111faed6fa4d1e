"""Behaviour common to both textbook models of text: scores, priors, grids of smoothing, and kinds of input."""

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import naive_bayes

from stream_nb import BernoulliNB, MailNB, MultinomialNB
from stream_nb.posterior import best, margin, posterior
from stream_nb.prior import log_priors
from tests.support import oracle, strategies
from tests.support.models import WORD_CLASSES
from tests.support.trained import KEY, trained


@given(strategies.data(least=1), strategies.words, st.sampled_from([0.0, 0.5]))
def test_label_log_odds_and_probability_of_a_score_follow_from_its_class_scores(data, message, smoothing):
    for kind in (MultinomialNB, BernoulliNB):
        model = trained(kind(smoothing=smoothing), data)
        score = model.score(message)
        assert score.label == best(score.scores) == model.predict_one(message)
        assert score.log_odds == margin(score.scores, "spam")
        expected = posterior(score.scores).get("spam", 0.5) if len(score.scores) > 1 else 0.5
        assert score.probability == pytest.approx(expected, rel=1e-15, abs=0.0)
        assert score.scores == model.joint_log_likelihood(message)


@pytest.mark.parametrize("cls", [MultinomialNB, BernoulliNB])
def test_probabilities_of_a_very_long_message_add_up_to_1(cls):
    """The log-likelihoods are so large that the logarithm of the classes' sum would be rounded away."""
    words = {f"w{i}": 1 for i in range(100_000)}
    model = trained(cls(), [(words, "ham"), (words, "spam"), (words, "work")])
    assert model.joint_log_likelihood(words)["ham"] < -1e4
    assert model.score(words).probability == 1 / 3
    assert model.predict_proba_one(words) == {"ham": 1 / 3, "spam": 1 / 3, "work": 1 / 3}


@given(strategies.data(least=1), st.sampled_from(["learned", "smoothed", "uniform", {"ham": 0.1, "spam": 0.2}]))
def test_E4_a_message_without_words_scores_exactly_the_log_priors(data, prior):
    model = trained(MultinomialNB(), data)
    model.score([])
    model.prior = prior
    messages = {c: sum(label == c for _, label in data) for c in model.classes}
    assert model.joint_log_likelihood([]) == log_priors(prior, messages)


def test_a_prior_dict_changed_in_place_changes_the_next_score():
    model = trained(MultinomialNB(prior={"ham": 1.0, "spam": 1.0}), [(["a"], "ham"), (["a"], "spam")])
    assert model.score([]).probability == 0.5
    model.prior["spam"] = 3.0
    assert model.score([]).probability == pytest.approx(0.75)


@given(strategies.data(least=1), strategies.words)
def test_counts_of_a_multinomial_model_can_be_read_as_a_bernoulli_model(data, message):
    counts = trained(MultinomialNB(), data)

    for smoothing in (0.1, 1.0):
        for prior in ("learned", "uniform", "smoothed"):
            fresh = trained(BernoulliNB(smoothing=smoothing, prior=prior), data)
            reading = BernoulliNB.reading(counts, smoothing=smoothing, prior=prior)
            assert reading.joint_log_likelihood(message) == fresh.joint_log_likelihood(message)


@given(strategies.data(least=1), strategies.words)
def test_E3_Q7_a_grid_of_smoothings_gives_the_scores_of_a_model_for_each(data, message):
    grid = [0.0, 0.01, 0.5, 1.0, 10.0]
    for kind in (MultinomialNB, BernoulliNB):
        model = trained(kind(), data)
        single = [trained(kind(smoothing=s), data).joint_log_likelihood(message) for s in grid]
        assert model.score_grid(message, grid) == single


@pytest.mark.parametrize("value", [-1, math.nan, math.inf, "1", None])
def test_E3_a_grid_refuses_invalid_smoothing(value):
    """Otherwise some values would give probability 0, and a string an exception inside numba."""
    model = trained(MultinomialNB(), [(["a"], "ham")])
    with pytest.raises(ValueError, match=r"smoothing is .*: give a number from 0"):
        model.score_grid("a", [0.1, value])


@given(strategies.data(least=1), strategies.words)
def test_E4_map_and_ml_decisions_differ_by_the_prior_term(data, message):
    for kind in (MultinomialNB, BernoulliNB):
        model = trained(kind(), data)
        learned = model.joint_log_likelihood(message)
        model.prior = "uniform"
        uniform = model.joint_log_likelihood(message)
        for c in learned:
            term = math.log(oracle.prior(data, c)) - math.log(1 / len(learned))
            assert learned[c] - uniform[c] == pytest.approx(term, abs=1e-12)


def test_E4_given_and_smoothed_priors():
    model = trained(MultinomialNB(prior={"ham": 3, "spam": 1}), [(["a"], "ham"), (["a"], "spam"), (["a"], "spam")])
    assert model.predict_proba_one([]) == pytest.approx({"ham": 0.75, "spam": 0.25})
    model.prior = "smoothed"
    assert model.predict_proba_one([]) == pytest.approx({"ham": 2 / 5, "spam": 3 / 5})


@pytest.mark.parametrize("kind", WORD_CLASSES)
def test_P3_a_list_of_pairs_of_word_and_count_is_read_as_counts(kind):
    counts = {"free": 100, "lottery": 10, "money": 10, "identification": 1}
    data = [(counts, "spam"), (["see", "you"], "ham")]
    as_pairs = [([*counts.items()], "spam"), (["see", "you"], "ham")]
    assert trained(kind(key=KEY), as_pairs).to_bytes() == trained(kind(key=KEY), data).to_bytes()
    model = trained(kind(key=KEY), data)
    score = model.class_scores if isinstance(model, MailNB) else model.joint_log_likelihood
    expected = score({"free": 3, "you": 1})
    assert score([("free", 1), ("you", 1), ("free", 2)]) == expected
    assert score([["free", 3], ["you", 1.0]]) == expected
    assert score([("free", "you")]) == score(["('free', 'you')"])  # a token, not a count


@pytest.mark.parametrize("kind", [MultinomialNB, BernoulliNB])
@given(data=strategies.data(least=1), message=strategies.words, smoothing=st.sampled_from([0.1, 0.5, 1.0]))
@settings(max_examples=30)
def test_E1_equals_scikit_learn(kind, data, message, smoothing):
    vocabulary = sorted(oracle.vocabulary(data))
    if not vocabulary:
        return
    counts = np.array([[words.count(w) for w in vocabulary] for words, _ in data])
    sklearn_model = getattr(naive_bayes, kind.__name__)(alpha=smoothing).fit(counts, [c for _, c in data])
    model = trained(kind(smoothing=smoothing), data)
    row = np.array([[message.count(w) for w in vocabulary]])

    expected = dict(zip(sklearn_model.classes_, sklearn_model.predict_joint_log_proba(row)[0], strict=True))
    assert model.joint_log_likelihood(message) == pytest.approx(expected, abs=1e-12)
    proba = dict(zip(sklearn_model.classes_, sklearn_model.predict_proba(row)[0], strict=True))
    assert model.predict_proba_one(message) == pytest.approx(proba, abs=1e-12)


def test_M12_the_log_likelihood_of_unknown_words_is_lower():
    model = trained(MultinomialNB(unseen="smooth"), [(["a", "b"], "ham"), (["a", "c"], "spam")])
    assert model.log_likelihood_one(["z", "z"]) < model.log_likelihood_one(["a", "a"])
    joint = model.joint_log_likelihood(["a"])
    assert model.log_likelihood_one(["a"]) == pytest.approx(math.log(sum(math.exp(v) for v in joint.values())))


def test_E2_an_unseen_word_excludes_a_class_only_without_smoothing():
    data = [(["peanut"], "spam"), (["lunch"], "ham")]
    for kind in (MultinomialNB, BernoulliNB):
        model = trained(kind(smoothing=0.0), data)
        assert model.predict_proba_one(["peanut"]) == {"spam": 1.0, "ham": 0.0}
        assert model.score(["peanut"]).log_odds == math.inf
        model.smoothing = 1e-6
        assert 0 < model.predict_proba_one(["peanut"])["ham"] < 0.5


def test_E5_unknown_words_are_counted_and_dropped_or_smoothed():
    model = trained(MultinomialNB(), [(["a"], "ham"), (["b"], "spam")])
    score = model.score(["a", "zzz", "yyy"])
    assert (score.known, score.unseen) == (1, 2)
    assert score.scores == model.score(["a"]).scores
    model.unseen = "smooth"
    expected = {c: v + math.log(1 / 3) for c, v in model.joint_log_likelihood(["a"]).items()}
    assert model.joint_log_likelihood(["a", "zzz"]) == pytest.approx(expected)


@given(words=st.permutations(["a", "b", "b", "c", "d"]))
def test_M2_word_order_does_not_change_the_score(words):
    model = trained(MultinomialNB(), [(["a", "b"], "ham"), (["c", "b"], "spam")])
    expected = model.joint_log_likelihood(["a", "b", "b", "c", "d"])
    assert model.joint_log_likelihood(words) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    "options", [(MultinomialNB, {}), (MultinomialNB, {"presence": True}), (BernoulliNB, {})], ids=str
)
def test_M2_learning_and_scoring_shuffled_tokens_gives_bitwise_equal_scores(options):
    kind, named = options
    rng, vocabulary = random.Random(1), [f"word{i}" for i in range(200)]
    data = [(rng.choices(vocabulary, k=40), rng.choice(["ham", "spam"])) for _ in range(60)]
    model = trained(kind(key=KEY, smoothing=0.1, **named), data)
    other = trained(kind(key=KEY, smoothing=0.1, **named), [(rng.sample(words, 40), y) for words, y in data])
    for _ in range(30):
        words = rng.choices(vocabulary, k=60)
        expected, shuffled = model.joint_log_likelihood(words), rng.sample(words, 60)
        assert model.joint_log_likelihood(shuffled) == expected
        assert model.joint_log_likelihood(" ".join(shuffled)) == expected
        assert other.joint_log_likelihood(shuffled) == expected
        if kind is MultinomialNB:
            assert model.perplexity(shuffled) == model.perplexity(words)


@pytest.mark.parametrize("kind", WORD_CLASSES)
def test_M2_E6_a_mail_of_100_000_words_does_not_underflow(kind):
    model = trained(kind(), [("win money now", "spam"), ("see you at lunch", "ham")])
    score = model.score("money now " * 50_000)
    assert score.label == "spam"
    assert math.isfinite(score.log_odds) and score.log_odds > 0
    assert not math.isnan(score.probability)


def test_M8_a_new_class_can_be_learned_at_any_time():
    for kind in WORD_CLASSES:
        model = trained(kind(), [(["a"], "ham"), (["b"], "spam")])
        model.learn_one(["c"], "work")
        assert set(model.predict_proba_one(["c"])) == {"ham", "spam", "work"}
        assert model.predict_one(["c"]) == "work"


def test_parameters_are_cached_until_their_counts_change():
    model = trained(MultinomialNB(), [(["a", "b", "c"], "ham"), (["b", "c", "d", "d"], "spam")])
    message = ["a", "b", "c", "d"]
    model.joint_log_likelihood(message)
    assert model.parameters_computed == 3  # counts of 0, 1 and 2: one parameter for each
    model.joint_log_likelihood(message)
    assert model.parameters_computed == 3
    model.learn_one(["d"], "spam")  # only count 3, of "d", is new
    model.joint_log_likelihood(message)
    assert model.parameters_computed == 4


@given(strategies.data(least=1), strategies.words)
def test_P3_a_dict_of_counts_equals_a_list_of_words(data, message):
    for kind in (MultinomialNB, BernoulliNB):
        as_words = trained(kind(), data)
        as_counts = trained(kind(), [({w: words.count(w) for w in words}, c) for words, c in data])
        assert as_counts == as_words
        counted = {w: message.count(w) for w in message}
        expected = pytest.approx(as_words.joint_log_likelihood(message), abs=1e-12)
        assert as_counts.joint_log_likelihood(counted) == expected
