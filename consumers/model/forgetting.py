"""Forgetting: removes the rarest features of a model that has too many, and later frees their rows."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from stream_nb import MailNB

from .changelog import FORMAT, Checkpoint, Delta
from .stream_model import StreamModel

MOST_FORGOTTEN = 40_000
"""Most features that one delta removes from the model; this keeps it below a megabyte."""

SPARE_ROWS = 1.25
"""Ratio of rows to needed rows above which the unneeded ones are freed; freeing takes a pass over all rows."""


def forget_rare(model: StreamModel, n: int, partition: int, checkpoint: Checkpoint) -> Iterator[Delta]:
    """Remove the rarest features from a model, and yield the deltas by which other replicas remove the same.

    A delta states how much of each feature is subtracted, not by which rule: so replicas that have followed other
    workers to different points end with the same counts.

    Args:
        model: The model; a kind other than `MailNB` is not changed.
        n: The number of features to remove, 0 or more.
        partition: The partition whose owner will commit the delta.
        checkpoint: How far the deltas of this partition have been applied.

    Yields:
        Deltas of at most `MOST_FORGOTTEN` features each, right after the model has forgotten them.
    """
    if not isinstance(model, MailNB):
        return
    for changes in model.rarest(n, MOST_FORGOTTEN):
        before = model.features
        model.apply_changes(changes)
        checkpoint = msgspec.structs.replace(checkpoint, seq=checkpoint.seq + 1)
        yield Delta(FORMAT, partition, checkpoint, changes, (), (), before - model.features)


def forget_excess(model: StreamModel, most: int | None) -> None:
    """Remove the rarest features from a model without a log, like a worker that commits after each label.

    Args:
        model: The model; a kind other than `MailNB` is not changed.
        most: Above this number of features, they are reduced to 7/8 of it; None for no limit.
    """
    if most is not None and isinstance(model, MailNB) and model.features > most:
        model.evict(most - most // 8)


def give_back_rows(model: StreamModel, kept: int) -> int:
    """Free the rows of a model's removed features, once it has `SPARE_ROWS` times the rows that it needs.

    Args:
        model: The model.
        kept: The previous call's result; 0 for the first call.

    Returns:
        The number of rows that were left after they were last freed, now or before.
    """
    if not isinstance(model, MailNB) or model.statistics.features <= SPARE_ROWS * max(kept, model.features):
        return kept
    model.compact()
    return model.statistics.features
