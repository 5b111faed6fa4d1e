"""Each feature loses half, once a round, and nothing is left in the end."""

from __future__ import annotations

import math

import numpy as np

from stream_nb import MailNB
from stream_nb.features.decay import halves
from stream_nb.kernels.layout import MailTotal
from stream_nb.mail_nb.vocabulary import strongest

KEY = b"sixteen bytes or more"


def learned() -> MailNB:
    model = MailNB(KEY)
    for n in range(40):
        model.learn_one(" ".join(f"w{(n * i) % 97}" for i in range(30)), "abc"[n % 3])
    return model


def test_the_parts_together_are_half_of_each_counter_rounded_up():
    model = learned()
    table = model._counts.table
    before = table.counts.astype(np.int64)
    after = before.copy()
    rows = []
    for part in range(7):
        found = halves(table, part, 7)
        rows += found.rows.tolist()
        after[found.rows] -= found.amounts
    assert sorted(rows) == np.flatnonzero(before.any(axis=1)).tolist()
    assert min(np.bincount(np.array(rows) % 1)) > 0
    assert np.array_equal(after, np.sign(before) * (np.abs(before) // 2))


def test_a_model_that_only_decays_comes_to_nothing():
    model = learned()
    for _ in range(12):
        for part in range(4):
            model.apply_changes(model.halves(part, 4))
    assert model.features == 0


def test_what_is_halved_and_what_another_learns_meanwhile_add_up_in_any_order():
    model, other = learned(), learned()
    recorder = other.recorder()
    recorder.learn("w1 w2 and something else", "b")
    halved, update = model.halves(0, 1), recorder.take()
    model.apply_changes(halved)
    model.apply_changes(update)
    other.apply_changes(halved)
    assert model == other


def test_a_label_taken_back_after_a_decay_counts_below_zero_and_reads_as_nothing():
    model = MailNB(KEY)
    update = model.grade("win money now", "spam")
    model.apply_update("win money now", update)
    model.learn_one("lunch at noon", "ham")
    model.apply_changes(model.halves(0, 1))
    model.revert_update("win money now", update)
    assert model.evidence("money").terms[0].counts == {"spam": 0.0, "ham": 0.0}


def test_others_are_told_apart_where_all_labels_of_a_class_are_taken_back_after_decay():
    model, taken_back = MailNB(KEY), []
    for n in range(60):
        text, label = ((f"money {n}", "spam"), (f"lunch {n}", "ham"), (f"invoice {n}", "work"))[n % 3]
        update = model.grade(text, label)
        model.apply_update(text, update)
        taken_back += [(text, update)] if label == "ham" else []
    for _ in range(2):
        model.apply_changes(model.halves(0, 1))
    for text, update in taken_back:
        model.revert_update(text, update)
    assert model.predict_one("money") == "spam" and model.predict_one("invoice") == "work"
    assert all(map(math.isfinite, model.class_scores("money for lunch").values()))
    assert min(model.statistics.sums()) == 0.0
    assert all(math.isfinite(term.weight) for label in model.classes for term in strongest(model, label))
    model.learn_one("invoice for lunch", "ham")


def test_what_errors_took_of_a_class_is_halved_as_its_counts_are():
    model = MailNB(KEY)
    for n in range(300):
        model.learn_one(f"lunch with w{n % 50}", "ham" if n < 200 else "spam")
    taken = model._counts.totals[:, MailTotal.TAKEN].copy()
    for part in range(64):
        model.apply_changes(model.halves(part, 64))
    left = model._counts.totals[:, MailTotal.TAKEN]
    assert max(taken) > 1000 and np.allclose(left, taken / 2, rtol=0.1, atol=10)
