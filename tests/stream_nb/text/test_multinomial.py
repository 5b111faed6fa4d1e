"""The textbook models equal their definitions: the exact oracle, scikit-learn, and cases worked by hand."""

import math
import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import naive_bayes

from stream_nb import BernoulliNB, MailNB, MultinomialNB
from stream_nb.base import best, margin, posterior
from stream_nb.prior import log_priors
from tests.support import oracle, strategies

KEY = b"a secret of 16 bytes or more"
SMOOTHINGS = st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(1), Fraction(7, 4)])


def trained(model, data):
    for words, label in data:
        model.learn_one(words, label)
    return model


def logs(products):
    return {c: math.log(p) if p else -math.inf for c, p in products.items()}


def close(scores, expected):
    return scores.keys() == expected.keys() and all(
        scores[c] == expected[c] or abs(scores[c] - expected[c]) < 1e-12 * max(1, abs(expected[c])) for c in scores
    )


@given(strategies.data(least=1), strategies.words, SMOOTHINGS)
def test_E8_M2_multinomial_is_algorithms_3_1_and_3_2(data, message, smoothing):
    model = trained(MultinomialNB(smoothing=float(smoothing)), data)

    assert close(model.joint_log_likelihood(message), logs(oracle.multinomial(data, message, smoothing)))


@given(strategies.data(least=1), strategies.words, SMOOTHINGS)
def test_M3_presence_is_the_multinomial_on_binarised_input(data, message, smoothing):
    model = trained(MultinomialNB(smoothing=float(smoothing), presence=True), data)
    binarised = trained(MultinomialNB(smoothing=float(smoothing)), [(sorted(set(w)), c) for w, c in data])

    assert close(model.joint_log_likelihood(message), logs(oracle.multinomial(data, message, smoothing, presence=True)))
    assert close(model.joint_log_likelihood(message), binarised.joint_log_likelihood(sorted(set(message))))


@given(strategies.data(least=1), strategies.words, SMOOTHINGS)
def test_M1_bernoulli_is_the_product_over_the_whole_vocabulary(data, message, smoothing):
    model = trained(BernoulliNB(smoothing=float(smoothing)), data)

    assert close(model.joint_log_likelihood(message), logs(oracle.bernoulli(data, message, smoothing)))


@given(strategies.data(least=1), strategies.words, strategies.data(least=1))
def test_M1_the_histogram_follows_learning_and_unlearning(data, message, later):
    model = trained(BernoulliNB(), data)
    model.predict_one(message)  # makes the histogram, which must keep up from here
    trained(model, later)
    for words, label in data:
        model.unlearn_one(words, label)

    assert close(model.joint_log_likelihood(message), logs(oracle.bernoulli(later, message)))


@given(strategies.data(least=1), strategies.words, st.sampled_from([0.0, 0.5]))
def test_what_a_score_says_is_what_its_numbers_say(data, message, smoothing):
    for kind in (MultinomialNB, BernoulliNB):
        model = trained(kind(smoothing=smoothing), data)
        score = model.score(message)
        assert score.label == best(score.scores) == model.predict_one(message)
        assert score.log_odds == margin(score.scores, "spam")
        expected = posterior(score.scores).get("spam", 0.5) if len(score.scores) > 1 else 0.5
        assert score.probability == pytest.approx(expected, rel=1e-15, abs=0.0)
        assert score.scores == model.joint_log_likelihood(message)


@given(strategies.data(least=1), st.sampled_from(["learned", "smoothed", "uniform", {"ham": 0.1, "spam": 0.2}]))
def test_E4_a_message_without_words_scores_the_log_priors_to_the_bit(data, prior):
    model = trained(MultinomialNB(), data)
    model.score([])
    model.prior = prior
    messages = {c: sum(label == c for _, label in data) for c in model.classes}
    assert model.joint_log_likelihood([]) == log_priors(prior, messages)


def test_a_given_prior_changed_in_place_changes_the_next_score():
    model = trained(MultinomialNB(prior={"ham": 1.0, "spam": 1.0}), [(["a"], "ham"), (["a"], "spam")])
    assert model.score([]).probability == 0.5
    model.prior["spam"] = 3.0
    assert model.score([]).probability == pytest.approx(0.75)


