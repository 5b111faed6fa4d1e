"""The result for every format: an iterable of items, with their number if it is known."""

from __future__ import annotations

import random
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, TypeVar

from stream_nb.mail import message_id

from ...errors import UserError
from ...records.messages import as_value
from ..feeder import Item
from .emlx import MAX_LENGTH_LINE, SUFFIX, emlx_mail
from .mbox import MAX_READ_BYTES, mail_at

T = TypeVar("T")

WHOLE = (0, 0)
"""The span of a file that is one mail."""

_SIGNATURES = {
    (b"PK\x03\x04",): "is compressed; unpack it, or save a spreadsheet as CSV,",
    (b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd", b"7z\xbc\xaf"): "is compressed; unpack it",
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"!BDN"): "is an Outlook file (.msg, .pst); export its mails as .eml or mbox",
    (b"PAR1",): "is Parquet; convert it",
    (b"SQLite format 3\0", b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83", b"\x18\xe2\x2d\0"): "is a database; leave it out",
    (b"%PDF-", b"\x89PNG", b"\xff\xd8\xff", b"GIF8"): "is a PDF or a picture; leave it out",
    (BOM_UTF16_LE, BOM_UTF16_BE): "is UTF-16; save it as UTF-8",
}
"""The first bytes of files without readable mail, and what these files are."""
_TAR, _TAR_OFFSET = b"ustar", 257
SIGNATURE_BYTES = _TAR_OFFSET + len(_TAR)
"""How many bytes at the start of a file show what kind of file it is."""


@dataclass(frozen=True)
class MailFile:
    """A mail in a file.

    Args:
        path: The file.
        folder: The folder that the mail belongs to, or its label in an index.
        label: The mail's label, if known.
        span: In an mbox, the byte offsets of the start and the end of the mail, including its ``From `` line.
    """

    path: Path
    folder: str
    label: str | None
    span: tuple[int, int] = WHOLE

    @property
    def in_mbox(self) -> bool:
        """Whether the mail is part of an mbox."""
        return self.span != WHOLE

    def read(self) -> bytes:
        """The mail's bytes, truncated to one byte more than a worker accepts. Raises UserError."""
        with open_file(self.path) as stream:
            if self.in_mbox:
                return mail_at(stream, self.span, str(self.path))
            if self.path.suffix == SUFFIX:
                return emlx_mail(stream.read(MAX_LENGTH_LINE + MAX_READ_BYTES))[:MAX_READ_BYTES]
            return stream.read(MAX_READ_BYTES)


@dataclass(frozen=True)
class MailSource:
    """Mails in a fixed order; iterating again starts again, except on standard input.

    Args:
        about: A short description of the format.
        total: The number of mails; None if it is known only after reading to the end.
        read: Returns the mails from the first on.
        files: The path and class of each mail, in order; None if they are known only after reading.
        label: The class given for all mails, if any.
        unlabelled: Why no mail has a label, and what to do; "" if some may have one.
        features: Whether mails may have numbers or categories.
    """

    about: str
    total: int | None
    read: Callable[[], Iterable[Item]]
    files: Sequence[MailFile] | None = None
    label: str | None = None
    unlabelled: str = ""
    features: bool = False

    def __iter__(self) -> Iterator[Item]:
        return iter(self.read())

    def need_labels(self) -> None:
        """Raise UserError if it is known before reading that no mail has a label."""
        if self.unlabelled:
            raise UserError(self.unlabelled)


def mail_item(raw: bytes, label: str | None) -> Item:
    """The item of a `raw` mail (RFC 5322) with its `label`, None if unknown."""
    return Item(message_id(raw), as_value(raw), label)


def files_source(about: str, files: Sequence[MailFile]) -> MailSource:
    """A source of the mails in files, in the order given; `about` describes the format."""
    return MailSource(about, len(files), lambda: (mail_item(file.read(), file.label) for file in files), files)


def labelled(source: MailSource, label: str) -> MailSource:
    """The source with the class `label` for all mails. Raises UserError, at once or while iterating, if a mail has
    another one."""

    def read() -> Iterator[Item]:
        for item in source:
            if item.label not in (None, label):
                raise UserError(f"--label {label}: the mail {item.id[:80]} has the class {item.label!r}; omit --label")
            yield item._replace(label=label)

    if source.files is None:
        return replace(source, read=read, label=label, unlabelled="")
    if any(file.label is not None for file in source.files):
        raise UserError(f"--label {label}: a {source.about} has classes already; name them with --classes")
    return replace(source, read=read, files=[replace(file, label=label) for file in source.files], label=label)


def shuffled(items: Iterable[T], seed: int) -> list[T]:
    """All `items`, held in memory and shuffled by ``random.Random(seed).shuffle`` with this `seed`."""
    mixed = list(items)
    random.Random(seed).shuffle(mixed)
    return mixed


def why_no_mail(start: bytes) -> str | None:
    """Why a file has no readable mail, and what to do about it; None if it may have one. `start` has its first
    `SIGNATURE_BYTES` bytes, or more."""
    if start.startswith(_TAR, _TAR_OFFSET):
        return "is an archive; unpack it"
    return next((why for signatures, why in _SIGNATURES.items() if start.startswith(signatures)), None)


def unreadable(error: OSError, path: str | Path) -> UserError:
    """The error to raise for a file or folder that cannot be read: the one that `error` names, or else `path`, which
    was given."""
    return UserError(f"cannot read {error.filename or path}: {error.strerror}; check the path and its permissions")


@contextmanager
def open_file(path: Path) -> Generator[BinaryIO]:
    """Open the file at `path` for reading, after the byte order mark that editors on Windows write; raises UserError if
    that fails, or reading it."""
    try:
        with path.open("rb") as stream:
            if stream.read(len(BOM_UTF8)) != BOM_UTF8:
                stream.seek(0)
            yield stream
    except OSError as error:
        raise unreadable(error, path) from error
