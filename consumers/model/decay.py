"""Decay: each half-life halves the counts that old labels have added (`[learner] half_life`).

The features take turns, so that the whole model is written once per half-life, in parts. Like those of forgetting, the
changes state how much is subtracted, not by which rule: replicas that have followed other workers to different points
end with the same counts, and what others learn in the meantime is not halved.

Reverting a label subtracts only what is left of it; subtracting all of it would remove counts that other labels added.
"""

from __future__ import annotations

from typing import NamedTuple

from stream_nb import MailNB
from stream_nb.kernels.layout import UNIT, MailUpdate
from stream_nb.types import Update

from .stream_model import StreamModel

PARTS = 64


class Halving(NamedTuple):
    """Changes that halve one part of a model, and the number of labels at which they are due."""

    changes: bytes
    decayed_to: int


def next_halving(model: StreamModel, half_life: int, decayed_to: int) -> Halving | None:
    """The next halving; None if none is due, or for another model than `MailNB`.

    Args:
        model: The model; it is not changed.
        half_life: The half-life in labels, `PARTS` or more.
        decayed_to: `decayed_to` of the last halving; 0 if there was none. If the model's labels are two half-lives or
            more away from it (it has not decayed yet, or a source of many labels was forgotten), decay starts anew.
    """
    if not isinstance(model, MailNB):
        return None
    labels = model.labels_learned
    if abs(labels - decayed_to) >= 2 * half_life:
        turn = max(1, labels * PARTS // half_life)  # the first one is due after a part of a half-life
    else:
        turn = decayed_to * PARTS // half_life + 1
    due = -(-turn * half_life // PARTS)
    return Halving(model.halves(turn % PARTS, PARTS), due) if labels >= due else None


def faded(halvings: int) -> int:
    """The share of a label's update that has decayed, in 1/256, after `halvings` (0 or more): how often a part of the
    features has decayed since the label was learned.

    It is a mean over the features, because some have had one turn more than others.
    """
    return UNIT - round(UNIT * 0.5 ** (halvings / PARTS))


def what_is_left(update: Update, gone: int) -> Update:
    """An update reduced by the part that has decayed.

    Args:
        update: An update of a `MailNB`. Its tallies of labels, margins and sources are not reduced.
        gone: The result of `faded`, 0 to 256.

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
    tallies[MailUpdate.MASS] = tallies[MailUpdate.MASS] // max(update.weight, 1) * weight
    return update._replace(weight=weight, taken=taken, rival=update.rival if taken else None, tallies=tuple(tallies))


class Decay:
    """Applies decay with this `half_life`, as for `next_halving`, to a model without a log, like a worker that commits
    after each label."""

    def __init__(self, model: StreamModel, half_life: int) -> None:
        self._model = model
        self._half_life = half_life
        self._decayed_to = 0

    def catch_up(self) -> None:
        """Apply all halvings that are due."""
        while (halving := next_halving(self._model, self._half_life, self._decayed_to)) is not None:
            self._model.apply_changes(halving.changes)
            self._decayed_to = halving.decayed_to
