"""Decay halves each feature's counts once a round."""

from __future__ import annotations

import math

import numpy as np

from stream_nb import MailNB
from stream_nb.features.decay import halves
from stream_nb.kernels.layout import MailTotal
from stream_nb.mail_nb.vocabulary import strongest

KEY = b"sixteen bytes or more"


def trained_model() -> MailNB:
    model = MailNB(KEY)
    for n in range(40):
        model.learn_one(" ".join(f"w{(n * i) % 97}" for i in range(30)), "abc"[n % 3])
    return model


def test_halving_each_part_halves_every_counter_once_rounding_towards_0():
    model = trained_model()
    table = model._counts.table
    before = table.counts.astype(np.int64)
    after = before.copy()
    rows, sizes = [], []
    for part in range(7):
        found = halves(table, part, 7)
        rows += found.rows.tolist()
        sizes.append(len(found.rows))
        after[found.rows] -= found.amounts
    assert sorted(rows) == np.flatnonzero(before.any(axis=1)).tolist()
    assert min(sizes) > len(rows) / 20
    assert np.array_equal(after, np.sign(before) * (np.abs(before) // 2))


def test_repeated_halving_empties_a_model():
    model = trained_model()
    for _ in range(12):
        for part in range(4):
            model.apply_changes(model.halves(part, 4))
    assert model.features == 0


def test_halving_and_concurrent_learning_give_the_same_model_in_any_order():
    model, other = trained_model(), trained_model()
    recorder = other.recorder()
    recorder.learn("w1 w2 and something else", "b")
    halved, update = model.halves(0, 1), recorder.take()
    model.apply_changes(halved)
    model.apply_changes(update)
    other.apply_changes(halved)
    assert model == other


def test_counts_made_negative_by_unlearning_after_decay_read_as_0():
    model = MailNB(KEY)
    update = model.grade("win money now", "spam")
    model.apply_update("win money now", update)
    model.learn_one("lunch at noon", "ham")
    model.apply_changes(model.halves(0, 1))
    model.revert_update("win money now", update)
    assert model.evidence("money").terms[0].counts == {"spam": 0.0, "ham": 0.0}


def test_other_classes_are_predicted_after_a_class_was_unlearned_after_decay():
    model, unlearned = MailNB(KEY), []
    for n in range(60):
        text, label = ((f"money {n}", "spam"), (f"lunch {n}", "ham"), (f"invoice {n}", "work"))[n % 3]
        update = model.grade(text, label)
        model.apply_update(text, update)
        unlearned += [(text, update)] if label == "ham" else []
    for _ in range(2):
        model.apply_changes(model.halves(0, 1))
    for text, update in unlearned:
        model.revert_update(text, update)
    assert model.predict_one("money") == "spam" and model.predict_one("invoice") == "work"
    assert all(map(math.isfinite, model.class_scores("money for lunch").values()))
    assert min(model.statistics.sums()) == 0.0
    assert all(math.isfinite(term.weight) for label in model.classes for term in strongest(model, label))
    model.learn_one("invoice for lunch", "ham")


def test_decay_halves_what_corrections_took_from_a_class():
    model = MailNB(KEY)
    for n in range(300):
        model.learn_one(f"lunch with w{n % 50}", "ham" if n < 200 else "spam")
    taken = model._counts.totals[:, MailTotal.TAKEN].copy()
    for part in range(64):
        model.apply_changes(model.halves(part, 64))
    left = model._counts.totals[:, MailTotal.TAKEN]
    assert max(taken) > 1000 and np.allclose(left, taken / 2, rtol=0.1, atol=10)
