"""The estimated accuracy on unlabelled mail."""

from __future__ import annotations

import msgspec
import pytest

from consumers.monitor.figures.estimate import estimate
from consumers.monitor.figures.joiner import Outcome, ScoredMail
from tests.support.monitor_stream import BEGIN, labelled_mail, prediction


def test_unlabelled_mails_are_expected_to_be_as_accurate_as_labelled_ones_of_their_stratum():
    sure = [labelled_mail(n, 9.0, correct=True) for n in range(98)]
    unsure = [labelled_mail(n, 0.1, correct=n % 2 == 0) for n in range(98)]
    unlabelled = [ScoredMail(prediction(n, 9.0, BEGIN), 0.0) for n in range(300)]
    unlabelled += [ScoredMail(prediction(n, 0.1, BEGIN), 0.0) for n in range(100)]
    found = estimate(sure + unsure + unlabelled)
    assert (found.labelled, found.unlabelled) == (196, 400)
    assert found.accuracy == pytest.approx((300 * 0.99 + 100 * 0.5) / 400)
    assert estimate([]).accuracy is None
    assert estimate(sure).accuracy is estimate(sure + unsure).accuracy is None


def test_there_is_no_estimate_from_labels_of_one_class():
    labelled = [labelled_mail(n, 9.0, correct=True) for n in range(98)]
    found = estimate([*labelled, ScoredMail(prediction(1, 9.0, BEGIN), 0.0)])
    assert (found.accuracy, found.labelled, found.unlabelled) == (None, 98, 1)


@pytest.mark.parametrize("label", [None, "unsure"])
def test_mails_without_a_predicted_class_are_not_expected_to_be_correct(label):
    """They arrived before the first label, or near the threshold: however accurate later mails are, these are not."""
    sure = [labelled_mail(n, 0.1, correct=True) for n in range(98)]
    wrong = [labelled_mail(n, 0.1, correct=False) for n in range(2)]
    early = [ScoredMail(msgspec.structs.replace(prediction(n, 0.0, BEGIN), label=label), 0.0) for n in range(50)]
    assert estimate(sure + wrong + early).accuracy == 0.0


def mail_of_three_classes(number: int, lead: float, true_label: str | None = None) -> ScoredMail:
    """A mail that is surely not spam, and work rather than family by `lead` in log-odds."""
    scored = msgspec.structs.replace(
        prediction(number, -9.0, BEGIN), label="work", scores={"spam": -9.0, "work": 0.0, "family": -lead}
    )
    mail = ScoredMail(scored, 0.0)
    if true_label is not None:
        mail.outcome = Outcome(f"m{number}", true_label, "work", -9.0, 0.0, BEGIN)
    return mail


def test_mail_is_as_sure_as_its_class_leads_the_next_one_not_as_it_differs_from_the_positive_class():
    """Only the doubtful mails are labelled, and half of their predictions are wrong; the others are sure."""
    doubtful = [mail_of_three_classes(n, 0.1, ("work", "family")[n % 2]) for n in range(98)]
    sure = [mail_of_three_classes(n, 9.0, "work") for n in range(98)]
    unlabelled = [mail_of_three_classes(n, 9.0) for n in range(400)]
    assert estimate(doubtful + sure[:8] + unlabelled).accuracy == pytest.approx(0.9)


def test_the_stratum_of_a_mail_is_computed_only_once(monkeypatch):
    """The monitor estimates each second, over ten thousand mails."""
    mails = [labelled_mail(0, 9.0, correct=True), ScoredMail(prediction(1, 0.1, BEGIN), 0.0)]
    found = estimate(mails)
    monkeypatch.setattr("consumers.monitor.figures.estimate.closest", lambda mail: pytest.fail("computed again"))
    assert estimate(mails) == found


def test_a_mail_scored_with_one_class_counts_as_close_and_one_without_any_as_wrong():
    mails = [labelled_mail(n, 0.1, correct=n % 2 == 0) for n in range(98)]
    mails += [labelled_mail(n, 9.0, correct=True) for n in range(98)]
    for label, scores, accuracy in ((None, {}, 0.0), ("ham", {"ham": 0.0}, 0.5)):
        scored = msgspec.structs.replace(prediction(1, 0.0, BEGIN), label=label, scores=scores)
        assert estimate([*mails, ScoredMail(scored, 0.0)]).accuracy == pytest.approx(accuracy)
