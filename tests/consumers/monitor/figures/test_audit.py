"""The audit: a random sample of mails, over which unreported errors count, too."""

from __future__ import annotations

import random

import pytest

from consumers.monitor.figures import audit as audit_module
from consumers.monitor.figures.audit import Audit
from stream_nb.metrics import wilson
from tests.support.monitor_stream import labelled_mail


def test_audit_draws_about_the_number_asked_for_and_weighs_by_the_inverse():
    audit = Audit(per_hour=100, salt=b"s" * 16)
    weights = [audit.weight(f"m{n}", float(n)) for n in range(3 * 3600)]
    hours = [sum(w > 0 for w in weights[start : start + 3600]) for start in (3600, 7200)]
    assert all(60 < drawn < 140 for drawn in hours)
    # Horvitz and Thompson: the weights of the drawn mails add up to about the number of all mails.
    assert sum(weights[3600:]) == pytest.approx(7200, rel=0.25)
    assert all(w == 0 or w == pytest.approx(36.0, rel=0.02) for w in weights[3600:])


def test_audit_removes_the_bias_of_reported_errors():
    draw, audit = random.Random(3), Audit(per_hour=400, salt=b"t" * 16)
    reported = []
    for number in range(2 * 3600):
        right = draw.random() < 0.9
        mail = labelled_mail(number, 1.0, right, audit.weight(f"m{number}", float(number)))
        if mail.audit_weight:
            audit.add(mail)
        elif not right or draw.random() < 0.05:
            reported.append(right)
    view = audit.view()
    assert sum(reported) / len(reported) < 0.5
    assert view.accuracy_low < 0.9 < view.accuracy_high
    assert view.accuracy == pytest.approx(0.9, abs=0.05)
    assert view.drawn == view.labelled


def test_the_interval_is_wilsons_with_kishs_effective_sample_size():
    audit = Audit(per_hour=1, salt=b"t" * 16)
    unlabelled = labelled_mail(40, 1.0, True, 9.0)
    unlabelled.outcome = None
    for number in range(40):
        audit.add(labelled_mail(number, 1.0, correct=number < 30, weight=1.0 if number < 30 else 2.0))
    audit.add(unlabelled)
    view = audit.view()
    assert (view.drawn, view.labelled, view.accuracy) == (41, 40, 0.6)
    assert (view.accuracy_low, view.accuracy_high) == wilson(22, 36)  # 50^2 / (30 + 10 * 2^2) = 35.7 mails


def test_with_audit_off_nothing_is_drawn():
    audit = Audit(per_hour=0, salt=b"u" * 16)
    assert not any(audit.weight(f"m{n}", float(n)) for n in range(1_000))
    view = audit.view()
    assert (view.accuracy, view.accuracy_low, view.accuracy_high) == (None, 0.0, 1.0)


def test_each_mail_that_is_kept_has_a_slot_of_its_own(monkeypatch):
    monkeypatch.setattr(audit_module, "MAX_DRAWN", 3)
    audit, mails = Audit(per_hour=1, salt=b"v" * 16), [labelled_mail(n, 1.0, True, 1.0) for n in range(5)]
    for mail in mails:
        audit.add(mail)
    assert [mail.audit_slot for mail in mails] == [None, None, 2, 0, 1]
    assert audit.view().drawn == 3


def test_in_the_first_hour_the_number_of_mails_in_an_hour_follows_from_the_rate_so_far():
    audit = Audit(per_hour=36, salt=b"salt")
    weights = [audit.weight(f"m{number}", float(number)) for number in range(3_000)]
    drawn = [weight for weight in weights[60:] if weight]
    assert len(drawn) > 10
    assert drawn == pytest.approx([100.0] * len(drawn), rel=1e-3)


def test_after_an_hour_the_rate_is_that_of_the_past_hour():
    audit = Audit(per_hour=100, salt=b"w" * 16)
    for second in range(3_600):
        audit.weight(f"m{second}", float(second))
    later = [audit.weight(f"n{number}", 7_200.0 + 36.0 * number) for number in range(200)]
    assert later == [1.0] * 200
