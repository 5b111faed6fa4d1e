"""Reads the mails that our own commands send to a filter, from files, folders or standard input.

Mail programs run these commands for each mail, so nothing slow is imported before it is needed.
"""

from __future__ import annotations

import os
import re
import sys
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TextIO

from ..errors import UserError

STDIN = "-"
SMALL_BYTES = 50_000
_MAIL = re.compile(rb">?From |[!-9;-~]+[ \t]*:")


def read_mails(
    paths: tuple[str, ...],
    notify: Callable[[str], None],
    opened: Callable[[str, dict[str, str | None]], None] = lambda path, folders: None,
) -> Iterator[tuple[str, bytes]]:
    """The names and bytes of the mails in files and folders; no path, or ``-``, means standard input.

    A file is one mail or an mbox; a folder has any format that `feed` reads. Raises UserError.

    Args:
        paths: Files and folders.
        notify: Called with a line about files of a folder that are left out.
        opened: Called with each path, before its mails, and the class of each folder in it, if there are several.
    """
    for path in paths or (STDIN,):
        if path != STDIN and os.path.isdir(path):
            from ..ingest.formats.detect import open_source

            # The folders' classes matter to `opened` only; no command that reads mails here has --classes.
            source = open_source(path, notify=lambda text: None if "--classes" in text else notify(text))
            folders = {file.folder: file.label for file in source.files or ()}
            opened(path, folders if len(folders) > 1 else {})
            yield from ((item.id, item.value) for item in source)
            continue
        raw = _read_file(path)
        opened(path, {})
        # A single mail after a `From ` line is not an mbox: mail programs pipe mails in this form.
        mails = [raw]
        if raw.startswith(b"From ") and (b"\n\nFrom " in raw or b"\r\n\r\nFrom " in raw):
            from ..ingest.formats.mbox import mails_in

            mails = mails_in(raw)
        if mails == [raw]:
            yield path, raw
            continue
        for number, mail in enumerate(mails, 1):
            yield f"{path}#{number}", mail


def check_paths(paths: Sequence[str]) -> None:
    """Raise UserError if `read_mails` would refuse one of `paths`; what can be read only once (a pipe) is not read."""
    for path in paths:
        if path != STDIN and os.path.isdir(path):
            from ..ingest.formats.detect import open_source

            open_source(path)
        elif path != STDIN and (os.path.isfile(path) or not os.path.exists(path)):
            _read_file(path)


def is_small(mails: Sequence[tuple[str, bytes]]) -> bool:
    """Whether plain Python processes the `mails` (from `read_mails`) faster than the compiler loads: at most one, of a
    usual size."""
    return len(mails) <= 1 and all(len(raw) <= SMALL_BYTES for _, raw in mails)


def read_one(paths: tuple[str, ...]) -> bytes:
    """The bytes of the one file in `paths`, or of standard input, as one mail. Raises UserError for several files."""
    if len(paths) > 1:
        raise UserError(f"{len(paths)} files are given; give one file with one mail")
    return _read(paths[0] if paths else STDIN)


def _read_file(path: str) -> bytes:
    """The bytes of a file, or of standard input, with one mail or an mbox. Raises UserError for anything else."""
    raw = _read(path).removeprefix(BOM_UTF8)
    if path.endswith(".emlx"):
        from ..ingest.formats.emlx import emlx_mail

        raw = emlx_mail(raw)
    _refuse_no_mail(raw, path)
    return raw


def _refuse_no_mail(raw: bytes, path: str) -> None:
    """Raise UserError for a file that holds no readable mail, for example an archive or a table."""
    if raw.startswith(b"{") or not _MAIL.match(raw):
        from ..ingest.formats.base import why_no_mail
        from ..ingest.formats.table import is_table

        wanted = "give mails (.eml), an mbox or a folder of mails"
        if is_table(path):
            raise UserError(f"{path} is a table or JSON lines; use `stream-nb feed`, or {wanted}")
        why = why_no_mail(raw)
        if why is not None:
            name = "standard input" if path == STDIN else path
            raise UserError(f"{name} {why} and {wanted}")


def _read(path: str) -> bytes:
    stdin: TextIO | None = sys.stdin  # None if the caller has closed it
    if path == STDIN and stdin is None:
        raise UserError("cannot read standard input: it is closed; give a file")
    if not path:  # an unset variable of a script; `Path` would name the current folder
        raise UserError("the path of a mail is empty; give a file or a folder, or - for standard input")
    try:
        return sys.stdin.buffer.read() if path == STDIN else Path(path).read_bytes()
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}; check the path and its permissions") from error
