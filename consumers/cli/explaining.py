"""A model on the log to ask questions of, for the commands that explain."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click


@contextmanager
def explainer(settings) -> Iterator[tuple]:
    """Yields the log and an Explainer over it; a question that cannot be answered is a user's mistake."""
    from ..errors import BadRecord, UserError
    from ..model.explainer import Explainer
    from ..records.setup import open_ready_log

    with open_ready_log(settings, notify=lambda text: click.echo(text, err=True)) as log:
        ask = Explainer(log, settings)
        try:
            yield log, ask
        except BadRecord as error:
            raise UserError(error.detail) from error
