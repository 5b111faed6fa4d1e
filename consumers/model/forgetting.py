"""Removes the rarest features of a model without a log that has too many; frees the rows of removed features."""

from __future__ import annotations

from stream_nb import MailNB

from .stream_model import StreamModel

SPARE_ROWS = 1.25
"""Ratio of rows to needed rows above which the unneeded ones are freed; freeing takes a pass over all rows."""


def forget_excess(model: StreamModel, most: int | None) -> None:
    """Reduce a `MailNB` with more than `most` features (None: no limit) to 7/8 of `most`, without the rarest, like a
    worker that commits after each label; another model is not changed."""
    if most is not None and isinstance(model, MailNB) and model.features > most:
        model.evict(most - most // 8)


def give_back_rows(model: StreamModel, kept: int) -> int:
    """Free the rows of a model's removed features, once it has `SPARE_ROWS` times the rows that it needs. Returns the
    number of rows that were left after they were last freed; `kept` is the previous call's result, 0 for the first."""
    if not isinstance(model, MailNB) or model.statistics.features <= SPARE_ROWS * max(kept, model.features):
        return kept
    model.compact()
    return model.statistics.features
