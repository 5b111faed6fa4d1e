"""Verdicts: the score agrees with the label, and each action starts at its configured score."""

import pytest

from consumers.filter.headers import FIELD_CHARS
from consumers.filter.verdict import ALMOST, REQUIRED, Verdict, scored_verdict, strongest_words, unscored_verdict
from consumers.records.schemas import PredictionRecord
from consumers.settings import FilterSettings
from stream_nb import MailNB


def verdict(
    label: str | None, log_odds: float, threshold: float = 0.0, words=(), scores=None, **settings: float
) -> Verdict:
    prediction = PredictionRecord(
        id="id",
        label=label,
        log_odds=log_odds,
        probability=0.5,
        positive="spam",
        threshold=threshold,
        labels_learned=9,
        scores=scores or {},
        known=1,
        unseen=1,
        topic="emails",
        partition=0,
        next_offset=1,
        arrived_at=0.0,
        scored_at=0.0,
    )
    return scored_verdict(prediction, words, FilterSettings(**settings))


@pytest.mark.parametrize(
    ("label", "log_odds", "threshold", "score"),
    [
        ("spam", 2.5, 0.0, 7.5),
        ("ham", -2.5, 0.0, 2.5),
        ("spam", 2.5, 1.0, 6.5),
        ("spam", 0.5, 1.0, REQUIRED),
        ("ham", 0.0, 0.0, ALMOST),
        ("ham", 3.0, 0.0, ALMOST),  # above the threshold, but not called spam, because losing a ham costs more
        ("unsure", 0.2, 0.0, ALMOST),
        ("unsure", -0.2, 0.0, 4.8),
        ("newsletters", -1.0, 0.0, 4.0),
        (None, 0.0, 0.0, 0.0),
    ],
)
def test_the_score_is_five_or_more_exactly_when_the_label_is_spam(label, log_odds, threshold, score):
    found = verdict(label, log_odds, threshold)

    assert found.score == pytest.approx(score)
    assert (found.score >= REQUIRED) == found.is_spam == (label == "spam")
    assert (found.action == "add header") == found.is_spam


def test_a_model_that_knows_only_spam_counts_as_untrained():
    alone, ham_alone, both = ({"spam": 0.0}, {"ham": 0.0}, {"spam": 1.0, "ham": 0.5})

    found = verdict("unsure", 0.0, scores=alone)
    assert (found.label, found.is_spam, found.action) == (None, False, "no action")
    assert found.symbol.name == "STREAM_NB_UNTRAINED" and "only spam" in found.symbol.description
    assert "nothing yet" in verdict(None, 0.0).symbol.description
    assert found.score == found.log_odds == found.symbol.score == 0.0
    assert verdict("ham", 0.0, scores=ham_alone).label == "ham"
    assert verdict("spam", 0.5, scores=both).is_spam


def test_the_action_is_the_strongest_whose_score_is_reached():
    actions = {"rewrite_subject": 6.0, "soft_reject": 7.0, "reject": 8.0}

    found = [verdict("spam", above, **actions).action for above in (0.5, 1.5, 2.5, 3.5)]

    assert found == ["add header", "rewrite subject", "soft reject", "reject"]


def test_rules_of_users_can_rely_on_the_form_of_the_fields():
    assert verdict("spam", 2.5, words=("win +0.52", "lunch -1.00")).fields == [
        ("X-Stream-NB", "spam; probability=0.5000; score=7.50"),
        ("X-Stream-NB-Id", "id"),
        ("X-Stream-NB-Words", "win +0.52, lunch -1.00"),
    ]
    unscored = unscored_verdict("id", "DEADLINE", "too late")
    assert unscored.fields[0] == ("X-Stream-NB", "STREAM_NB_DEADLINE; probability=0.5000; score=0.00")


def test_any_class_name_gives_a_valid_symbol_and_header_value():
    found = verdict("grüße: an\u202eAlle", -1.0, words=("wörd +0.10", "x" * 2_000))

    assert found.symbol.name == "STREAM_NB_GR_SSE_AN_ALLE"
    assert verdict(100 * "a", -1.0).symbol.name == "STREAM_NB_" + 40 * "A"
    for _, value in found.fields:
        assert value.isascii() and value.isprintable() and len(value) <= FIELD_CHARS


def test_an_unscored_mail_gets_no_action():
    found = unscored_verdict("", "DEADLINE", "too late")

    assert (found.action, found.is_spam, found.label) == ("no action", False, None)
    assert found.score == found.log_odds == found.symbol.score == 0.0
    assert [name for name, _ in found.fields] == ["X-Stream-NB"]


@pytest.mark.parametrize(("label", "log_odds"), [("spam", 2.5), ("ham", -2.5)])
def test_the_description_names_the_class_of_the_probability(label, log_odds):
    assert verdict(label, log_odds).symbol.description == f"{label}; probability of spam 0.5000; 9 labels learned"


@pytest.mark.parametrize(
    ("others", "strongest"), [(("ham",), "lunch -"), (("family", "work"), "lunch +")], ids=["two", "three"]
)
def test_of_three_classes_the_words_are_those_for_the_best_one(others, strongest):
    """Why a mail is not spam does not tell why it is from the family."""
    model = MailNB(positive="spam")
    for _ in range(3):
        model.learn_one("win money now", "spam")
        for label in others:
            model.learn_one({"ham": "lunch today", "family": "lunch today", "work": "minutes attached"}[label], label)

    assert strongest_words(model, "lunch lunch", 1)[0].startswith(strongest)
    assert strongest_words(model, "money", 1)[0].startswith("money +")
