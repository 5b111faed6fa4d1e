"""A mind that changes about a newsletter is believed soon; labels that differ about a list say little."""

from __future__ import annotations

import random

import pytest

from stream_nb import Mail, MailNB, Part

KEY = b"sixteen bytes or more"
OTHER = {"ham": "spam", "spam": "ham"}


def mail(draw: random.Random, kind: str, originator: str) -> Mail:
    """A mail with words of its kind and of all mail."""
    words = [f"{kind}{int(draw.paretovariate(0.7)) % 200}" for _ in range(20)]
    words += [f"any{draw.randrange(300)}" for _ in range(15)]
    draw.shuffle(words)
    return Mail((Part("", " ".join(words).encode()),), originator=originator)


def taught(draw: random.Random, flips: float) -> MailNB:
    """A model that knows ham, spam, and a newsletter that is ham."""
    model = MailNB(KEY)
    for n in range(900):
        kind = ("ham", "spam", "news")[n % 3]
        label = "ham" if kind == "news" else kind
        originator = "news.example.org" if kind == "news" else f"{kind}{draw.randrange(40)}@example.org"
        model.learn_one(mail(draw, kind, originator), label if draw.random() >= flips else OTHER[label])
    return model


def wrong_of_50(flips: float, originator: str, seed: int) -> int:
    """Of the first 50 newsletters after their reader has called them spam, how many are called ham."""
    draw = random.Random(seed)
    model, wrong = taught(draw, flips), 0
    for _ in range(50):
        letter = mail(draw, "news", originator)
        wrong += model.predict_one(letter) == "ham"
        model.learn_one(letter, "spam" if draw.random() >= flips else "ham")
        for kind in ("ham", "spam"):
            model.learn_one(mail(draw, kind, f"{kind}{draw.randrange(40)}@example.org"), kind)
    return wrong


@pytest.mark.parametrize("flips", [0.0, 0.02])
@pytest.mark.parametrize("seed", range(3))
def test_a_changed_mind_takes_at_most_20_mails(flips, seed):
    assert wrong_of_50(flips, "news.example.org", seed) <= 20


def test_where_the_originator_is_not_known_it_takes_longer():
    known = sum(wrong_of_50(0.02, "news.example.org", seed) for seed in range(3))
    assert known < 0.6 * sum(wrong_of_50(0.02, "", seed) for seed in range(3))


def lost_of_200(originator: str, seed: int) -> int:
    """Of 200 hams of a new list, half of whose labels are wrong, how many are called spam."""
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


def test_of_a_list_whose_labels_differ_less_is_lost():
    lost = sum(lost_of_200("list.example.org", seed) for seed in range(6))
    assert lost < 0.7 * sum(lost_of_200("", seed) for seed in range(6))


def test_right_labels_cost_nothing():
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
