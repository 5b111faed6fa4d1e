"""The mails that a command reads: a source, up to a limit. No other file decides what a PATH is."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from .messages import note
from .options import SourceOptions

if TYPE_CHECKING:
    from ..ingest.feeder import Item
    from ..ingest.formats import MailSource
    from ..settings import Settings


class OpenedMails(NamedTuple):
    """A source, the number of mails read from it (None if unknown in advance), and an iterator over these mails."""

    source: MailSource
    total: int | None
    items: Iterator[Item]


def open_mails(chosen: SourceOptions, settings: Settings, labels: bool = True) -> OpenedMails:
    """Open the chosen source and return its mails, whose labels are needed unless `labels` is False. Raises UserError,
    immediately or while iterating.

    A path is one of `open_source`, or the address of a log, which is reached as `settings` say.
    """
    from ..ingest.formats import open_source
    from ..ingest.log_mails import is_log_address

    if is_log_address(chosen.path):
        source = _of_log(chosen, settings)
    else:
        source = open_source(chosen.path, chosen.shuffle, chosen.classes, note, chosen.label, chosen.columns)
    if labels:
        source.need_labels()
    total = source.total if chosen.limit is None else min(chosen.limit, source.total or chosen.limit)
    return OpenedMails(source, total, itertools.islice(source, chosen.limit))


def _of_log(chosen: SourceOptions, settings: Settings) -> MailSource:
    import msgspec

    from ..errors import UserError
    from ..ingest.formats.base import labelled
    from ..ingest.log_mails import open_log_mails
    from ..records.setup import open_existing_log

    if chosen.classes is not None or chosen.columns is not None:
        raise UserError(
            f"{chosen.path}: the mails of a log have labels; --classes, --label-column and --text-column need a file "
            "or folder"
        )
    there = msgspec.structs.replace(settings, log=chosen.path)
    source = open_log_mails(lambda: open_existing_log(there), chosen.path, chosen.shuffle)
    return source if chosen.label is None else labelled(source, chosen.label)
