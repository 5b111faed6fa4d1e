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
FEATURE_BYTES = 12
"""Approximate size of what removes one feature."""
LEAST_FORGOTTEN = 1_000
"""Fewest features that a commit removes from a model with too many; a slow link takes them in a moment."""


class Forgetting:
    """Removes what `[learner] half_life` and `max_features` say is due.

    A model with too many features loses its rarest ones, down to 7/8 of `max_features`.

    Args:
        replica: The owner's replica, with a model.
        learner: The settings.
    """

    def __init__(self, replica: Replica, learner: LearnerSettings) -> None:
        self._replica = replica
        self._learner = learner
        self._features = replica.require_model().features

    def take_due(self, room: int) -> Iterator[Delta]:
        """Remove from the model what is due, as far as it fits into this commit.

        The caller must pass each delta to the replica (`advance`) before it requests the next one.

        Args:
            room: Bytes left in this commit. Even if there are none, one part decays, and at least `LEAST_FORGOTTEN`
                features are removed, or as many as the model has gained since the last call: it must not grow.

        Yields:
            The deltas by which other replicas remove the same.
        """
        replica, learner, model = self._replica, self._learner, self._replica.require_model()
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
            excess, gained = model.features - (most - most // 8), model.features - self._features
            n = min(excess, max(room // FEATURE_BYTES, gained, LEAST_FORGOTTEN))
            yield from forget_rare(model, n, OWNED, replica.checkpoint(OWNED))
        self._features = model.features
