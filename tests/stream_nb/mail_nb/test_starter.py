"""What another model has learned, made small enough to start from."""

from __future__ import annotations

import math
from random import Random

import pytest

from stream_nb import Mail, MailNB, Part
from stream_nb.mail_nb.starter import starter
from tests.support.trained import KEY, trained


def texts(seed: int, mails: int) -> list[tuple[str, str]]:
    """Mails whose words, 40 of each class and 40 of both, tell their class; half are spam."""
    draw = Random(seed)
    made: list[tuple[str, str]] = []
    for number in range(mails):
        label = ("ham", "spam")[number % 2]
        words = [f"{draw.choice((label, 'both'))}{draw.randrange(40)}" for _ in range(6)]
        made.append((" ".join(words), label))
    return made


def counts(model: MailNB) -> dict[str, list[float]]:
    statistics = model.statistics
    return {statistics.text(i): row for i, row in enumerate(statistics.counts().tolist()) if any(row)}


def test_a_feature_of_n_mails_counts_the_third_root_of_n_in_its_classes_shares():
    model = trained(MailNB(key=KEY, band=math.inf, trust=False), [("free", "spam")] * 6 + [("free lunch", "ham")] * 2)
    before = model.to_bytes()
    start = starter(model)

    found = counts(start)
    assert found.keys() == {"free", "lunch", "free lunch"}
    assert found["free"] == pytest.approx([0.3 * 2 * 6 / 8, 0.3 * 2 * 2 / 8], abs=1 / 256)
    assert found["lunch"] == found["free lunch"] == pytest.approx([0.0, 0.3 * 2 ** (1 / 3)], abs=1 / 256)
    assert start.statistics.sums() == pytest.approx([sum(row[c] for row in found.values()) for c in range(2)])
    assert start.labels_learned == 0 and start.statistics.sources == {}
    assert start.features == 3 and start.options() == model.options()
    assert model.to_bytes() == before


def test_labels_on_top_of_a_starter_are_taken_back_exactly_and_so_is_the_starter():
    start = starter(trained(MailNB(key=KEY), texts(1, 100)))
    model, alone, updates = start.copy(), MailNB(key=KEY), []
    for text, label in texts(2, 40):
        updates.append((text, model.grade(text, label, "me")))
        model.apply_update(*updates[-1])
        alone.apply_update(*updates[-1])

    without = model.copy()
    without.unmerge(start)
    assert without == alone
    for text, update in Random(0).sample(updates, len(updates)):
        model.revert_update(text, update)
    assert model == start


def test_a_starter_does_not_depend_on_the_order_of_learning():
    mails, model, other = texts(3, 60), MailNB(key=KEY), MailNB(key=KEY)
    updates = [(text, model.grade(text, label)) for text, label in mails]
    for text, update in updates:
        model.apply_update(text, update)
    for text, update in reversed(updates):
        other.apply_update(text, update)
    assert starter(model) == starter(other)


def test_what_is_below_nothing_and_what_is_no_word_stays_out():
    model = MailNB(key=KEY)
    mail = Mail((Part("", b"free"),), features=(("size", 3.0), ("kind", "a")))
    model.learn_one(mail, "spam")
    model.learn_one("lunch", "ham")
    model.revert_update("lunch", model.grade("lunch", "spam"))  # never applied: spam has less than no lunch

    start = starter(model)
    assert {term.text: term.counts for term in start.evidence("free lunch").terms if term.kind == "word"} == {
        "free": {"spam": pytest.approx(0.3, abs=1 / 256), "ham": 0.0},
        "lunch": {"spam": 0.0, "ham": pytest.approx(0.3, abs=1 / 256)},
    }
    assert start.score(mail).unseen == 2  # size and kind


def test_a_starter_of_nothing_is_nothing():
    assert starter(MailNB(key=KEY)) == MailNB(key=KEY)


def test_the_first_mails_are_right_more_often_and_contrary_labels_win_in_the_end():
    start = starter(trained(MailNB(key=KEY), texts(4, 400)))
    mails = texts(5, 200)

    def wrong(given, model: MailNB) -> int:
        scores = model.score_then_learn([text for text, _ in mails], given)
        return sum((score > 0) != (label == "spam") for score, label in zip(scores, given, strict=True))

    labels = [label for _, label in mails]
    assert wrong(labels[:], start.copy()) <= wrong(labels[:], MailNB(key=KEY)) // 2
    contrary = ["ham" if label == "spam" else "spam" for label in labels]
    model = start.copy()
    wrong(contrary, model)
    assert [model.predict_one(text) for text, _ in mails[-40:]] == contrary[-40:]
