"""Thresholds chosen on a ROC curve are optimal by their criterion."""

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stream_nb.metrics import Ranking, best_accuracy, least_cost, losing_at_most
from tests.stream_nb.metrics.ranked import ranked, scored


@given(scored, st.floats(0, 1), st.floats(0, 20), st.floats(0, 20))
@example([(-1.0, False), (0.0, True), (0.25, False), (0.5, True)], 1.0, 0.0, 1.0)
def test_Q3_chosen_thresholds_are_optimal_by_their_criterion(mails, max_fpr, fp_cost, fn_cost):
    points = ranked(mails).roc()
    negatives = sum(not y for _, y in mails)

    def errors(threshold):
        false_alarms = sum(s >= threshold and not y for s, y in mails)
        misses = sum(s < threshold and y for s, y in mails)
        return false_alarms, misses

    chosen = losing_at_most(points, max_fpr)
    assert errors(chosen.threshold)[0] <= max_fpr * negatives
    assert errors(chosen.threshold)[1] == min(
        errors(p.threshold)[1] for p in points if errors(p.threshold)[0] <= max_fpr * negatives
    )
    cheapest = least_cost(points, fp_cost, fn_cost)
    costs = [fp_cost * a + fn_cost * b for a, b in (errors(p.threshold) for p in points)]
    a, b = errors(cheapest.threshold)
    assert fp_cost * a + fn_cost * b == pytest.approx(min(costs))
    assert sum(errors(best_accuracy(points).threshold)) == min(sum(errors(p.threshold)) for p in points)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: losing_at_most(Ranking().roc(), 1.5), "max_fpr is 1.5"),
        (lambda: losing_at_most([], 0.5), "the curve has no points"),
        (lambda: least_cost([], 1, 1), "the curve has no points"),
        (lambda: least_cost(Ranking().roc(), -1, 1), "costs are -1 and 1"),
        (lambda: least_cost(Ranking().roc(), false_positive_cost=math.inf), "costs are inf and 1"),
        (lambda: least_cost(Ranking().roc(), false_negative_cost=math.nan), "costs are 1.0 and nan"),
        (lambda: least_cost(Ranking().roc(), false_negative_cost=math.inf), "costs are 1.0 and inf"),
    ],
)
def test_invalid_arguments_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
