"""From joint log-likelihoods to probabilities, log-odds and evidence, also where a class is impossible or missing."""

import math

import pytest

from stream_nb.posterior import best, evidence_of, log_likelihood_of, log_sum_exp, margin, posterior, score_of
from stream_nb.types import Evidence, LogLikelihood, Score, Term

INF = math.inf


@pytest.mark.parametrize(
    ("values", "total"),
    [
        ([], -INF),
        ([-INF, -INF], -INF),
        ([-INF, 2.0], 2.0),
        ([INF, 0.0], INF),
        ([1e4, 1e4], 1e4 + math.log(2)),
        ([-1e4, -1e4 + math.log(3)], -1e4 + math.log(4)),
    ],
)
def test_a_sum_of_exponentials_neither_overflows_nor_underflows(values, total):
    assert log_sum_exp(iter(values)) == pytest.approx(total, abs=1e-9)


@pytest.mark.parametrize(
    ("joint", "shares"),
    [
        ({}, {}),
        ({"a": -1e6}, {"a": 1.0}),
        ({"a": -1e4, "b": -1e4 + math.log(3)}, {"a": 0.25, "b": 0.75}),
        ({"a": 0.0, "b": -INF}, {"a": 1.0, "b": 0.0}),
        ({"a": INF, "b": 0.0, "c": INF}, {"a": 0.5, "b": 0.0, "c": 0.5}),
    ],
)
def test_probabilities_are_shares_of_exponentials(joint, shares):
    assert posterior(joint) == pytest.approx(shares)


def test_the_margin_is_the_distance_to_the_best_other_class():
    scores = {"a": 1.0, "b": 3.0, "c": -INF, "d": -INF}
    assert [margin(scores, label) for label in "abc"] == [-2.0, 2.0, -INF]
    assert margin({"c": -INF, "d": -INF}, "c") == margin({"a": 1.0}, "a") == margin(scores, "other") == 0.0
    assert best(scores) == "b" and best({"d": 0.0, "c": 0.0}) == "c" and best({}) is None


def test_a_score_has_even_odds_unless_the_positive_class_has_a_rival():
    joint = {"ham": math.log(0.03), "spam": math.log(0.01)}
    label, log_odds, probability, *rest = score_of(joint, "spam", 2, 1)
    assert (label, log_odds, probability) == ("ham", pytest.approx(-math.log(3)), pytest.approx(0.25))
    assert rest == [joint, 2, 1]
    for joint in ({}, {"spam": -1.0}, {"ham": -1.0, "work": -2.0}):
        assert score_of(joint, "spam", 0, 0) == Score(best(joint), 0.0, 0.5, joint, 0, 0)


def test_bias_and_terms_add_up_to_the_log_odds_of_the_positive_or_else_the_best_class():
    def terms_of(label, rival):
        asked.append((label, rival))
        return [Term("free", "word", 1.5, {}), Term("noon", "word", -0.25, {})]

    asked = []
    joint = {"ham": -3.0, "spam": -5.0, "work": -4.0}
    for positive, log_odds in (("spam", -2.0), ("other", 1.0)):
        found = evidence_of(joint, positive, terms_of)
        assert (found.log_odds, found.bias, len(found.terms)) == (log_odds, log_odds - 1.25, 2)
    assert asked == [("spam", "ham"), ("ham", "work")]
    for few in ({}, {"spam": 0.0}, {"ham": 0.0}):
        assert evidence_of(few, "spam", terms_of) == Evidence(0.0, 0.0, ())


def test_an_infinite_weight_leaves_no_bias():
    terms = [Term("free", "word", INF, {}), Term("noon", "word", -1.0, {})]
    found = evidence_of({"spam": 0.0, "ham": -INF}, "spam", lambda *_: terms)
    assert found == Evidence(INF, 0.0, tuple(terms), label="spam", rival="ham")


def test_the_likelihood_is_that_of_the_labels_and_of_each_class_of_messages():
    priors = {"ham": math.log(0.75), "spam": math.log(0.25), "gone": -INF}
    found = log_likelihood_of(
        {"ham": 3.0, "spam": 1.0, "gone": 0.0}, priors, {"ham": -7.0, "spam": -2.0, "gone": 0.0}.get
    )
    labels = 3 * priors["ham"] + priors["spam"]
    assert found == LogLikelihood(
        pytest.approx(labels - 9.0), pytest.approx(labels), {"ham": -7.0, "spam": -2.0, "gone": 0.0}
    )
