"""Ranking and ROC: ties, windows, infinite scores."""

import itertools
import math
import random

import numpy as np
import pytest
from hypothesis import given
from river.utils import Rolling
from sklearn.metrics import roc_auc_score, roc_curve

from stream_nb.metrics import Ranking
from tests.stream_nb.metrics.ranked import ranked, scored


@given(scored)
def test_Q2_auc_and_curve_equal_sklearn_with_ties(mails):
    ranking = ranked(mails)
    truth = [y for _, y in mails]
    scores = [s for s, _ in mails]
    if len(set(truth)) < 2:
        assert ranking.auc() is None
        assert ranking.one_minus_auc_pct() is None
        return
    assert ranking.auc() == pytest.approx(roc_auc_score(truth, scores), abs=1e-12)
    assert ranking.one_minus_auc_pct() == pytest.approx(100 * (1 - ranking.auc()), abs=1e-12)
    fpr, tpr, thresholds = roc_curve(truth, scores, drop_intermediate=False)
    points = ranking.roc()
    assert [p.fpr for p in points] == pytest.approx(list(fpr), abs=1e-12)
    assert [p.tpr for p in points] == pytest.approx(list(tpr), abs=1e-12)
    assert [p.threshold for p in points] == list(thresholds)


@given(scored, scored)
def test_Q2_removing_mails_restores_the_ranking(kept, passing):
    ranking = ranked(kept + passing)
    for score, is_positive in reversed(passing):
        ranking.remove(score, is_positive)
    assert ranking.auc() == ranked(kept).auc()
    assert ranking.roc() == ranked(kept).roc()


def test_Q2_rolling_window_equals_sklearn_on_the_same_window():
    rng = random.Random(3)
    mails = [(round(rng.gauss(0, 3), 1), rng.random() < 0.4) for _ in range(600)]
    rolling = Rolling(Ranking, window_size=100)
    for i, (score, is_positive) in enumerate(mails):
        rolling.update(score, is_positive)
        if i % 37 == 36:
            window = mails[max(0, i - 99) : i + 1]
            assert len(rolling.obj) == len(window)
            expected = roc_auc_score([y for _, y in window], [s for s, _ in window])
            assert rolling.auc() == pytest.approx(expected, abs=1e-12)


def test_Q2_infinite_scores_are_ranked_and_nan_and_unknown_scores_refused():
    ranking = ranked([(math.inf, True), (-math.inf, False), (0.0, True), (math.inf, False)])
    assert ranking.auc() == (1 + 0.5 + 1 + 0) / 4
    with pytest.raises(ValueError, match="NaN"):
        ranking.add(math.nan, True)
    for is_positive, name in ((True, "positive"), (False, "negative")):
        with pytest.raises(KeyError, match=f"no {name} mail with score 7"):
            ranking.remove(7, is_positive)
        with pytest.raises(KeyError, match=f"no {name} mail with score 7"):
            Ranking().remove(7, is_positive)
    assert len(ranking) == 4


@pytest.mark.parametrize("is_positive", ["ham", -1, None])
def test_a_class_name_and_minus_1_are_no_truth_values(is_positive):
    """All of them would count as positive, or None as negative."""
    ranking = ranked([(1.0, 1), (0.0, np.False_)])
    with pytest.raises(ValueError, match=f"is_positive is {is_positive!r}: give True or False"):
        ranking.add(-1.0, is_positive)
    assert len(ranking) == 2


def test_the_rate_of_a_class_without_mails_is_0():
    assert ranked([(1.0, True)]).roc()[-1] == (1.0, 1, 0, 1.0, 0.0)
    assert ranked([(1.0, False)]).roc()[-1] == (1.0, 0, 1, 0.0, 1.0)


@given(scored)
def test_Q3_lowering_the_threshold_never_lowers_true_or_false_positives(mails):
    points = ranked(mails).roc()
    for higher, lower in itertools.pairwise(points):
        assert higher.threshold > lower.threshold
        assert higher.true_positives <= lower.true_positives
        assert higher.false_positives <= lower.false_positives
        assert higher != lower
