"""The curves on the page: each point equals the result of a policy with its threshold."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consumers.monitor.figures.curves import UNSURE_BAND, make_curves
from consumers.monitor.figures.joiner import Outcome
from consumers.monitor.figures.windows import Windows
from stream_nb import Score
from stream_nb.mail_nb.decision import Policy

SCORES = st.lists(st.tuples(st.integers(-300, 300), st.booleans()), max_size=400)


def windows_of(scores: list[tuple[float, bool]]) -> Windows:
    windows = Windows("spam")
    for number, (score, positive) in enumerate(scores):
        windows.add(Outcome(str(number), "spam" if positive else "ham", "ham", score, 0.5, float(number)))
    return windows


def called_positive(scores: list[tuple[float, bool]], threshold: float) -> tuple[int, int]:
    """The numbers of positive and of other mails that the policy predicts to be positive."""
    called = [
        positive
        for score, positive in scores
        if Policy().decide(Score("ham", score, 0.5, {"spam": score, "ham": 0.0}, 0, 0), threshold) == "spam"
    ]
    return sum(called), len(called) - sum(called)


@given(SCORES, st.integers(-60, 60))
def test_each_point_equals_the_result_of_the_policy_at_its_threshold(scores, threshold):
    scores = [(score / 20, positive) for score, positive in scores]
    curves = make_curves(windows_of(scores).stats(), threshold / 7).windows
    for name, curve in curves.items():
        in_window = scores[-int(name) :] if name.isdigit() else scores
        for point in curve.roc:
            given = (point.true_positives, point.false_positives)
            assert given == called_positive(in_window, point.threshold), (name, point)
        assert curve.unsure == sum(abs(score - threshold / 7) < UNSURE_BAND for score, _ in in_window)


@pytest.mark.parametrize("mails", [0, 1, 5_000])
def test_a_curve_ends_with_all_mails_and_has_a_limited_number_of_points(mails):
    scores = [((number * 7919 % mails) / 100, number % 3 == 0) for number in range(mails)]
    curve = make_curves(windows_of(scores).stats(), 0.0).windows["10000"]
    assert len(curve.roc) == min(mails, 120)
    assert curve.positives + curve.negatives == mails
    if mails:
        last = curve.roc[-1]
        assert (last.true_positives, last.false_positives) == (curve.positives, curve.negatives)


def test_calibration_counts_the_mails_of_each_tenth_and_averages_their_probabilities():
    windows = Windows("spam")
    mails = [(0.0, False), (0.04, False), (0.05, True), (0.1, False), (0.5, True), (0.95, True), (1.0, True)]
    for number, (probability, positive) in enumerate(mails):
        windows.add(Outcome(str(number), "spam" if positive else "ham", "ham", 0.0, probability, float(number)))
    curves = make_curves(windows.stats(), 0.0).windows
    assert list(curves) == ["100", "1000", "10000", "start"]
    tenths = curves["100"].calibration
    counted = {n: (each.mails, each.positives) for n, each in enumerate(tenths) if each.mails}
    assert counted == {0: (3, 1), 1: (1, 0), 5: (1, 1), 9: (2, 2)}
    means = [each.mean_probability for each in tenths]
    assert means == pytest.approx([0.03, 0.1, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.975])
