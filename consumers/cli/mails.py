"""The mails that a command reads: the first ones of a source."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING

from .options import note

if TYPE_CHECKING:
    from ..ingest.feeder import Item


def open_mails(
    path: str, shuffle: int | None = None, classes: str | None = None, limit: int | None = None
) -> tuple[int | None, Iterator[Item]]:
    """How many mails there are (None: not known before they are read), and the mails.

    `limit` is the largest number of mails, None for all; the other arguments are those of `open_source`. Raises
    UserError, at once or while iterating.
    """
    from ..ingest.formats import open_source

    source = open_source(path, shuffle, classes, note)
    total = source.total if limit is None else min(limit, source.total or limit)
    return total, itertools.islice(source, limit)
