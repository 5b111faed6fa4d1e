"""A stretch of a mail with many words of the positive class decides, if other words surround it."""

from __future__ import annotations

import math
from random import Random

import pytest

from stream_nb import Mail, MailNB, Part

SPAM = [f"offer{i}" for i in range(60)]
HAM = [f"meeting{i}" for i in range(400)]


def text(words, count, seed):
    draw = Random(seed)
    return " ".join(draw.choice(words) for _ in range(count))


def trained(**options):
    model = MailNB(**options)
    for seed in range(60):
        model.learn_one(text(HAM, 80, seed), "ham")
        model.learn_one(text(SPAM, 80, seed), "spam")
    return model


def test_ham_words_before_or_after_a_spam_text_do_not_hide_it():
    model = trained()
    spam, ham = text(SPAM, 150, 1000), text(HAM, 600, 1001)
    assert model.score(ham).log_odds < 0
    for mail in (spam, f"{spam} {ham}", f"{ham} {spam}"):
        assert model.score(mail).label == "spam"


def test_a_stretch_decides_only_for_the_positive_class():
    mail = f"{text(SPAM, 150, 1000)} {text(HAM, 600, 1001)}"
    assert trained(positive="spam").score(mail).label == "spam"
    assert trained(positive="ham").score(mail).label == "ham"
    assert trained(positive="another").score(mail).label == "ham"


def test_a_mail_that_is_spam_by_a_stretch_has_a_low_score():
    model = trained()
    spam = text(SPAM, 150, 1000)
    hidden = model.score(f"{spam} {text(HAM, 600, 1001)}").log_odds
    assert 0 < hidden < model.score(spam).log_odds / 4


def test_the_evidence_of_a_stretch_adds_up_and_has_weight_0_outside_it():
    model = trained()
    mail = f"{text(HAM, 600, 1001)} {text(SPAM, 150, 1000)}"
    evidence = model.evidence(mail)
    assert evidence.log_odds == pytest.approx(model.score(mail).log_odds, abs=1e-12)
    assert math.fsum([evidence.bias, *(term.weight for term in evidence.terms)]) == pytest.approx(
        evidence.log_odds, abs=1e-12
    )
    weights = {term.text: term.weight for term in evidence.terms}
    assert any(weights[word] > 0 for word in SPAM if word in weights)
    assert weights[mail.split()[0]] == 0


def test_counted_words_in_another_order_have_the_same_score():
    model = trained()
    counted = tuple((word, 1.0) for word in HAM)
    mail = Mail((Part("", text(SPAM, 150, 1000).encode()),), words=counted)
    reordered = Mail(mail.parts, words=counted[::-1])
    assert model.score(mail).log_odds == pytest.approx(model.score(reordered).log_odds, abs=1e-12)
    words = dict.fromkeys([*HAM, *SPAM], 1)
    assert model.score(words).log_odds == pytest.approx(model.score(dict(reversed(words.items()))).log_odds, abs=1e-12)
