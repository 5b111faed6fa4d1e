"""The parts of the monitor, each against what it promises."""

from __future__ import annotations

import random
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consumers.monitor.audit import Audit
from consumers.monitor.drift import Detectors
from consumers.monitor.estimate import estimate
from consumers.monitor.joiner import Outcome, ScoredMail
from consumers.monitor.label_sources import MAX_SOURCES, OTHERS, LabelSources
from consumers.monitor.traffic import Histogram, Rate, RecentDurations
from consumers.records.sanitize import INVISIBLE, show_safely
from consumers.records.schemas import LabelRecord
from tests.consumers.monitor.stream import BEGIN, prediction


def labelled_mail(number: int, log_odds: float, correct: bool, weight: float = 0.0) -> ScoredMail:
    mail = ScoredMail(prediction(number, log_odds, BEGIN), weight)
    predicted = mail.prediction.label
    mail.true_label = predicted if correct else "other"
    mail.outcome = Outcome(f"m{number}", mail.true_label, predicted, log_odds, 0.5, BEGIN)
    return mail


def test_drift_a_change_of_the_error_rate_is_found_with_its_size():
    draw, detectors = random.Random(1), Detectors()
    for number in range(4_000):
        rate = 0.05 if number < 2_000 else 0.40
        detectors.update("errors", float(draw.random() < rate), float(number))
    changes = [change for change in detectors.changes if change.signal == "errors"]
    assert len(changes) == 1
    assert 2_000 < changes[0].timestamp < 2_200
    assert changes[0].before == pytest.approx(0.05, abs=0.03)
    assert changes[0].after > 2 * changes[0].before


def test_drift_a_steady_stream_raises_no_alarm():
    draw, detectors = random.Random(2), Detectors()
    for number in range(5_000):
        detectors.update("errors", float(draw.random() < 0.1), float(number))
    assert not detectors.changes


def test_audit_draws_about_the_number_asked_for_and_weighs_by_the_inverse():
    audit = Audit(per_hour=100, salt=b"s" * 16)
    weights = [audit.weight(f"m{n}", float(n)) for n in range(3 * 3600)]
    hours = [sum(w > 0 for w in weights[start : start + 3600]) for start in (3600, 7200)]
    assert all(60 < drawn < 140 for drawn in hours)
    # Horvitz and Thompson: the weights of the drawn add up to about the number of all.
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


def test_audit_off_draws_nothing():
    audit = Audit(per_hour=0, salt=b"u" * 16)
    assert not any(audit.weight(f"m{n}", float(n)) for n in range(1_000))
    assert audit.view().accuracy is None


def test_estimate_carries_each_stratum_over():
    sure = [labelled_mail(n, 9.0, correct=True) for n in range(98)]
    unsure = [labelled_mail(n, 0.1, correct=n % 2 == 0) for n in range(98)]
    unlabelled = [ScoredMail(prediction(n, 9.0, BEGIN), 0.0) for n in range(300)]
    unlabelled += [ScoredMail(prediction(n, 0.1, BEGIN), 0.0) for n in range(100)]
    found = estimate(sure + unsure + unlabelled)
    assert (found.labelled, found.unlabelled) == (196, 400)
    assert found.accuracy == pytest.approx((300 * 0.99 + 100 * 0.5) / 400)
    assert estimate([]).accuracy is None
    assert estimate(sure).accuracy is None


def test_rate_counts_whole_seconds():
    rate = Rate()
    for number in range(50):
        rate.add(100.0 + number / 10)
    assert rate.per_s(105.0) == 10.0
    assert rate.per_s(110.0) == 5.0
    assert rate.per_s(200.0) == 0.0


@given(st.lists(st.floats(-5, 100)))
def test_histogram_counts_every_duration_once(durations):
    histogram = Histogram.of((0.1, 1.0, 10.0))
    for seconds in durations:
        histogram.add(seconds)
    assert sum(histogram.counts) == len(durations)
    for index, bound in enumerate(histogram.bounds):
        assert sum(histogram.counts[: index + 1]) == sum(seconds <= bound for seconds in durations)
    assert histogram.sum_s == pytest.approx(sum(max(0.0, seconds) for seconds in durations))


def test_quantiles_are_of_the_latest():
    durations = RecentDurations()
    assert durations.quantiles() is None
    for number in range(3_000):
        durations.add(float(number))
    found = durations.quantiles()
    assert (found.median_s, found.p95_s, found.p99_s) == pytest.approx((2499.5, 2949.05, 2989.01))


def test_sources_are_bounded():
    sources = LabelSources()
    for number in range(MAX_SOURCES + 50):
        sources.add(LabelRecord("m", "spam", f"bot {number}", 0.0), 1.0)
    assert len(sources.counts) == MAX_SOURCES + 1
    assert sources.counts[OTHERS].labels == 50


@given(st.text())
def test_shown_text_hides_nothing(text):
    import unicodedata

    shown = show_safely(text, 50)
    assert len(shown) <= 50 or "⟨U+" in shown
    assert not [c for c in shown if unicodedata.category(c) in INVISIBLE]


@given(st.text(string.ascii_letters + " äß漢", max_size=50))
def test_plain_text_is_shown_as_it_is(text):
    assert show_safely(text, 50) == text
