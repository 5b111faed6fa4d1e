"""Active learning: which labels are asked for, how many, and use in river's loop."""

import math
import random

import pytest
from river import feature_extraction

from stream_nb import GaussianNB, MailNB
from stream_nb.active import ADVANCE_MAILS, BudgetSampler, LabelBudget, margin, uncertainty
from stream_nb.types import Score


def score(**scores):
    return Score(None, 0.0, 0.5, scores, 1, 0)


def test_the_margin_is_the_difference_between_the_two_best_classes():
    assert margin(score(ham=-1.0, spam=1.0, news=0.25)) == 0.75
    assert margin(score(ham=-1.0)) == margin(score()) == margin(score(ham=2.0, spam=2.0)) == 0.0
    assert margin(score(ham=math.inf, spam=math.inf)) == 0.0
    assert uncertainty(score(ham=-math.inf, spam=0.0)) == 0.0
    assert uncertainty(score(ham=1.0, spam=2.0)) == 0.5


@pytest.mark.parametrize("share", [0.01, 0.1, 0.5])
def test_the_number_of_labels_asked_for_stays_within_the_budget_at_each_mail(share):
    """Over runs of easy and of hard mails, each of random length."""
    draw, budget = random.Random(5), LabelBudget(share)
    while budget.mails < 20_000:
        hard = draw.random()
        for _ in range(draw.randrange(1, 2_000)):
            budget.ask(1.0 / (1.0 + draw.expovariate(1.0) * (0.1 if hard < 0.3 else 5.0)))
            assert budget.asked <= share * (budget.mails + ADVANCE_MAILS) + 1
    assert budget.asked == pytest.approx(share * budget.mails, rel=0.1)


@pytest.mark.parametrize("share", [0.01, 0.05, 0.3])
def test_mails_of_which_none_is_certain_do_not_exceed_the_budget(share):
    """As those that come before the first label."""
    budget = LabelBudget(share)
    for number in range(1, 5_000):
        budget.ask(1.0)
        assert budget.asked <= share * (number + ADVANCE_MAILS + 250) + 1


def test_labels_are_asked_for_early_and_for_the_least_certain_mails():
    draw, budget = random.Random(7), LabelBudget(0.1)
    asked = []
    for number in range(12_000):
        value = draw.random()
        if budget.ask(value):
            asked.append((number, value))
    early = sum(number < 1_000 for number, _ in asked)
    late = [value for number, value in asked if number >= 6_000]
    assert early > 200 and len(late) == pytest.approx(600, rel=0.1)
    assert sorted(late)[len(late) // 20] > 0.85  # the least certain tenth of uniformly distributed values


def test_labels_are_still_asked_for_after_all_mails_became_more_certain():
    """As after the first labels, because a mail is compared with the latest ones only."""
    draw, budget = random.Random(3), LabelBudget(0.1)
    for _ in range(20_000):
        budget.ask(0.5 + 0.5 * draw.random())
    assert sum(budget.ask(0.1 * draw.random()) for _ in range(3_000)) == pytest.approx(300, rel=0.1)


def test_a_share_of_1_asks_for_every_label():
    budget = LabelBudget(1.0)
    assert all(budget.ask(number / 5_000) for number in range(5_000))


@pytest.mark.parametrize("share", [0.0, -0.1, 1.1, math.nan, "0.5", None])
def test_a_share_out_of_range_is_refused(share):
    with pytest.raises(ValueError, match="share is"):
        LabelBudget(share)


@pytest.mark.parametrize("uncertain", [-0.1, 1.1, math.inf, math.nan])
def test_an_uncertainty_out_of_range_is_refused_and_no_mail_counted(uncertain):
    budget = LabelBudget(0.5)
    with pytest.raises(ValueError, match="uncertainty is"):
        budget.ask(uncertain)
    assert budget.mails == 0


@pytest.mark.parametrize("model", [MailNB(), GaussianNB()])
def test_a_sampler_predicts_like_its_model(model):
    """Also for an empty model, and if two classes have the same score."""
    sampler = BudgetSampler(model, share=1.0)
    assert sampler.predict_one({"size": 1.0}) == (None, True)
    assert sampler.predict_proba_one({"size": 1.0}) == ({}, True)
    for label in ("spam", "ham"):
        sampler.learn_one({"size": 1.0}, label)
    assert sampler.predict_one({"size": 1.0}) == (model.predict_one({"size": 1.0}), True)
    assert sampler.predict_proba_one({"size": 1.0})[0] == model.predict_proba_one({"size": 1.0})


@pytest.mark.parametrize("classifier", [None, feature_extraction.BagOfWords() | MailNB()])
def test_a_sampler_of_anything_but_a_model_is_refused(classifier):
    with pytest.raises(TypeError, match=rf"classifier is a {type(classifier).__name__}: give a model of stream_nb"):
        BudgetSampler(classifier)
    pipeline = feature_extraction.BagOfWords() | BudgetSampler(MailNB())
    assert pipeline.predict_one("win money") == (None, True)


def test_a_sampler_learns_only_the_labels_it_asked_for_and_predicts_well():
    draw, sampler = random.Random(1), BudgetSampler(MailNB(), share=0.2)
    asked = right = 0
    for _ in range(3_000):
        truth = draw.choice(["ham", "spam"])
        text = " ".join(f"{truth}{draw.randrange(300)}" for _ in range(6))
        label, ask = sampler.predict_one(text)
        right += label == truth
        if ask:
            sampler.learn_one(text, truth)
            asked += 1
    assert sampler.classifier.labels_learned == asked == sampler.budget.asked
    assert asked < 0.25 * 3_000 and right > 0.97 * 3_000
    assert sampler.predict_proba_one("ham1 ham2")[0]["ham"] > 0.9


def test_a_clone_of_a_sampler_asks_for_the_same_share():
    sampler = BudgetSampler(MailNB(), share=0.5)
    sampler.predict_one("win money")
    clone = sampler.clone()
    assert (clone.share, clone.budget.mails) == (0.5, 0)
