"""The threshold as given, by the share of ham that may be lost, or by costs; and the unsure band."""

import itertools
import math
import random

import numpy as np
import pytest

from stream_nb import MailNB
from stream_nb.kernels.layout import BINS, UNIT
from stream_nb.mail_nb.decision import UNSURE, Policy, threshold_losing
from stream_nb.types import Score


def score(log_odds, probability=0.9):
    return Score("spam", log_odds, probability, {"ham": -log_odds / 2, "spam": log_odds / 2}, 1, 0)


def test_Q3_a_higher_threshold_calls_fewer_mails_positive():
    policies = [Policy(threshold=t / 4) for t in range(-8, 9)]
    positive = [[p.decide(score(s / 8), p.threshold_for(MailNB())) == "spam" for s in range(-16, 17)] for p in policies]

    for lower, higher in itertools.pairwise(positive):
        assert sum(higher) < sum(lower)
        assert all(low or not high for low, high in zip(lower, higher, strict=True))


@pytest.mark.parametrize(("cost", "least"), [(9.0, 0.9), (1 / 9, 0.1)])
def test_a_false_positive_cost_decides_by_the_probability_whatever_the_threshold(cost, least):
    policy = Policy(false_positive_cost=cost)

    for log_odds in (-1.0, 1.0):
        assert policy.decide(score(log_odds, least - 0.01), 0.0) == "ham"
        assert policy.decide(score(log_odds, least + 0.01), 0.0) == "spam"


def test_scores_near_the_threshold_are_unsure():
    policy = Policy(threshold=1.0, unsure=0.5)

    assert [policy.decide(score(s), 1.0) for s in (0.4, 0.6, 1.4, 1.6)] == ["ham", UNSURE, UNSURE, "spam"]


def test_with_fewer_than_two_classes_the_label_of_the_score_is_kept():
    assert Policy().decide(Score(None, 0.0, 0.5, {}, 0, 0), 0.0) is None
    assert Policy().decide(Score("ham", 0.0, 0.5, {"ham": 0.0}, 0, 0), 0.0) == "ham"


def test_a_threshold_loses_the_given_share_of_the_ham_learned():
    """Compared with the model's scores before each update."""
    draw, model, ham_scores = random.Random(3), MailNB(), []
    words = [f"w{i}" for i in range(40)]
    for _ in range(1500):
        label = draw.choice(["ham", "spam"])
        shift = 12 if label == "spam" else 0
        text = [words[min(39, int(draw.triangular(0, 28, 8)) + shift)] for _ in range(12)]
        if label == "ham":
            ham_scores.append(model.score(text).log_odds)
        model.learn_one(text, label)

    for share in (0.02, 0.01, 0.004):
        threshold = threshold_losing(model, "spam", share, least=-4.0)
        lost = sum(s > threshold for s in ham_scores) / len(ham_scores)
        lost_one_step_lower = sum(s > threshold - 0.25 for s in ham_scores) / len(ham_scores)
        assert lost <= share + 3e-3 < lost_one_step_lower + 4e-3
    assert Policy(lose_at_most=0.0).threshold_for(model) >= max(s for s in ham_scores) - 0.25


class Margins:
    """A substitute for a model's statistics: the number of ham at each margin."""

    classes = ("ham", "spam")

    def __init__(self, counts):
        self.counts = counts

    def margins(self, label):
        margins = np.zeros(BINS, np.int64)
        for margin, count in self.counts.items() if label == "ham" else ():
            margins[int((margin + 4.0) * 4.0)] = UNIT * count
        return margins


def threshold_at(monkeypatch, counts, share):
    monkeypatch.setattr(MailNB, "statistics", Margins(counts))
    return threshold_losing(MailNB(), "spam", share)


