"""The preview of another policy, compared with decisions of a worker."""

from __future__ import annotations

import random

import msgspec
import pytest

from consumers.errors import UserError
from consumers.monitor.policy_preview import preview_policy
from consumers.monitor.search import LabelledMail
from consumers.records.policy import PolicyValues
from consumers.settings import LearnerSettings
from stream_nb import MailNB
from stream_nb.metrics import share_at_most
from tests.support.monitor_stream import prediction

LEARNER = LearnerSettings()


def mail(number: int, label: str | None, log_odds: float, truth: str, other: str | None = "ham") -> LabelledMail:
    scores = {} if other is None else {"spam": log_odds, other: 0.0}
    scored = msgspec.structs.replace(prediction(number, log_odds, float(number)), label=label, scores=scores)
    return LabelledMail(scored, truth)


def preview(values: PolicyValues, mails: list[LabelledMail], learner: LearnerSettings = LEARNER):
    return preview_policy(values, learner, MailNB(), mails)


def test_mails_of_six_classes_are_relabelled_with_the_new_cut():
    mails = [
        mail(0, "spam", 3.0, "spam"),
        mail(1, "spam", 1.0, "lists", other="lists"),
        mail(2, "news", -2.0, "news", other="news"),
        mail(3, "work", -0.5, "spam", other="work"),
        mail(4, None, 0.0, "ham", other=None),
    ]
    found = preview(PolicyValues(threshold=2.0), mails)
    assert (found.mails, found.since, found.threshold, found.changed) == (5, mails[0].prediction.arrived_at, 2.0, 1)
    assert (found.before.correct, found.before.wrong, found.before.lost) == (2, 3, 1)
    assert (found.after.correct, found.after.wrong, found.after.lost) == (3, 2, 0)
    assert (found.before.lost_at_most, found.after.lost_at_most) == (share_at_most(1, 3), share_at_most(0, 3))
    assert found.after.confusion["lists"] == {"lists": 1}
    assert found.after.confusion["ham"] == {"(none)": 1}
    unsure = preview(PolicyValues(unsure=0.75), mails)
    assert (unsure.after.unsure, unsure.after.wrong) == (1, 2)
    assert unsure.after.confusion["spam"] == {"spam": 1, "unsure": 1}


def test_the_current_policy_changes_nothing_and_the_counts_add_up():
    rng = random.Random(5)
    mails = []
    for number in range(1_000):
        log_odds = rng.gauss(0.0, 3.0)
        mails.append(mail(number, "spam" if log_odds > 0 else "ham", log_odds, rng.choice(["spam", "ham"])))
    found = preview(PolicyValues(), mails)
    assert (found.changed, found.mails, found.since) == (0, 1_000, mails[0].prediction.arrived_at)
    assert found.before == found.after
    for counts in (found.before, preview(PolicyValues(threshold=1.0, unsure=0.5), mails).after):
        assert counts.correct + counts.wrong + counts.unsure == found.mails
        assert sum(n for each in counts.confusion.values() for n in each.values()) == found.mails


def test_a_mail_scored_before_the_positive_class_was_known_keeps_its_label():
    """Its log-odds are 0, because there was nothing to compare."""
    scored = msgspec.structs.replace(prediction(0, 0.0, 9.0), label="work", scores={"work": 2.0, "family": -2.0})
    for values in (PolicyValues(threshold=-1.0), PolicyValues(unsure=1.0), PolicyValues(false_positive_cost=0.5)):
        found = preview(values, [LabelledMail(scored, "work")])
        assert (found.changed, found.after.correct) == (0, 1)


def test_mails_scored_for_another_positive_class_are_decided_by_their_scores():
    """The setting has changed since."""
    mails = [mail(number, label, odds, label) for number, (label, odds) in enumerate((("spam", 3.0), ("ham", -5.0)))]
    ham = LearnerSettings(positive="ham")
    assert preview(PolicyValues(), mails, ham).after.confusion == {"spam": {"spam": 1}, "ham": {"ham": 1}}
    assert preview(PolicyValues(threshold=6.0), mails, ham).after.confusion["ham"] == {"spam": 1}


def test_without_labelled_mails_the_preview_is_empty():
    found = preview(PolicyValues(), [])
    assert (found.mails, found.since, found.before.confusion) == (0, None, {})
    assert found.before.lost_at_most == 1.0


def test_a_policy_that_contradicts_itself_is_refused():
    with pytest.raises(UserError, match="exclude each other"):
        preview(PolicyValues(lose_at_most=0.1, false_positive_cost=2.0), [])
