"""The score predicted for after a label is the score after it, also for a class other than the positive one."""

from __future__ import annotations

import pytest

from consumers.model.what_if import WhatIf
from stream_nb import MailNB
from stream_nb.posterior import margin

WORDS = {"spam": "cheap pills winner money casino offer", "ham": "meeting minutes lunch project review draft"}
MAIL = "cheap pills winner meeting"


@pytest.mark.parametrize("learned", [True, False])
@pytest.mark.parametrize("label", ["ham", "spam", "work"])
@pytest.mark.parametrize("about", [None, "ham", "spam"])
def test_a_promise_is_kept_and_the_model_stays_as_it_is(learned, label, about):
    model = MailNB(b"k" * 16, positive="work")
    for number in range(12):
        name = list(WORDS)[number % 2]
        model.learn_one(WORDS[name], name)
    update = model.grade(MAIL, "spam", source="me") if learned else None
    if update is not None:
        model.apply_update(MAIL, update)
    before = model.to_bytes()
    promised = WhatIf(model).log_odds_with_label(MAIL, update, label, "me", about)
    assert model.to_bytes() == before

    if update is not None:
        model.revert_update(MAIL, update)
    model.learn_one(MAIL, label, source="me")
    score = model.score(MAIL)
    assert promised == pytest.approx(score.log_odds if about is None else margin(score.scores, about), abs=1e-9)
    assert promised != 0.0 or about is None