def test_if_enough_mails_may_be_lost_the_threshold_is_interpolated_within_a_bin(monkeypatch):
    """20 mails score 1 to 1.25, 80 score 0.5 to 0.75; all others score far below."""
    counts = {-1.25: 20, -0.75: 80, 2.0: 900}

    assert threshold_at(monkeypatch, counts, 0.01) == pytest.approx(1.25 - 0.25 * 10 / 20)
    assert threshold_at(monkeypatch, counts, 0.02) == pytest.approx(1.0)
    assert threshold_at(monkeypatch, counts, 0.06) == pytest.approx(0.75 - 0.25 * 40 / 80)


def test_if_few_mails_may_be_lost_the_threshold_assumes_an_exponential_tail(monkeypatch):
    """Five mails score 1 to 2, with a mean excess over 1 of 0.575; less than one mail in a hundred may be lost."""
    counts = {-2.0: 1, -1.75: 1, -1.5: 1, -1.25: 2, 2.0: 45}

    excess = (0.875 + 0.625 + 0.375 + 2 * 0.125 + 2 * 0.3) / (5 + 2)
    for share in (0.01, 0.001):
        assert threshold_at(monkeypatch, counts, share) == pytest.approx(1.0 + excess * math.log(5 / (50 * share)))
    assert threshold_at(monkeypatch, counts, 0.0) == math.inf
    assert threshold_at(monkeypatch, {2.0: 3}, 0.001) == pytest.approx(max(0.0, -2.25 + 0.195 * math.log(1000)))


def test_without_ham_only_high_scores_are_positive_and_with_a_single_class_none(monkeypatch):
    assert threshold_at(monkeypatch, {}, 0.001) == pytest.approx(0.3 * math.log(1000))
    assert threshold_at(monkeypatch, {}, 0.0) == math.inf
    monkeypatch.undo()
    model, policy = MailNB(), Policy(lose_at_most=0.01)
    model.learn_one("win money now", "spam")
    score = model.score("lunch at noon")

    assert policy.decide(score, policy.threshold_for(model)) == UNSURE
    assert Policy().decide(score, 0.0) == UNSURE
    model.learn_one("see you at lunch", "ham")
    assert policy.decide(score, policy.threshold_for(model)) == UNSURE, "the score is older than the class"
    assert policy.decide(model.score("lunch at noon"), policy.threshold_for(model)) == "ham"


def test_the_threshold_falls_as_the_share_that_may_be_lost_rises(monkeypatch):
    counts = {margin / 4: 3 + number for number, margin in enumerate(range(-9, 12, 2))}

    thresholds = [threshold_at(monkeypatch, counts, share / 2000) for share in range(2001)]
    assert all(higher >= lower for higher, lower in itertools.pairwise(thresholds))
    assert thresholds[1] > 2.25 and thresholds[-1] == 0.0


@pytest.mark.parametrize(
    "wrong",
    [
        {"lose_at_most": 1.5}, {"false_positive_cost": 0.0}, {"unsure": -1.0},
        {"lose_at_most": 0.1, "false_positive_cost": 2.0}, {"positive": UNSURE},
    ],
)  # fmt: skip
def test_invalid_values_of_a_policy_are_refused_by_name(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Policy(**wrong)


def test_a_restored_model_decides_a_tie_of_other_classes_like_the_model_itself():
    model = MailNB()
    for text, label in (("a", "work"), ("b", "ham"), ("c", "spam")):
        model.learn_one(text, label)
    restored = MailNB.from_bytes(model.to_bytes())
    for policy, text in ((Policy(), ""), (Policy(threshold=9.0), "c")):
        score = model.score(text)
        assert score.scores["work"] == score.scores["ham"]
        for each in (model, restored):
            assert policy.decide(each.score(text), policy.threshold) == "ham"


@pytest.mark.parametrize("share", [-0.1, 1.1, math.nan])
def test_a_share_out_of_range_and_a_threshold_of_nan_are_refused(share):
    with pytest.raises(ValueError, match="give a share from 0 to 1"):
        threshold_losing(MailNB(), "spam", share)
    with pytest.raises(ValueError, match="threshold is nan"):
        Policy(threshold=math.nan)
