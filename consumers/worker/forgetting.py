"""What the owner of partition 0 removes from the model for all workers: decayed counts and rare features."""

from __future__ import annotations

from collections.abc import Iterator

from ..model.changelog import Delta
from ..model.decay import halve_next
from ..model.forgetting import forget_rare
from ..model.replica import Replica
from ..settings import LearnerSettings

OWNED = 0
"""The partition whose owner decides what to remove."""


def forget_what_is_due(replica: Replica, learner: LearnerSettings, room: int) -> Iterator[Delta]:
    """Remove from the model what `[learner] half_life` and `max_features` say is due.

    A model with too many features loses its rarest ones, down to 7/8 of `max_features`.

    Args:
        replica: The owner's replica; the caller passes it each delta (`advance`) before it requests the next one.
        learner: The settings.
        room: Bytes left for decay in this commit; one delta is made even if there are none.

    Yields:
        The deltas by which other replicas remove the same.
    """
    model = replica.require_model()
    while learner.half_life is not None:
        delta = halve_next(model, learner.half_life, replica.decayed_to, OWNED, replica.checkpoint(OWNED))
        if delta is None:
            break
        yield delta
        room -= len(delta.changes)
        if room <= 0:
            break
    most = learner.max_features
    if most is not None and model.features > most:
        yield from forget_rare(model, most - most // 8, OWNED, replica.checkpoint(OWNED))