@given(strategies.data(least=1), strategies.data(least=1), strategies.words)
def test_M1_absent_words_follow_every_change_of_the_statistics(data, more, message):
    changes = [
        lambda model: model.learn_one(["a", "new"], "work"),
        lambda model: model.merge(trained(BernoulliNB(), more)),
        lambda model: model.evict(max(1, model.words - 1)),
        lambda model: model.decay(0.5),
        lambda model: model.learn_one(["a"] * 3, "ham"),
    ]
    model = trained(BernoulliNB(), data)
    for change in changes:
        model.score_grid(message, [0.5, 1.0])  # what is kept now must not be read after the change
        change(model)
        fresh = BernoulliNB.from_bytes(model.to_bytes())
        assert close(model.joint_log_likelihood(message), fresh.joint_log_likelihood(message))


@given(strategies.data(least=1), strategies.words)
def test_one_set_of_counts_is_read_by_any_rule(data, message):
    counts = trained(MultinomialNB(), data)

    for smoothing in (0.1, 1.0):
        for prior in ("learned", "uniform", "smoothed"):
            fresh = trained(BernoulliNB(smoothing=smoothing, prior=prior), data)
            reading = BernoulliNB.reading(counts, smoothing=smoothing, prior=prior)
            assert reading.joint_log_likelihood(message) == fresh.joint_log_likelihood(message)


@given(strategies.data(least=1), strategies.words)
def test_E3_Q7_a_grid_of_smoothings_is_the_models_one_by_one(data, message):
    grid = [0.0, 0.01, 0.5, 1.0, 10.0]
    for kind in (MultinomialNB, BernoulliNB):
        model = trained(kind(), data)
        single = [trained(kind(smoothing=s), data).joint_log_likelihood(message) for s in grid]
        assert model.score_grid(message, grid) == single


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


@pytest.mark.parametrize("kind", [MultinomialNB, BernoulliNB, MailNB])
def test_P3_the_notes_list_of_words_and_counts_is_read_as_counts(kind):
    counts = {"free": 100, "lottery": 10, "money": 10, "identification": 1}
    data = [(counts, "spam"), (["see", "you"], "ham")]
    as_pairs = [([*counts.items()], "spam"), (["see", "you"], "ham")]
    assert trained(kind(key=KEY), as_pairs).to_bytes() == trained(kind(key=KEY), data).to_bytes()
    model = trained(kind(key=KEY), data)
    score = model.class_scores if isinstance(model, MailNB) else model.joint_log_likelihood
    expected = score({"free": 3, "you": 1})
    assert score([("free", 1), ("you", 1), ("free", 2)]) == expected
    assert score([["free", 3], ["you", 1.0]]) == expected
    assert score([("free", "you")]) == score(["('free', 'you')"])  # a token, no count


@pytest.mark.parametrize("kind", [MultinomialNB, BernoulliNB])
@given(data=strategies.data(least=1), message=strategies.words, smoothing=st.sampled_from([0.1, 0.5, 1.0]))
@settings(max_examples=30)
def test_E1_equals_scikit_learn(kind, data, message, smoothing):
    vocabulary = sorted(oracle.vocabulary(data))
    if not vocabulary:
        return
    counts = np.array([[words.count(w) for w in vocabulary] for words, _ in data])
    theirs = getattr(naive_bayes, kind.__name__)(alpha=smoothing).fit(counts, [c for _, c in data])
    ours = trained(kind(smoothing=smoothing), data)
    row = np.array([[message.count(w) for w in vocabulary]])

    expected = dict(zip(theirs.classes_, theirs.predict_joint_log_proba(row)[0], strict=True))
    assert ours.joint_log_likelihood(message) == pytest.approx(expected, abs=1e-12)
    proba = dict(zip(theirs.classes_, theirs.predict_proba(row)[0], strict=True))
    assert ours.predict_proba_one(message) == pytest.approx(proba, abs=1e-12)


@given(strategies.data(least=1), strategies.smoothings)
def test_E3_word_probabilities_sum_to_one(data, smoothing):
    model = trained(MultinomialNB(smoothing=smoothing), data)
    for c in model.classes:
        total = math.fsum(p for _, p in model.top_words(c, n=1000))
        has_words = any(words for words, label in data if label == c)
        if has_words or (smoothing and model.words):
            assert total == pytest.approx(1, abs=1e-12)


