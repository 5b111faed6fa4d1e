"""The score predicted for a new label is the score once it is learned, for any class."""

from __future__ import annotations

import pytest

from consumers.explain.what_if import WhatIf
from stream_nb import MailNB
from stream_nb.mail_nb.decision import Policy
from stream_nb.posterior import margin

WORDS = {"spam": "cheap pills winner money casino offer", "ham": "meeting minutes lunch project review draft"}
MAIL = "cheap pills winner meeting"


@pytest.mark.parametrize("learned", [True, False])
@pytest.mark.parametrize("label", ["ham", "spam", "work"])
@pytest.mark.parametrize("about", [None, "ham", "spam"])
def test_the_predicted_log_odds_after_a_label_are_exact_and_the_model_is_unchanged(learned, label, about):
    model = MailNB(b"k" * 16, positive="work")
    for number in range(12):
        name = list(WORDS)[number % 2]
        model.learn_one(WORDS[name], name)
        model.learn_one(WORDS[name], "ham", "me")  # often wrong, so that its labels count less
    update = model.grade(MAIL, "spam", source="me") if learned else None
    if update is not None:
        model.apply_update(MAIL, update)
    before = model.to_bytes()
    what_if = WhatIf(model)
    for other in ("ham", "spam"):  # each label is tried as if it were the first
        what_if.log_odds_with_label(MAIL, update, other, "you")
    predicted = what_if.log_odds_with_label(MAIL, update, label, "me", about)
    assert model.to_bytes() == before

    if update is not None:
        model.revert_update(MAIL, update)
    model.learn_one(MAIL, label, source="me")
    score = model.score(MAIL)
    assert predicted == pytest.approx(score.log_odds if about is None else margin(score.scores, about), abs=1e-9)
    assert predicted != 0.0 or about is None


def test_each_mail_is_classified_without_its_own_update_and_then_all_is_as_before():
    model, mails = MailNB(), []
    for mail, label in (("alpha", "ham"), ("beta", "ham"), ("gamma", "ham"), ("delta", "spam")):
        mails.append((mail, label, model.grade(mail, label)))
        model.apply_update(mail, mails[-1][2])
    what_if = WhatIf(model)
    before = what_if.log_odds_with_label("alpha delta", None, "spam", "me")

    assert what_if.hits_by_smoothing(mails, (0.01, 3.0), Policy()) == {0.01: 3, 3.0: 3}, "delta is unknown by itself"
    assert what_if.log_odds_with_label("alpha delta", None, "spam", "me") == before
