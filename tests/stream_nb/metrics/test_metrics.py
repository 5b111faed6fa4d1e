"""Laws and oracles of `stream_nb.metrics`."""

import itertools
import math
import random
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st
from river.utils import Rolling
from scipy.stats import binomtest
from sklearn.metrics import log_loss as sk_log_loss
from sklearn.metrics import roc_auc_score, roc_curve

from stream_nb.metrics import (
    Losses,
    Ranking,
    best_accuracy,
    exponential,
    hinge,
    lam_pct,
    least_cost,
    log_loss,
    losing_at_most,
    squared,
    wilson,
    zero_one,
)

few_scores = st.sampled_from([-3.5, -1.0, 0.0, 0.25, 0.5, 2.0, 40.0])
scored = st.lists(st.tuples(few_scores, st.booleans()), max_size=40)


def ranked(mails):
    ranking = Ranking()
    for score, is_positive in mails:
        ranking.add(score, is_positive)
    return ranking


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
def test_Q2_remove_undoes_add(kept, passing):
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


def test_Q2_infinite_scores_rank_and_nan_is_refused():
    ranking = ranked([(math.inf, True), (-math.inf, False), (0.0, True), (math.inf, False)])
    assert ranking.auc() == (1 + 0.5 + 1 + 0) / 4
    with pytest.raises(ValueError, match="NaN"):
        ranking.add(math.nan, True)
    with pytest.raises(KeyError, match="positive mail with score 7"):
        ranking.remove(7, True)
    assert len(ranking) == 4


@given(scored)
def test_Q3_lowering_the_threshold_raises_both_rates(mails):
    points = ranked(mails).roc()
    for higher, lower in itertools.pairwise(points):
        assert higher.threshold > lower.threshold
        assert higher.true_positives <= lower.true_positives
        assert higher.false_positives <= lower.false_positives
        assert higher != lower


@given(scored, st.floats(0, 1), st.floats(0, 20), st.floats(0, 20))
def test_Q3_chosen_thresholds_do_what_they_promise(mails, max_fpr, fp_cost, fn_cost):
    ranking = ranked(mails)
    points = ranking.roc()

    def errors(threshold):
        false_alarms = sum(s >= threshold and not y for s, y in mails)
        misses = sum(s < threshold and y for s, y in mails)
        return false_alarms, misses

    chosen = losing_at_most(points, max_fpr)
    assert errors(chosen.threshold)[0] <= max_fpr * ranking.negatives
    assert errors(chosen.threshold)[1] == min(
        errors(p.threshold)[1] for p in points if errors(p.threshold)[0] <= max_fpr * ranking.negatives
    )
    cheapest = least_cost(points, fp_cost, fn_cost)
    costs = [fp_cost * a + fn_cost * b for a, b in (errors(p.threshold) for p in points)]
    a, b = errors(cheapest.threshold)
    assert fp_cost * a + fn_cost * b == pytest.approx(min(costs))
    assert sum(errors(best_accuracy(points).threshold)) == min(sum(errors(p.threshold)) for p in points)


def test_Q4_losses_by_hand():
    # y, h, 0-1, L2, hinge, exponential
    for y, h, *expected in [
        (+1, 0.5, 0, 0.25, 0.5, math.exp(-0.5)),
        (-1, 0.5, 1, 2.25, 1.5, math.exp(0.5)),
        (+1, 2.0, 0, 1.0, 0.0, math.exp(-2)),
        (-1, -1.0, 0, 0.0, 0.0, math.exp(-1)),
    ]:
        assert [zero_one(y, h), squared(y, h), hinge(y, h), exponential(y, h)] == pytest.approx(expected)
    assert exponential(-1, 1e4) == math.inf


@given(st.lists(st.tuples(st.booleans(), st.floats(-15, 15)), min_size=1, max_size=60))
def test_Q4_means_equal_their_definitions_and_sklearn(mails):
    losses = Losses()
    for y, log_odds in mails:
        losses.update(y, log_odds)
    means = losses.get()
    signs = [1 if y else -1 for y, _ in mails]
    h = [2 / (1 + math.exp(-s)) - 1 for _, s in mails]
    n = len(mails)
    pairs = list(zip(h, signs, strict=True))
    assert means["squared"] == pytest.approx(sum((a - b) ** 2 for a, b in pairs) / n, abs=1e-9)
    assert means["hinge"] == pytest.approx(sum(1 - a * b for a, b in pairs) / n, abs=1e-9)
    assert means["exponential"] == pytest.approx(sum(math.exp(-a * b) for a, b in pairs) / n, abs=1e-9)
    assert means["zero_one"] == sum((s > 0) != y for y, s in mails) / n
    probabilities = [1 / (1 + math.exp(-s)) for _, s in mails]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scikit-learn clips probabilities that round to 1
        expected = sk_log_loss([y for y, _ in mails], probabilities, labels=[False, True])
    assert means["log_loss"] == pytest.approx(expected, rel=1e-6, abs=1e-9)


@given(
    st.lists(st.tuples(st.booleans(), st.floats(allow_nan=False)), max_size=20),
    st.lists(st.tuples(st.booleans(), st.floats(allow_nan=False)), max_size=20),
)
def test_Q4_revert_is_exact(kept, passing):
    both, alone = Losses(), Losses()
    for mail in passing + kept:
        both.update(*mail)
    for mail in passing:
        both.revert(*mail)
    for mail in kept:
        alone.update(*mail)
    assert both.get() == alone.get()


def test_Q4_log_loss_never_overflows():
    assert log_loss(-1, 1e300) == 1e300
    assert log_loss(+1, math.inf) == 0.0
    losses = Losses()
    losses.update(False, math.inf)
    assert losses.get()["log_loss"] == math.inf
    losses.revert(False, math.inf)
    losses.update(True, 0.0)
    assert losses.get()["log_loss"] == pytest.approx(math.log(2))


@given(st.integers(0, 500), st.integers(0, 500), st.floats(0.5, 0.999))
def test_P2_wilson_equals_scipy(k, more, confidence):
    n = k + more
    if n == 0:
        assert wilson(k, n, confidence) == (0.0, 1.0)
        return
    interval = binomtest(k, n).proportion_ci(confidence, method="wilson")
    assert wilson(k, n, confidence) == pytest.approx((interval.low, interval.high), abs=1e-9)


def test_lam_is_the_mean_on_the_logit_scale():
    def logit(p):
        return math.log(p / (1 - p))

    mean = (logit(3 / 200) + logit(7 / 90)) / 2
    assert lam_pct(3, 200, 7, 90) == pytest.approx(100 / (1 + math.exp(-mean)), abs=1e-12)
    assert lam_pct(0, 200, 7, 90) == 0.0
    assert lam_pct(200, 200, 7, 90) == 100.0
    assert lam_pct(200, 200, 0, 90) == 50.0
    assert lam_pct(0, 0, 7, 90) is None


@pytest.mark.parametrize(
    "call",
    [
        lambda: wilson(3, 2),
        lambda: wilson(-1, 2),
        lambda: wilson(1, 2, confidence=95),
        lambda: lam_pct(3, 2, 0, 1),
        lambda: losing_at_most(Ranking().roc(), 1.5),
        lambda: losing_at_most([], 0.5),
        lambda: least_cost([], 1, 1),
        lambda: least_cost(Ranking().roc(), -1, 1),
        lambda: Losses().revert(True, 1.0),
        lambda: Losses().update(True, math.nan),
    ],
)
def test_mistakes_are_named(call):
    with pytest.raises(ValueError, match=": "):
        call()