@given(strategies.data(least=1), strategies.words, st.sampled_from([0.1, 1.0]))
def test_L1_L2_the_log_odds_are_linear_and_the_posterior_logistic(data, message, smoothing):
    for kind, often in ((MultinomialNB, message.count), (BernoulliNB, lambda w: w in message)):
        model = trained(kind(smoothing=smoothing), [(w, "ham" if c == "ham" else "spam") for w, c in data])
        if len(model.classes) < 2:
            continue
        linear = model.linear("spam", "ham")
        value = linear.bias + math.fsum(weight * often(word) for word, weight in linear.weights.items())
        assert value == pytest.approx(model.log_odds_one(message, "spam"), abs=1e-12)
        assert model.predict_proba_one(message)["spam"] == pytest.approx(1 / (1 + math.exp(-value)), abs=1e-12)


@given(strategies.data(least=1), strategies.words, st.sampled_from([0.1, 1.0]))
def test_L4_evidence_adds_up_to_the_log_odds(data, message, smoothing):
    for kind in (MultinomialNB, BernoulliNB):
        model = trained(kind(smoothing=smoothing), data)
        why = model.evidence(message)
        assert why.bias + math.fsum(term.weight for term in why.terms) == pytest.approx(why.log_odds, abs=1e-12)
        for term in why.terms:
            with_word = {c: sum(term.text in w for w, label in data if label == c) for c in model.classes}
            assert term.counts == with_word


@given(strategies.data(least=1), strategies.words, st.sampled_from([1.0, 0.01, 0.001]))
def test_without_smoothing_evidence_is_never_an_error_and_never_nan(data, message, kept):
    for kind in (MultinomialNB, BernoulliNB):
        model = trained(kind(smoothing=0.0), data)
        model.decay(kept)
        why = model.evidence(message)
        if "spam" in model.classes:
            assert why.log_odds == model.score(message).log_odds
        assert not any(math.isnan(number) for number in (why.log_odds, why.bias, *(term.weight for term in why.terms)))
        if all(math.isfinite(term.weight) for term in why.terms):
            told = why.bias + math.fsum(term.weight for term in why.terms)
            assert told == pytest.approx(why.log_odds, abs=1e-12)
        else:
            assert why.bias == 0.0


def test_L4_the_bias_of_evidence_is_prior_and_absent_words():
    model = trained(BernoulliNB(), [(["a", "b"], "spam"), (["b"], "ham"), (["c"], "ham")])
    linear = model.linear("spam", "ham")
    assert model.evidence(["a"]).bias == pytest.approx(linear.bias, abs=1e-12)


@given(strategies.data(least=1), st.sampled_from([0.5, 1.0]))
def test_E7_the_data_log_likelihood_is_that_of_the_oracle_and_its_parts_add_up(data, smoothing):
    exact = Fraction(smoothing)
    model = trained(MultinomialNB(smoothing=smoothing), data)
    parts = model.log_likelihood()
    expected = math.fsum(
        math.log(oracle.prior(data, c)) + math.fsum(math.log(oracle.multinomial_word(data, w, c, exact)) for w in words)
        for words, c in data
    )
    assert parts.total == pytest.approx(expected, abs=1e-9)
    assert parts.total == pytest.approx(parts.prior + sum(parts.classes.values()), abs=1e-9)
    bernoulli = BernoulliNB.reading(model, smoothing=smoothing).log_likelihood()
    expected = math.fsum(math.log(oracle.bernoulli(data, words, exact)[c]) for words, c in data)
    assert bernoulli.total == pytest.approx(expected, abs=1e-9)


@given(strategies.data(least=1), strategies.words)
def test_M11_perplexity_is_the_inverse_geometric_mean(data, message):
    model = trained(MultinomialNB(), data)
    known = [w for w in message if w in oracle.vocabulary(data)]
    for c, value in model.perplexity(message).items():
        product = math.prod(oracle.multinomial_word(data, w, c) for w in known)
        assert value == pytest.approx(float(product) ** (-1 / len(known)) if known else 1.0)


def test_L5_entropy_of_a_fair_coin_and_the_words_of_a_class():
    model = trained(MultinomialNB(smoothing=0.0), [(["heads", "tails"], "coin"), (["heads"], "liar")])
    assert model.class_entropy("coin") == pytest.approx(1.0)
    assert model.class_entropy("liar") == 0.0
    assert model.top_words("liar", 1) == [("heads", 1.0)]
    assert model.word_probabilities("tails") == {"coin": 0.5, "liar": 0.0}
    assert model.word_probabilities("never") == {}


