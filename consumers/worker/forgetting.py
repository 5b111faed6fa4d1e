"""What the owner of partition 0 takes out of the model as labels come, for all workers."""

from __future__ import annotations

from collections.abc import Iterator

from ..model.changelog import Delta
from ..model.decay import halve_next
from ..model.forgetting import forget_rare
from ..model.replica import Replica
from ..settings import LearnerSettings

OWNED = 0
"""The partition whose owner decides."""


def forget_what_is_due(replica: Replica, learner: LearnerSettings, room: int) -> Iterator[Delta]:
    """Take out of the model what is due by `[learner] half_life` and `max_features`.

    Of a model with too many features the rarest go, an eighth of what it may have.

    Args:
        replica: The owner's; it takes each delta over (`advance`) before the next is asked for.
        learner: The settings.
        room: Bytes that are left for decay in this commit; it takes one delta in any case.

    Yields:
        What other replicas then take out.
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
        while (delta := forget_rare(model, most - most // 8, OWNED, replica.checkpoint(OWNED))) is not None:
            yield delta
