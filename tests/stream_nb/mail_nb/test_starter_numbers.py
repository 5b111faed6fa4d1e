"""A starter's numbers and categories are those of a few messages, which are counted with the model's own."""

from __future__ import annotations

from random import Random

import pytest

from stream_nb import Mail, MailNB, Part
from stream_nb.mail_nb.starter import starter
from tests.support.trained import KEY

Rows = list[tuple[Mail, str]]
CLASSES = {"bee": 10.0, "elk": 20.0, "owl": 30.0}


def random_rows(seed: int, n: int, text: str = "") -> Rows:
    """Rows of three classes, determined by a number and, in part, by a category."""
    draw = Random(seed)
    rows: Rows = []
    for _ in range(n):
        label = draw.choice(sorted(CLASSES))
        features = (
            ("size", draw.gauss(CLASSES[label], 3.0)),
            ("noise", draw.gauss(5.0, 2.0)),
            ("kind", draw.choice(("a", label))),
        )
        rows.append((Mail((Part("", text.encode()),) if text else (), features=features), label))
    return rows


def starter_from(labelled_mails: Rows) -> MailNB:
    model = MailNB(key=KEY)
    model.learn_many([mail for mail, _ in labelled_mails], [label for _, label in labelled_mails])
    return starter(model)


def errors(model: MailNB, labelled_mails: Rows) -> int:
    model, wrong = model.copy(), 0
    for mail, label in labelled_mails:
        wrong += model.predict_one(mail) != label
        model.learn_one(mail, label)
    return wrong


def test_a_starter_has_the_weight_of_two_messages_of_each_class():
    start = starter_from(random_rows(1, 300))
    assert start.statistics.starter == (0, 3, 1.0) and start.labels_learned == 0
    assert set(start.classes) == set(CLASSES)
    for label, mean in CLASSES.items():
        size = start.statistics.numbers["size"][label]
        assert size.n == 2.0 and size.mean == pytest.approx(mean, abs=1.5) and size.std == pytest.approx(3.0, abs=1.0)
        assert sum(counts[label] for counts in start.statistics.categories["kind"].values()) == 2.0
    assert start.statistics.part_weights == pytest.approx((1 / 7, 1 / 7))  # the same as before the first label


def test_a_starter_halves_the_errors_on_the_first_rows_and_adds_few_later():
    start, mails = starter_from(random_rows(1, 300)), random_rows(2, 300)
    assert errors(start, mails[:40]) <= errors(MailNB(key=KEY), mails[:40]) // 2
    own, started = MailNB(key=KEY), start.copy()
    for mail, label in mails:
        own.learn_one(mail, label)
        started.learn_one(mail, label)
    later = random_rows(3, 300)
    assert errors(started, later) <= errors(own, later) + 2


def test_learned_rows_outweigh_a_starter_with_permuted_labels():
    other = [(mail, {"bee": "elk", "elk": "owl", "owl": "bee"}[label]) for mail, label in random_rows(1, 300)]
    start, mails = starter_from(other), random_rows(2, 200)
    for mail, label in mails[:60]:
        start.learn_one(mail, label)
    assert errors(start, mails[60:]) <= errors(MailNB(key=KEY), mails[60:])


def test_rows_learned_after_a_starter_and_the_starter_are_unlearned_exactly():
    start = starter_from(random_rows(1, 300))
    model, alone, updates = start.copy(), MailNB(key=KEY), []
    for mail, label in random_rows(2, 60):
        updates.append((mail, model.grade(mail, label, "me")))
        model.apply_update(*updates[-1])
        alone.apply_update(*updates[-1])
    without = model.copy()
    without.unmerge(start)
    assert without == alone
    joined = alone.copy()
    joined.merge(start)
    assert joined == model == MailNB.from_bytes(model.to_bytes())
    for mail, update in Random(0).sample(updates, len(updates)):
        model.revert_update(mail, update)
    assert model == start
    mail, label = random_rows(2, 1)[0]
    model.learn_one(mail, label)
    model.unlearn_one(mail, label)
    assert set(model.classes) == set(CLASSES)


def test_decay_does_not_change_the_starter():
    start = starter_from(random_rows(1, 300))
    model = start.copy()
    for mail, label in random_rows(2, 40):
        model.learn_one(mail, label)
    n = model.statistics.numbers["size"]["bee"].n
    model.decay(0.5)
    assert model.statistics.numbers["size"]["bee"].n == pytest.approx(2.0 + (n - 2.0) / 2)
    model.decay(0.0)
    assert model == start


def test_a_starter_of_a_model_with_a_starter_contains_only_what_was_learned():
    start, labelled_mails = starter_from(random_rows(1, 300)), random_rows(2, 300)
    model = start.copy()
    own = MailNB(key=KEY)
    for mail, label in labelled_mails:
        update = model.grade(mail, label)
        model.apply_update(mail, update)
        own.apply_update(mail, update)
    assert starter(model) == starter(own)
    assert starter(start) == MailNB(key=KEY)


def test_two_starters_are_merged_and_unmerged_exactly():
    first, second = starter_from(random_rows(1, 100)), starter_from(random_rows(2, 100))
    both = first.copy()
    both.merge(second)
    assert both.statistics.numbers["size"]["elk"].n == 4.0
    both.unmerge(first)
    assert both == second


def test_a_starter_of_numbers_hardly_changes_the_scores_of_words():
    numbers, texts = starter_from(random_rows(1, 100)), [("free money", "bee"), ("lunch at noon", "elk")]
    own, started = MailNB(key=KEY), numbers.copy()
    for text, label in texts:
        own.learn_one(text, label)
        started.learn_one(text, label)
    with_numbers, alone = started.class_scores("money at noon"), own.class_scores("money at noon")
    assert with_numbers["elk"] - with_numbers["bee"] == pytest.approx(alone["elk"] - alone["bee"], rel=0.2)
