"""Decay: of what old labels have taught a half is left after each half-life (`[learner] half_life`).

The features take turns, so that a half-life writes the model once, in parts. As with what is forgotten, the changes
say how much goes, not which rule chose it: replicas that have followed others further, or less far, end with the same
counts, and what others learn meanwhile stays whole.

Who takes a label back takes what is left of it: all of it would take what other labels have taught of the same words.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from stream_nb import MailNB
from stream_nb.kernels.layout import UNIT, MailTotal
from stream_nb.types import Update

from .changelog import FORMAT, Checkpoint, Delta
from .stream_model import StreamModel

PARTS = 64


class Halving(NamedTuple):
    """Changes that take half of a part of a model, and the number of labels at which they are due."""

    changes: bytes
    decayed_to: int


def next_halving(model: StreamModel, half_life: int, decayed_to: int) -> Halving | None:
    """What goes next; None when nothing is due, or for another model than `MailNB`.

    Args:
        model: The model; it stays as it is.
        half_life: In labels, `PARTS` or more.
        decayed_to: That of the last halving; 0 when there was none. Where the labels are two half-lives away from it
            (a model that has not decayed yet, or a source of many labels that was forgotten), decay begins anew.
    """
    if not isinstance(model, MailNB):
        return None
    labels = model.labels_learned
    if abs(labels - decayed_to) >= 2 * half_life:
        turn = labels * PARTS // half_life
    else:
        turn = decayed_to * PARTS // half_life + 1
    due = -(-turn * half_life // PARTS)
    return Halving(model.halves(turn % PARTS, PARTS), due) if labels >= due else None


def halve_next(
    model: StreamModel, half_life: int, decayed_to: int, partition: int, checkpoint: Checkpoint
) -> Delta | None:
    """Take what is due next out of a model; what other replicas then take out is the delta returned.

    Args:
        model: The model.
        half_life: As for `next_halving`.
        decayed_to: As for `next_halving`.
        partition: The partition whose owner will commit the delta.
        checkpoint: How far the deltas of this partition have been applied.
    """
    halving = next_halving(model, half_life, decayed_to)
    if halving is None:
        return None
    before = model.features
    model.apply_changes(halving.changes)
    after = msgspec.structs.replace(checkpoint, seq=checkpoint.seq + 1)
    return Delta(FORMAT, partition, after, halving.changes, (), (), before - model.features, halving.decayed_to)


def faded(halvings: int) -> int:
    """How much of what a label taught of words has gone, in 1/256.

    It is the mean over the features, of which some have had one turn more than others.

    Args:
        halvings: How often a part of the features has decayed since, 0 or more.
    """
    return UNIT - round(UNIT * 0.5 ** (halvings / PARTS))


def what_is_left(update: Update, gone: int) -> Update:
    """An update less what has gone of it.

    Args:
        update: That of a `MailNB`. What it says of labels, margins and sources stays.
        gone: What `faded` says, 0 to 256.

    >>> from stream_nb import MailNB
    >>> model = MailNB()
    >>> update = model.grade("win money now", "spam")
    >>> model.apply_update("win money now", update)
    >>> model.apply_changes(model.halves(0, 1))
    >>> model.revert_update("win money now", what_is_left(update, faded(PARTS)))
    >>> model == MailNB()
    True
    """
    if not gone:
        return update
    weight, taken = (round(amount * (UNIT - gone) / UNIT) for amount in (update.weight, update.taken))
    tallies = list(update.tallies)
    tallies[MailTotal.MASS] = tallies[MailTotal.MASS] // max(update.weight, 1) * weight
    return update._replace(weight=weight, taken=taken, rival=update.rival if taken else None, tallies=tuple(tallies))


class Decay:
    """Lets a model without a log decay, as a worker's does that commits after each label.

    Args:
        model: The model.
        half_life: As for `next_halving`.
    """

    def __init__(self, model: StreamModel, half_life: int) -> None:
        self._model = model
        self._half_life = half_life
        self._decayed_to = 0

    def catch_up(self) -> None:
        """Take out of the model what is due."""
        while (halving := next_halving(self._model, self._half_life, self._decayed_to)) is not None:
            self._model.apply_changes(halving.changes)
            self._decayed_to = halving.decayed_to
