"""Changed labels of a newsletter are followed quickly; contradictory labels of a list have little effect."""

from __future__ import annotations

import random

import pytest

from stream_nb import Mail, MailNB, Part

KEY = b"sixteen bytes or more"
OTHER = {"ham": "spam", "spam": "ham"}


def mail(draw: random.Random, kind: str, originator: str) -> Mail:
    """A mail with words of its kind and words common to all kinds."""
    words = [f"{kind}{int(draw.paretovariate(0.7)) % 200}" for _ in range(20)]
    words += [f"any{draw.randrange(300)}" for _ in range(15)]
    draw.shuffle(words)
    return Mail((Part("", " ".join(words).encode()),), originator=originator)


def trained_model(draw: random.Random, flips: float) -> MailNB:
    """A model that has learned ham, spam, and a newsletter as ham."""
    model = MailNB(KEY)
    for n in range(900):
        kind = ("ham", "spam", "news")[n % 3]
        label = "ham" if kind == "news" else kind
        originator = "news.example.org" if kind == "news" else f"{kind}{draw.randrange(40)}@example.org"
        model.learn_one(mail(draw, kind, originator), label if draw.random() >= flips else OTHER[label])
    return model


def errors_in_50(flips: float, originator: str, seed: int) -> int:
    """How many of the first 50 newsletters that are labelled spam are predicted as ham."""
    draw = random.Random(seed)
    model, wrong = trained_model(draw, flips), 0
    for _ in range(50):
        letter = mail(draw, "news", originator)
        wrong += model.predict_one(letter) == "ham"
        model.learn_one(letter, "spam" if draw.random() >= flips else "ham")
        for kind in ("ham", "spam"):
            model.learn_one(mail(draw, kind, f"{kind}{draw.randrange(40)}@example.org"), kind)
    return wrong


@pytest.mark.parametrize("flips", [0.0, 0.02])
@pytest.mark.parametrize("seed", range(3))
def test_a_newsletter_now_labelled_spam_is_relearned_within_20_mails(flips, seed):
    assert errors_in_50(flips, "news.example.org", seed) <= 20


def test_without_its_originator_a_newsletter_is_relearned_more_slowly():
    known = sum(errors_in_50(0.02, "news.example.org", seed) for seed in range(3))
    assert known < 0.6 * sum(errors_in_50(0.02, "", seed) for seed in range(3))


def lost_in_200(originator: str, seed: int) -> int:
    """How many of 200 ham mails of a new list, half of whose labels are wrong, are predicted as spam."""
    draw = random.Random(seed)
    model, lost = MailNB(KEY), 0
    for n in range(300):
        kind = ("ham", "spam")[n % 2]
        model.learn_one(mail(draw, kind, f"{kind}{draw.randrange(40)}@example.org"), kind)
    for _ in range(200):
        parts = mail(draw, "ham", "").parts + mail(draw, "news", "").parts
        letter = Mail(parts, originator=originator)
        lost += model.predict_one(letter) == "spam"
        model.learn_one(letter, draw.choice(["ham", "spam"]))
        for kind in ("ham", "spam"):
            model.learn_one(mail(draw, kind, f"{kind}{draw.randrange(40)}@example.org"), kind)
    return lost


def test_with_its_originator_less_ham_of_a_contradictorily_labelled_list_is_lost():
    lost = sum(lost_in_200("list.example.org", seed) for seed in range(6))
    assert lost < 0.7 * sum(lost_in_200("", seed) for seed in range(6))


def test_with_correct_labels_originators_hardly_change_the_accuracy():
    accuracy = []
    for originators in (True, False):
        draw, right = random.Random(4), 0
        model = MailNB(KEY)
        for n in range(900):
            kind = ("ham", "spam", "news")[n % 3]
            each = mail(draw, kind, f"{kind}{n % 40}@example.org" if originators else "")
            label = "ham" if kind == "news" else kind
            right += model.predict_one(each) == label
            model.learn_one(each, label)
        accuracy.append(right)
    assert accuracy[0] >= accuracy[1] - 1
