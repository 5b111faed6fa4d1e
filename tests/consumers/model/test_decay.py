"""In each half-life the counts are halved, one part of the model at a time."""

from __future__ import annotations

import msgspec
import pytest

from consumers.model.decay import PARTS, Decay, next_halving
from consumers.model.factory import new_model
from consumers.settings import LearnerSettings
from stream_nb import MailNB

HALF_LIFE = 64
LEARNER = LearnerSettings(learn="everything")


def test_a_mail_counts_in_full_at_first_and_half_after_a_half_life():
    model = new_model(LEARNER)
    decay = Decay(model, HALF_LIFE)
    for n in range(4 * HALF_LIFE):
        model.learn_one(f"word{n} again", "spam" if n % 2 else "ham")
        decay.catch_up()

    def remaining_count(n):
        return sum(model.evidence(f"word{n}").terms[0].counts.values())

    assert all(remaining_count(n) in (0.25, 0.5) for n in range(2 * HALF_LIFE, 3 * HALF_LIFE))
    assert all(remaining_count(n) in (0.5, 1.0) for n in range(3 * HALF_LIFE, 4 * HALF_LIFE))
    assert remaining_count(4 * HALF_LIFE - 1) == 1.0


@pytest.mark.parametrize("half_life", [64, 100, 1000, 12345])
def test_each_part_of_the_model_is_halved_once_in_each_half_life(half_life):
    model = MailNB()
    turns = []
    decayed_to = 0
    for _ in range(2 * half_life if half_life < 2000 else 500):
        model.learn_one("a", "spam")
        while (halving := next_halving(model, half_life, decayed_to)) is not None:
            assert halving.decayed_to > decayed_to
            decayed_to = halving.decayed_to
            turns.append(decayed_to * PARTS // half_life)
    assert turns == list(range(1, len(turns) + 1))
    assert len(turns) == model.labels_learned * PARTS // half_life


def test_enabling_decay_on_a_trained_model_halves_only_the_part_that_is_due_now():
    model = MailNB()
    for _ in range(1000):
        model.learn_one("a", "spam")
    halving = next_halving(model, 100, 0)

    assert halving is not None and 990 < halving.decayed_to <= 1000
    following = next_halving(model, 100, halving.decayed_to)
    assert following is None or following.decayed_to > halving.decayed_to


@pytest.mark.parametrize("labels", [0, 1, 5])
def test_no_halving_is_due_for_the_few_labels_that_are_left_after_forgetting(labels):
    """The next one is due after a part of a half-life, and only once."""
    model, due = MailNB(), 1000 / PARTS
    for _ in range(labels):
        model.learn_one("a", "spam")
    assert next_halving(model, 1000, 5000) is None
    while model.labels_learned < due:
        model.learn_one("a", "spam")
    halving = next_halving(model, 1000, 5000)
    assert halving is not None and halving.decayed_to == 16
    assert next_halving(model, 1000, halving.decayed_to) is None


def test_no_halving_is_due_for_an_empty_model_or_a_textbook_model():
    assert next_halving(MailNB(), 64, 0) is None
    assert next_halving(new_model(msgspec.convert({"model": "gaussian"}, LearnerSettings)), 64, 0) is None
