"""Evidence: the contribution of each word to the score."""

import math

import pytest
from hypothesis import given

from stream_nb import MailNB
from tests.support import strategies
from tests.support.trained import trained


def test_evidence_includes_classes_added_since_the_last_score():
    model = trained(MailNB(), [("win money", "spam"), ("lunch", "ham")])
    model.score("win")
    for number in range(40):
        model.merge(trained(MailNB(), [("win money", f"folder {number}")]))
    evidence = model.evidence("win money at lunch")
    assert len(evidence.terms[0].counts) == 42
    assert evidence.log_odds == pytest.approx(evidence.bias + sum(term.weight for term in evidence.terms), abs=1e-12)


@pytest.mark.parametrize("most", [-1, 1.5])
def test_evidence_refuses_a_limit_that_is_no_number_of_terms(most):
    model = trained(MailNB(), [("win money now", "spam"), ("lunch at noon", "ham")])
    with pytest.raises(ValueError, match=f"most is {most}: give a whole number of 0 or more"):
        model.evidence("win money at lunch", most=most)


def test_evidence_can_be_limited_to_the_strongest_terms():
    model = trained(MailNB(), [("win money now", "spam"), ("lunch at noon", "ham")])
    whole = model.evidence("win money at lunch")
    assert len(whole.terms) > 2
    assert model.evidence("win money at lunch", most=2) == whole._replace(terms=whole.terms[:2])


def test_of_rivals_with_equal_scores_evidence_chooses_the_same_in_any_order_of_learning():
    mails = [("free money", "spam"), ("money noon", "ham"), ("free noon", "work")]
    model, other = MailNB(), MailNB()
    for each, order in ((model, mails), (other, mails[::-1])):
        for x, y in order:
            each.apply_update(x, MailNB().grade(x, y))
    scores = model.class_scores("free money")

    assert model == other and scores["ham"] == scores["work"]
    assert model.evidence("free money").terms == other.evidence("free money").terms


def test_the_evidence_of_any_class_adds_up_to_its_log_odds_against_the_best_other():
    mails = [("win money now", "spam"), ("lunch at noon", "work"), ("dinner at home", "family")]
    model = trained(MailNB(), mails)
    scores = model.class_scores("money for dinner at home")
    for label, score in scores.items():
        why = model.evidence("money for dinner at home", label=label)
        rivals = {other: value for other, value in scores.items() if other != label}
        assert why.label == label and rivals[why.rival] == max(rivals.values())
        assert why.log_odds == pytest.approx(score - rivals[why.rival], abs=1e-12)
        assert why.bias + math.fsum(term.weight for term in why.terms) == pytest.approx(why.log_odds, abs=1e-12)
    with pytest.raises(KeyError, match="receipts"):
        model.evidence("money", label="receipts")


@given(strategies.two_classes, strategies.texts)
def test_L4_evidence_adds_up_to_the_log_odds_and_shows_the_counts_of_each_word(data, message):
    model = trained(MailNB(band=math.inf), data)
    why = model.evidence(message)

    assert why.bias + math.fsum(term.weight for term in why.terms) == pytest.approx(why.log_odds, abs=1e-12)
    assert why.log_odds == pytest.approx(model.score(message).log_odds if "spam" in model.classes else 0.0)
    for term in why.terms:
        if term.kind == "word":
            seen = {c: sum(term.text in text.split() for text, y in data if y == c) for c in model.classes}
            assert term.counts == seen
