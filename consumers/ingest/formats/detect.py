"""Recognises the format of mails. No other file does."""

from __future__ import annotations

import re
import shlex
import sys
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import TextIO

from ...errors import UserError
from ...runtime.paths import exists, is_file, is_folder
from ..feeder import Item
from .base import (
    MAX_READ_BYTES,
    MailFile,
    MailSource,
    files_source,
    labelled,
    mail_item,
    open_file,
    shuffled,
    unreadable,
    why_no_mail,
)
from .class_names import check_class_name
from .csv_rows import Lines
from .emlx import SUFFIX
from .folder import open_folder
from .gmail import gmail_class
from .json_lines import read_json_lines
from .lines import is_json_lines
from .maildir import is_maildir, open_maildir
from .mbox import read_lines, split_mbox
from .table import SUFFIXES, Columns, open_table
from .trec import is_trec_index, open_trec

FORMATS = (
    "a folder with a sub-folder or an mbox for each class, a Maildir, an mbox, a TREC index, JSON lines, CSV, a mail, "
    "or - for stdin"
)
_TABLES = "CSV with a header row, or JSON lines"

ONE_MAIL = "one mail"
"""The description of a source of one mail, the only one of lines whose number is known."""
_ROW = re.compile(rb"[^\s:]{1,40}\t[^\t]+")
"""A class and a text in cells of a table. No header field has a tab in its name."""


def open_source(
    path: str | Path,
    shuffle: int | None = None,
    classes: str | None = None,
    notify: Callable[[str], None] = lambda text: None,
    label: str | None = None,
    columns: Columns | None = None,
) -> MailSource:
    """Recognise the format of `path` and return its mails.

    | at `path`                                         | read as                                            |
    |---------------------------------------------------|----------------------------------------------------|
    | a folder with cur/ and new/                       | Maildir                                            |
    | a folder with full/index                          | TREC corpus                                        |
    | any other folder                                  | sub-folders and mbox files as classes, else mails  |
    |                                                   | without labels (see `folder`)                      |
    | a file or stdin that begins with ``From ``        | mbox; Gmail's labels are classes (see `gmail`)     |
    | a file ``.json``, ``.jsonl`` or ``.ndjson``; a    | JSON lines                                         |
    | file or stdin that begins with ``{``              |                                                    |
    | a file whose first line is a label and a path     | TREC index                                         |
    | a file ``.emlx``                                  | one mail of Apple Mail                             |
    | a file ``.csv`` or ``.tsv``; with `columns` any   | a table: CSV, or a flat JSON object on each line   |
    | file or stdin                                     | (see `table`)                                      |
    | any other file, and any other stdin (``-``)       | one mail, without a label                          |

    Args:
        path: A file, a folder, or ``-`` for standard input.
        shuffle: Seed of a random order; None for the order of arrival. Shuffling a file of many mails reads all of it.
        classes: Rules that name the classes of folders (see `class_names`); needs folders or an index.
        notify: Called with a line about files without mail, files left out, and text that is read as a category.
        label: The class of all mails, for a source without classes.
        columns: Which columns of a table are label and text; None: only ``.csv`` and ``.tsv`` files are tables.

    Raises:
        UserError: At once or while iterating; the message says what to do.
    """
    if path == "":  # an unset variable of a script; `Path` would read the current folder
        raise UserError(f"the path is empty; expected {FORMATS}")
    if label is not None:
        if classes is not None:
            raise UserError("--label and --classes both name classes; give --label for a source without classes")
        if columns is not None and columns.label is not None:
            raise UserError("--label and --label-column both name classes; give --label for a table without labels")
        check_class_name(label)
    if columns is not None or Path(path).suffix.lower() in SUFFIXES:
        source = _open_table(path, shuffle, classes, columns or Columns(), notify)
    else:
        source = _open(path, shuffle, classes, notify)
    return source if label is None else labelled(source, label)


def _open_table(
    path: str | Path, shuffle: int | None, classes: str | None, columns: Columns, notify: Callable[[str], None]
) -> MailSource:
    _refuse_classes(classes, str(path))
    if columns.label in columns.text:
        raise UserError(f"--label-column and --text-column are both {columns.label!r}; name two columns")
    if len({*columns.text}) < len(columns.text):
        raise UserError(f"--text-column {', '.join(columns.text)}: name each column once")
    if str(path) == "-":
        held = list(_stdin_lines())  # a table is read several times
        name, lines, first = "stdin", lambda: held, held[0] if held else b""
    else:
        try:
            found = is_file(Path(path))
        except OSError as error:
            raise unreadable(error, path) from error
        if not found:
            raise UserError(f"{path} is not a file; expected {_TABLES}")
        name, lines = str(path), lambda: _lines_of(Path(path))
        first = next(iter(lines()), b"")
    if not first:
        raise UserError(f"{path} is empty; expected {_TABLES}")
    _refuse_no_mail(first, name, _TABLES)
    return open_table(first, lines, name, columns, shuffle, notify)


