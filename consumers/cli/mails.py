"""The mails that a command reads: a source, up to a limit."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from .messages import note
from .options import SourceOptions

if TYPE_CHECKING:
    from ..ingest.feeder import Item
    from ..ingest.formats import MailSource


class OpenedMails(NamedTuple):
    """A source, the number of mails read from it (None if unknown in advance), and an iterator over these mails."""

    source: MailSource
    total: int | None
    items: Iterator[Item]


def open_mails(chosen: SourceOptions, labels: bool = True) -> OpenedMails:
    """Open the chosen source and return its mails, whose labels are needed unless `labels` is False. Raises UserError,
    immediately or while iterating."""
    from ..ingest.formats import open_source

    source = open_source(chosen.path, chosen.shuffle, chosen.classes, note, chosen.label, chosen.columns)
    if labels:
        source.need_labels()
    total = source.total if chosen.limit is None else min(chosen.limit, source.total or chosen.limit)
    return OpenedMails(source, total, itertools.islice(source, chosen.limit))
