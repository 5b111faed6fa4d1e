"""With each half-life, half of what labels have taught is forgotten, one part at a time."""

from __future__ import annotations

import msgspec
import pytest

from consumers.model.decay import PARTS, Decay, next_halving
from consumers.model.factory import new_model
from consumers.settings import LearnerSettings
from stream_nb import MailNB

HALF_LIFE = 64
LEARNER = LearnerSettings(learn="everything")


def test_the_newest_of_many_mails_counts_in_full_and_one_a_half_life_older_half():
    model = new_model(LEARNER)
    decay = Decay(model, HALF_LIFE)
    for n in range(4 * HALF_LIFE):
        model.learn_one(f"word{n} again", "spam" if n % 2 else "ham")
        decay.catch_up()

    def left(n):
        return sum(model.evidence(f"word{n}").terms[0].counts.values())

    assert all(left(n) in (0.25, 0.5) for n in range(2 * HALF_LIFE, 3 * HALF_LIFE))
    assert all(left(n) in (0.5, 1.0) for n in range(3 * HALF_LIFE, 4 * HALF_LIFE))
    assert left(4 * HALF_LIFE - 1) == 1.0


@pytest.mark.parametrize("half_life", [64, 100, 1000, 12345])
def test_a_half_life_takes_as_many_turns_as_there_are_parts_each_once(half_life):
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


def test_a_model_that_learned_long_without_decay_begins_with_one_part():
    model = MailNB()
    for _ in range(1000):
        model.learn_one("a", "spam")
    halving = next_halving(model, 100, 0)

    assert halving is not None and 990 < halving.decayed_to <= 1000
    following = next_halving(model, 100, halving.decayed_to)
    assert following is None or following.decayed_to > halving.decayed_to


def test_nothing_is_due_of_an_empty_model_or_of_another_kind():
    assert next_halving(MailNB(), 64, 0) is None
    assert next_halving(new_model(msgspec.convert({"model": "gaussian"}, LearnerSettings)), 64, 0) is None
