"""The preview of another policy, compared with decisions of a worker."""

from __future__ import annotations

import random

import pytest

from consumers.errors import UserError
from consumers.monitor.mail_row import MailRow
from consumers.monitor.policy_preview import PREVIEW_MAILS, preview_policy
from consumers.records.messages import MailPlace
from consumers.records.policy import PolicyValues
from consumers.settings import LearnerSettings
from stream_nb import MailNB
from stream_nb.metrics import share_at_most

LEARNER = LearnerSettings()


def row(number: int, label: str | None, log_odds: float, truth: str | None, other: str | None = "ham") -> MailRow:
    return MailRow(
        place=MailPlace(0, number),
        id=f"m{number}",
        subject="",
        sender="",
        label=label,
        log_odds=log_odds,
        probability=1 / (1 + 2.718281828459045**-log_odds),
        threshold=0.0,
        best_other=other,
        labels_learned=0,
        arrived_at=float(number),
        true_label=truth,
        source="",
        labelled_at=0.0,
        learned_label=None,
        learned_at=0.0,
        audit=False,
        margin=None,
        runner_up=None,
    )


def preview(values: PolicyValues, rows: list[MailRow]):
    return preview_policy(values, LEARNER, MailNB(), rows)


def test_mails_of_six_classes_are_relabelled_with_the_new_cut():
    rows = [
        row(0, "spam", 3.0, "spam"),
        row(1, "spam", 1.0, "lists", other="lists"),
        row(2, "news", -2.0, "news", other="news"),
        row(3, "work", -0.5, "spam", other="work"),
        row(4, None, 0.0, "ham", other=None),
        row(5, "spam", 9.0, None),
    ]
    found = preview(PolicyValues(threshold=2.0), rows)
    assert (found.mails, found.since, found.threshold, found.changed) == (5, 0.0, 2.0, 1)
    assert (found.before.correct, found.before.wrong, found.before.missed, found.before.lost) == (2, 3, 1, 1)
    assert (found.after.correct, found.after.wrong, found.after.missed, found.after.lost) == (3, 2, 1, 0)
    assert (found.before.lost_at_most, found.after.lost_at_most) == (share_at_most(1, 3), share_at_most(0, 3))
    assert found.after.confusion["lists"] == {"lists": 1}
    assert found.after.confusion["ham"] == {"(none)": 1}
    unsure = preview(PolicyValues(unsure=0.75), rows)
    assert (unsure.after.unsure, unsure.after.wrong) == (1, 2)
    assert unsure.after.confusion["spam"] == {"spam": 1, "unsure": 1}


def test_the_current_policy_changes_nothing_and_the_counts_add_up():
    rng = random.Random(5)
    rows = []
    for number in range(1_500):
        log_odds = rng.gauss(0.0, 3.0)
        rows.append(row(number, "spam" if log_odds > 0 else "ham", log_odds, rng.choice(["spam", "ham", None])))
    found = preview(PolicyValues(), rows)
    labelled = [each for each in rows if each.true_label][-PREVIEW_MAILS:]
    assert (found.changed, found.mails, found.since) == (0, len(labelled), labelled[0].arrived_at)
    assert found.before == found.after
    for counts in (found.before, preview(PolicyValues(threshold=1.0, unsure=0.5), rows).after):
        assert counts.correct + counts.wrong + counts.unsure == found.mails
        assert sum(n for each in counts.confusion.values() for n in each.values()) == found.mails


def test_without_labelled_mails_the_preview_is_empty():
    found = preview(PolicyValues(), [row(0, "spam", 1.0, None)])
    assert (found.mails, found.since, found.before.confusion) == (0, None, {})
    assert found.before.lost_at_most == 1.0


def test_a_policy_that_contradicts_itself_is_refused():
    with pytest.raises(UserError, match="exclude each other"):
        preview(PolicyValues(lose_at_most=0.1, false_positive_cost=2.0), [])
