"""Removes the rarest features of a model without a log that has too many; frees the rows of removed features."""

from __future__ import annotations

from stream_nb import MailNB

from .stream_model import StreamModel

SPARE_ROWS = 1.25
"""Ratio of rows to needed rows above which the unneeded ones are freed; freeing takes a pass over all rows."""


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
