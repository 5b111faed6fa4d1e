"""What the owner of partition 0 removes from the model for all workers: decayed counts and rare features.

A delta states how much of each feature is subtracted, not by which rule: so replicas that have followed other workers
to different points end with the same counts.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from stream_nb import MailNB

from ..model.changelog import FORMAT, Delta
from ..model.decay import next_halving
from ..model.replica import Replica
from ..settings import LearnerSettings

OWNED = 0
"""The partition whose owner decides what to remove."""
FEATURE_BYTES = 12
"""Approximate size of what removes one feature."""
LEAST_FORGOTTEN = 1_000
"""Fewest features that a commit removes from a model with too many; a slow link takes them in a moment."""
MOST_FORGOTTEN = 40_000
"""Most features that one delta removes from the model; this keeps it below a megabyte."""


class Forgetting:
    """Removes what `[learner] half_life` and `max_features` say is due.

    A model with too many features loses its rarest ones, down to 7/8 of `max_features`.
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
            halving = next_halving(model, learner.half_life, replica.decayed_to)
            if halving is None:
                break
            yield self._removed(*halving)
            room -= len(halving.changes)
            if room <= 0:
                break
        most = learner.max_features
        if most is not None and isinstance(model, MailNB) and model.features > most:
            excess, gained = model.features - (most - most // 8), model.features - self._features
            n = min(excess, max(room // FEATURE_BYTES, gained, LEAST_FORGOTTEN))
            for changes in model.rarest(n, MOST_FORGOTTEN):
                yield self._removed(changes)
        self._features = model.features

    def _removed(self, changes: bytes, decayed_to: int = 0) -> Delta:
        """Apply changes to the model, and return their delta."""
        model, checkpoint = self._replica.require_model(), self._replica.checkpoint(OWNED)
        before = model.features
        model.apply_changes(changes)
        after = msgspec.structs.replace(checkpoint, seq=checkpoint.seq + 1)
        return Delta(FORMAT, OWNED, after, changes, (), (), before - model.features, decayed_to)
