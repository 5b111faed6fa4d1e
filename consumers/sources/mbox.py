"""An mbox: mails one after another, each behind a ``From `` line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from consumers.sources.base import MAX_READ_BYTES

_QUOTED_FROM = re.compile(rb">+From ")


def split_mbox(lines: Iterable[bytes]) -> Iterator[bytes]:
    r"""The mails of an mbox given line by line, without their ``From `` lines, one ``>`` off ``>From ``.

    A ``From `` line begins a mail at the start and after a blank line. Of a mail of more than 1 MB one byte more
    than that is kept.

    >>> list(split_mbox([b"From a\n", b"Subject: x\n", b"\n", b">From me\n", b"\n", b"From b\n", b"Subject: y\n"]))
    [b'Subject: x\n\nFrom me\n', b'Subject: y\n']
    """
    mail: list[bytes] | None = None
    size = 0
    blank = True
    for line in lines:
        if blank and line.startswith(b"From "):
            if mail is not None:
                yield _joined(mail)
            mail, size, blank = [], 0, False
            continue
        blank = line in (b"\n", b"\r\n")
        if mail is None:
            mail = []
        if size <= MAX_READ_BYTES:
            mail.append(line[1:] if _QUOTED_FROM.match(line) else line)
            size += len(line)
    if mail is not None:
        yield _joined(mail)


def _joined(lines: list[bytes]) -> bytes:
    """The mail, without the blank line that belongs to the next ``From ``."""
    if len(lines) > 1 and lines[-1] in (b"\n", b"\r\n") and lines[-2] not in (b"\n", b"\r\n"):
        lines = lines[:-1]
    return b"".join(lines)[:MAX_READ_BYTES]
