"""The estimated accuracy on unlabelled mail."""

from __future__ import annotations

import pytest

from consumers.monitor.estimate import estimate
from consumers.monitor.joiner import ScoredMail
from tests.consumers.monitor.stream import BEGIN, labelled_mail, prediction


def test_unlabelled_mails_are_expected_to_be_as_accurate_as_labelled_ones_of_their_stratum():
    sure = [labelled_mail(n, 9.0, correct=True) for n in range(98)]
    unsure = [labelled_mail(n, 0.1, correct=n % 2 == 0) for n in range(98)]
    unlabelled = [ScoredMail(prediction(n, 9.0, BEGIN), 0.0) for n in range(300)]
    unlabelled += [ScoredMail(prediction(n, 0.1, BEGIN), 0.0) for n in range(100)]
    found = estimate(sure + unsure + unlabelled)
    assert (found.labelled, found.unlabelled) == (196, 400)
    assert found.accuracy == pytest.approx((300 * 0.99 + 100 * 0.5) / 400)
    assert estimate([]).accuracy is None
    assert estimate(sure).accuracy is None


def test_there_is_no_estimate_from_labels_of_one_class():
    labelled = [labelled_mail(n, 9.0, correct=True) for n in range(98)]
    found = estimate([*labelled, ScoredMail(prediction(1, 9.0, BEGIN), 0.0)])
    assert (found.accuracy, found.labelled, found.unlabelled) == (None, 98, 1)
