"""The mails that a command reads: the first ones of a source."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from .messages import note
from .options import SourceOptions

if TYPE_CHECKING:
    from ..ingest.feeder import Item
    from ..ingest.formats import MailSource
    from ..ingest.formats.table import Columns


class OpenedMails(NamedTuple):
    """A source, how many mails are read of it (None: not known before they are read), and these mails."""

    source: MailSource
    total: int | None
    items: Iterator[Item]


def open_mails(chosen: SourceOptions, labels: bool = True) -> OpenedMails:
    """The mails of a source.

    Args:
        chosen: Which mails of which source.
        labels: Whether their labels are needed.

    Raises:
        UserError: At once or while iterating, with what to do.
    """
    from ..ingest.formats import open_source

    columns = columns_of(chosen.label_column, chosen.text_column)
    source = open_source(chosen.path, chosen.shuffle, chosen.classes, note, chosen.label, columns)
    if labels:
        source.need_labels()
    total = source.total if chosen.limit is None else min(chosen.limit, source.total or chosen.limit)
    return OpenedMails(source, total, itertools.islice(source, chosen.limit))


def columns_of(label_column: str | None, text_column: tuple[str, ...]) -> Columns | None:
    """The columns of a table; None where no option names one.

    Args:
        label_column: The column with the class; None where no option names it.
        text_column: The columns with running text, in order.
    """
    from ..ingest.formats.table import Columns

    return Columns(label_column, text_column) if label_column is not None or text_column else None
