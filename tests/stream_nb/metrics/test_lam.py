"""Logistic average misclassification."""

import math

import pytest

from stream_nb.metrics import lam_pct


def test_lam_is_the_mean_of_both_error_rates_on_the_logit_scale():
    def logit(p):
        return math.log(p / (1 - p))

    mean = (logit(3 / 200) + logit(7 / 90)) / 2
    assert lam_pct(3, 200, 7, 90) == pytest.approx(100 / (1 + math.exp(-mean)), abs=1e-12)
    assert lam_pct(0, 200, 7, 90) == 0.0
    assert lam_pct(200, 200, 7, 90) == 100.0
    assert lam_pct(200, 200, 0, 90) == 50.0
    assert lam_pct(0, 1, 0, 1) == 0.0
    assert lam_pct(0, 0, 7, 90) is lam_pct(3, 200, 0, 0) is None


def test_errors_below_0_and_more_errors_than_mails_are_refused():
    with pytest.raises(ValueError, match="false_positives is 3 of 2"):
        lam_pct(3, 2, 0, 1)
    with pytest.raises(ValueError, match="false_negatives is -1 of 2"):
        lam_pct(0, 1, -1, 2)
