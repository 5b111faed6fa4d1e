"""The mails that a command reads: the first ones of a source."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from .options import note

if TYPE_CHECKING:
    from ..ingest.feeder import Item
    from ..ingest.formats import MailSource
    from ..ingest.formats.table import Columns


class OpenedMails(NamedTuple):
    """A source, how many mails are read of it (None: not known before they are read), and these mails."""

    source: MailSource
    total: int | None
    items: Iterator[Item]


def open_mails(
    path: str,
    shuffle: int | None = None,
    classes: str | None = None,
    limit: int | None = None,
    label: str | None = None,
    label_column: str | None = None,
    text_column: str | None = None,
) -> OpenedMails:
    """The mails of a source; iterating may raise UserError too.

    `limit` is the largest number of mails, None for all; the other arguments are those of `open_source`. Raises
    UserError.
    """
    from ..ingest.formats import open_source

    source = open_source(path, shuffle, classes, note, label, columns_of(label_column, text_column))
    total = source.total if limit is None else min(limit, source.total or limit)
    return OpenedMails(source, total, itertools.islice(source, limit))


def columns_of(label_column: str | None, text_column: str | None) -> Columns | None:
    """The columns of a table; None where no option names one."""
    from ..ingest.formats.table import Columns

    return None if label_column is None and text_column is None else Columns(label_column, text_column)
