"""An explainer over the log, for the commands that explain scores and words."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..settings import Settings

if TYPE_CHECKING:
    from ..explain.explainer import Explainer
    from ..log.base import Log


@contextmanager
def open_explainer(settings: Settings) -> Generator[tuple[Log, Explainer]]:
    """Yield the log and an Explainer over it; a BadRecord raised inside the block becomes a UserError."""
    from ..errors import BadRecord, UserError
    from ..explain.explainer import Explainer
    from ..records.setup import open_existing_log

    with open_existing_log(settings) as log:
        try:
            yield log, Explainer(log, settings)
        except BadRecord as error:
            raise UserError(error.detail) from error
