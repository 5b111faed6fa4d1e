"""Forgetting: the rarest features leave a model that has too many, and in time the rows they held."""

from __future__ import annotations

import msgspec

from stream_nb import MailNB

from .changelog import FORMAT, Checkpoint, Delta
from .stream_model import StreamModel

MOST_FORGOTTEN = 40_000
"""Features that one delta takes out of the model; it then has less than a megabyte."""

SPARE_ROWS = 1.25
"""Rows for each one needed from which the model gives the others back; it takes a pass over all of them."""


def forget_rare(model: StreamModel, most: int, partition: int, checkpoint: Checkpoint) -> Delta | None:
    """Take the rarest features out of a model; what other replicas then take out is the delta returned.

    It says how much of each feature goes, and not which rule chose them: so replicas that have followed others further,
    or less far, end with the same counts.

    Args:
        model: The model; of another kind than `MailNB` nothing is taken.
        most: Features that it may have, from 0.
        partition: The partition whose owner will commit the delta.
        checkpoint: How far the deltas of this partition have been applied.

    Returns:
        The delta, of at most `MOST_FORGOTTEN` features; None when the model has no more than `most`.
    """
    if model.features <= most or not isinstance(model, MailNB):
        return None
    before = model.features
    changes = model.rarest(min(before - most, MOST_FORGOTTEN))
    model.apply_changes(changes)
    after = msgspec.structs.replace(checkpoint, seq=checkpoint.seq + 1)
    return Delta(FORMAT, partition, after, changes, (), (), before - model.features)


def give_back_rows(model: StreamModel, kept: int) -> int:
    """Let a model give back the rows of features of which nothing is left, once they are a quarter of all.

    Args:
        model: The model.
        kept: Rows that it kept the last time; 0 when there was none.

    Returns:
        The rows that it kept the last time, this one included.
    """
    if not isinstance(model, MailNB) or model.statistics.features <= SPARE_ROWS * max(kept, model.features):
        return kept
    model.compact()
    return model.statistics.features
