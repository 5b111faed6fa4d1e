"""The margin and the runner-up of a mail."""

from __future__ import annotations

import pytest

from consumers.monitor.figures.joiner import ScoredMail
from consumers.monitor.mail_row import closest, mail_row
from consumers.records.schemas import PredictionRecord


def prediction(label: str | None, scores: dict[str, float], threshold: float = 0.0) -> PredictionRecord:
    others = [score for name, score in scores.items() if name != "spam"]
    odds = scores.get("spam", 0.0) - max(others, default=0.0)
    return PredictionRecord(
        "m", label, odds, 0.5, "spam", threshold, 5, scores, 1, 1, "emails", 0, 1, 0.0, 0.0
    )  # fmt: skip


@pytest.mark.parametrize(
    ("label", "scores", "threshold", "expected"),
    [
        ("spam", {"spam": 3.0, "ham": 1.0, "work": 0.0}, 0.0, (2.0, "ham")),
        ("spam", {"spam": 3.0, "ham": 1.0}, 0.5, (1.5, "ham")),
        ("ham", {"spam": 1.0, "ham": 3.0}, 0.0, (2.0, "spam")),
        ("ham", {"spam": 3.0, "ham": 1.0}, 2.5, (0.5, "spam")),
        ("work", {"spam": 0.0, "work": 3.0, "family": 2.75}, 0.0, (0.25, "family")),
        ("work", {"spam": 2.5, "work": 3.0, "family": 1.0}, 0.0, (0.5, "spam")),
        ("spam", {"spam": 4.0, "work": 3.0, "family": 1.0}, 0.0, (1.0, "work")),
        ("work", {"work": 3.0, "family": 1.0}, 0.0, (2.0, "family")),
        ("work", {"work": 3.0}, 0.0, (None, None)),
        ("unsure", {"spam": 3.0}, 0.0, (None, None)),
        ("unsure", {"spam": 1.0, "ham": 3.0}, 0.0, (2.0, "ham")),
        ("unsure", {"spam": 3.5, "ham": 3.0, "work": 1.0}, 0.0, (0.5, "spam")),
        ("unsure", {"spam": 3.5, "ham": 1.0, "work": 3.0}, 1.0, (0.5, "work")),
        ("unsure", {"work": 3.0, "family": 1.0}, 0.0, (None, None)),
        (None, {}, 0.0, (None, None)),
    ],
)
def test_margin_and_runner_up_are_those_of_the_closest_other_label(label, scores, threshold, expected):
    assert closest(prediction(label, scores, threshold)) == expected


def test_the_mails_that_were_drawn_for_the_audit_are_marked():
    scored = prediction("spam", {"spam": 3.0, "ham": 1.0})
    assert [mail_row(ScoredMail(scored, weight)).audit for weight in (0.0, 36.0)] == [False, True]
