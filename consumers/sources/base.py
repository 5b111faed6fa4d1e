"""What every format gives: an iterable of items, and how many there are where that is known."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from consumers.errors import UserError
from consumers.feed import Item
from stream_nb.mail import message_id
from stream_nb.mail.limits import MAX_MAIL_BYTES

MAX_READ_BYTES = MAX_MAIL_BYTES + 1
"""Of a larger mail this much is read: one byte more than a worker accepts, so that it quarantines it."""


@dataclass(frozen=True)
class Source:
    """Mails in a fixed order; iterating again starts again, except on standard input.

    `about` says in a few words what was recognised; `total` is None where only reading to the end would tell.
    """

    about: str
    total: int | None
    read: Callable[[], Iterable[Item]]

    def __iter__(self) -> Iterator[Item]:
        return iter(self.read())


@dataclass(frozen=True)
class MailFile:
    """A file with one mail, the folder (or index label) it stands under, and its label where known."""

    path: Path
    folder: str
    label: str | None


def mail_item(raw: bytes, label: str | None) -> Item:
    """The item of a raw mail.

    A value that begins with ``{`` would be taken for JSON; such text gets a line end in front, after its id is made.
    """
    return Item(message_id(raw), b"\n" + raw if raw.startswith(b"{") else raw, label)


def files_source(about: str, files: Sequence[MailFile]) -> Source:
    """A source of one mail a file, in the order given."""

    def read() -> Iterator[Item]:
        for file in files:
            with open_file(file.path) as stream:
                yield mail_item(stream.read(MAX_READ_BYTES), file.label)

    return Source(about, len(files), read)


def shuffled(items: Iterable, seed: int) -> list:
    """All items in the order that ``random.Random(seed).shuffle`` gives."""
    mixed = list(items)
    random.Random(seed).shuffle(mixed)
    return mixed


def open_file(path: Path) -> BinaryIO:
    """Open for reading; raises UserError when that fails."""
    try:
        return path.open("rb")
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}; check the path and its permissions") from error