def _lines_of(path: Path) -> Iterator[bytes]:
    with open_file(path) as stream:
        yield from read_lines(stream)


def _open(path: str | Path, shuffle: int | None, classes: str | None, notify: Callable[[str], None]) -> MailSource:
    if str(path) == "-":
        return _open_stdin(shuffle, classes)
    scheme, is_address, _ = str(path).partition("://")
    path = Path(path)
    try:
        if is_folder(path):
            return _open_directory(path, shuffle, classes, notify)
        if not exists(path):
            if is_address:  # the rest may contain a password
                raise UserError(
                    f"{scheme}://... does not exist; of addresses only those of logs (sqlite:DIR, kafka://host:port) "
                    "are read, and lmtp://host:port, imap://user@host/INBOX and imaps://user@host/INBOX by "
                    "`stream-nb feed`"
                )
            raise UserError(f"{path} does not exist; expected {FORMATS}")
        if not is_file(path):  # its first line is read first, and all of it later
            raise UserError(f"{path} is neither a file nor a folder; to read a pipe, give - and pipe it to stdin")
    except OSError as error:
        raise unreadable(error, path) from error
    return _open_file(path, shuffle, classes, notify)


def _stdin_lines() -> Iterator[bytes]:
    """The lines of standard input, without a byte order mark, as `open_file` reads files."""
    stdin: TextIO | None = sys.stdin  # None if the caller has closed it
    if stdin is None:
        raise UserError("cannot read standard input: it is closed; give a file")
    lines = read_lines(stdin.buffer)
    return chain([line.removeprefix(BOM_UTF8) for line in islice(lines, 1)], lines)


def _open_directory(path: Path, shuffle: int | None, classes: str | None, notify: Callable[[str], None]) -> MailSource:
    if is_maildir(path):
        return open_maildir(path, shuffle, classes, notify)
    if is_file(path / "full" / "index"):
        return open_trec(path / "full" / "index", shuffle, classes, notify)
    return open_folder(path, shuffle, classes, notify)


def _open_file(path: Path, shuffle: int | None, classes: str | None, notify: Callable[[str], None]) -> MailSource:
    with open_file(path) as stream:
        first, second = stream.readline(MAX_READ_BYTES), stream.readline(MAX_READ_BYTES)
    if not first:
        raise UserError(f"{path} is empty; expected {FORMATS}")
    _refuse_no_mail(first, str(path))
    if _ROW.fullmatch(first) and _ROW.fullmatch(second):
        name = shlex.quote(str(path))
        raise UserError(
            f"{path} looks like a table without column names; add them, and call it .tsv: "
            f"(printf 'label\\ttext\\n'; cat {name}) > {name}.tsv"
        )
    if is_trec_index(path, first):
        return open_trec(path, shuffle, classes, notify)
    _refuse_classes(classes, str(path))
    if path.suffix == SUFFIX:
        return files_source("one mail of Apple Mail", [MailFile(path, "", None)])
    source = _of_lines(first, str(path), lambda: _lines_of(path), shuffle)
    return replace(source, total=1) if source.about == ONE_MAIL else source


def _open_stdin(shuffle: int | None, classes: str | None) -> MailSource:
    lines, name = _stdin_lines(), "standard input"
    _refuse_classes(classes, name)
    first = next(lines, b"")
    if not first:
        raise UserError(f"{name} is empty; expected a mail, an mbox or JSON lines")
    _refuse_no_mail(first, name)
    return _of_lines(first, name, lambda: chain([first], lines), shuffle)


def _of_lines(first: bytes, name: str, lines: Lines, shuffle: int | None) -> MailSource:
    """The mails in `lines`, which begin with `first`."""
    about, reader = _reader(first, name)

    def read() -> Iterator[Item]:
        return reader(lines())

    ordered = read if shuffle is None else lambda: shuffled(read(), shuffle)
    return MailSource(about, None, ordered, features=is_json_lines(first, name))


def _reader(first: bytes, name: str) -> tuple[str, Callable[[Iterable[bytes]], Iterator[Item]]]:
    if first.startswith(b"From "):
        return "mbox", _mbox
    if is_json_lines(first, name):
        return "JSON lines", lambda lines: read_json_lines(lines, name)
    return ONE_MAIL, _one_mail


def _mbox(lines: Iterable[bytes]) -> Iterator[Item]:
    return (mail_item(raw, gmail_class(raw)) for raw in split_mbox(lines))


def _one_mail(lines: Iterable[bytes]) -> Iterator[Item]:
    mail = bytearray()
    for line in lines:
        mail += line
        if len(mail) >= MAX_READ_BYTES:
            break
    yield mail_item(bytes(mail[:MAX_READ_BYTES]), None)


def _refuse_no_mail(first: bytes, name: str, formats: str = FORMATS) -> None:
    why = why_no_mail(first)
    if why is not None:
        raise UserError(f"{name} {why} and give {formats}")


def _refuse_classes(classes: str | None, name: str) -> None:
    if classes is not None:
        raise UserError(f"--classes names the classes of folders or of an index, and {name} has none")