def test_M12_a_mail_of_strange_words_is_less_expected():
    model = trained(MultinomialNB(unseen="smooth"), [(["a", "b"], "ham"), (["a", "c"], "spam")])
    assert model.log_likelihood_one(["z", "z"]) < model.log_likelihood_one(["a", "a"])
    joint = model.joint_log_likelihood(["a"])
    assert model.log_likelihood_one(["a"]) == pytest.approx(math.log(sum(math.exp(v) for v in joint.values())))


def test_E2_smoothing_0_rules_a_class_out_and_any_other_does_not():
    data = [(["peanut"], "spam"), (["lunch"], "ham")]
    for kind in (MultinomialNB, BernoulliNB):
        model = trained(kind(smoothing=0.0), data)
        assert model.predict_proba_one(["peanut"]) == {"spam": 1.0, "ham": 0.0}
        assert model.score(["peanut"]).log_odds == math.inf
        model.smoothing = 1e-6
        assert 0 < model.predict_proba_one(["peanut"])["ham"] < 0.5


def test_E5_words_never_seen_are_dropped_and_counted():
    model = trained(MultinomialNB(), [(["a"], "ham"), (["b"], "spam")])
    score = model.score(["a", "zzz", "yyy"])
    assert (score.known, score.unseen) == (1, 2)
    assert score.scores == model.score(["a"]).scores
    model.unseen = "smooth"
    expected = {c: v + math.log(1 / 3) for c, v in model.joint_log_likelihood(["a"]).items()}
    assert model.joint_log_likelihood(["a", "zzz"]) == pytest.approx(expected)


@given(words=st.permutations(["a", "b", "b", "c", "d"]))
def test_M2_the_order_of_words_is_irrelevant(words):
    model = trained(MultinomialNB(), [(["a", "b"], "ham"), (["c", "b"], "spam")])
    expected = model.joint_log_likelihood(["a", "b", "b", "c", "d"])
    assert model.joint_log_likelihood(words) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    "options", [(MultinomialNB, {}), (MultinomialNB, {"presence": True}), (BernoulliNB, {})], ids=str
)
def test_M2_shuffling_a_token_list_changes_no_bit(options):
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


@pytest.mark.parametrize("kind", [MultinomialNB, BernoulliNB, MailNB])
def test_M2_E6_a_mail_of_100_000_words_does_not_underflow(kind):
    model = trained(kind(), [("win money now", "spam"), ("see you at lunch", "ham")])
    score = model.score("money now " * 50_000)
    assert score.label == "spam"
    assert math.isfinite(score.log_odds) and score.log_odds > 0
    assert not math.isnan(score.probability)


def test_M8_a_new_class_joins_at_any_time():
    for kind in (MultinomialNB, BernoulliNB, MailNB):
        model = trained(kind(), [(["a"], "ham"), (["b"], "spam")])
        model.learn_one(["c"], "work")
        assert set(model.predict_proba_one(["c"])) == {"ham", "spam", "work"}
        assert model.predict_one(["c"]) == "work"


def test_parameters_are_computed_once_until_counts_change():
    model = trained(MultinomialNB(), [(["a", "b", "c"], "ham"), (["b", "c", "d", "d"], "spam")])
    message = ["a", "b", "c", "d"]
    model.joint_log_likelihood(message)
    assert model.parameters_computed == 3  # counts of 0, 1 and 2: equal counts share
    model.joint_log_likelihood(message)
    assert model.parameters_computed == 3
    model.learn_one(["d"], "spam")  # only the 3 of "d" is new
    model.joint_log_likelihood(message)
    assert model.parameters_computed == 4


@given(strategies.data(least=1), strategies.words)
def test_P3_counts_may_be_given_as_a_dict(data, message):
    for kind in (MultinomialNB, BernoulliNB):
        as_words = trained(kind(), data)
        as_counts = trained(kind(), [({w: words.count(w) for w in words}, c) for words, c in data])
        assert as_counts == as_words
        counted = {w: message.count(w) for w in message}
        expected = pytest.approx(as_words.joint_log_likelihood(message), abs=1e-12)
        assert as_counts.joint_log_likelihood(counted) == expected


@pytest.mark.parametrize(
    ("options", "named"),
    [({"smoothing": -1}, "smoothing"), ({"smoothing": math.nan}, "smoothing"), ({"prior": "flat"}, "prior"),
     ({"prior": {"ham": -1}}, "prior"), ({"key": b"short"}, "key")],
)  # fmt: skip
@pytest.mark.parametrize("kind", [MultinomialNB, BernoulliNB])
def test_a_wrong_argument_is_named(kind, options, named):
    with pytest.raises(ValueError, match=named):
        kind(**options)
