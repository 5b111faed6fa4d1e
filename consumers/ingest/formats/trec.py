"""A TREC index: a label and a path on each line, in the order of arrival (``spam ../data/inmail.1``)."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from ...errors import UserError
from .base import MailFile, MailSource, files_source, open_file, shuffled
from .class_names import class_names
from .lines import check_label

_LINE = re.compile(r"(\S+)\s+(\S.*)")


def is_trec_index(path: Path, first_line: bytes) -> bool:
    """Whether the first line (`first_line`) of the file at `path` is a label and the path of an existing file."""
    found = _LINE.fullmatch(first_line.decode("utf-8", "replace").strip())
    if found is None:
        return False
    try:
        return (path.parent / found[2]).is_file()
    except OSError:  # the text is too long for a name
        return False


def open_trec(index: Path, shuffle: int | None, classes: str | None, notify: Callable[[str], None]) -> MailSource:
    """Mails in the order of the index, with its labels, or classes by the rules `classes` (see `class_names`).

    Raises UserError for a line that is not a label and a path, or whose label no record may have.

    Args:
        index: The index file; its paths are relative to its folder.
        shuffle: Seed of a random order; None for the order of the index.
        notify: Called with a line for people.
    """
    files: list[MailFile] = []
    with open_file(index) as stream:
        for number, line in enumerate(stream, 1):
            text = line.decode("utf-8", "replace").strip()
            if not text:
                continue
            found = _LINE.fullmatch(text)
            if found is None or "\0" in text:
                raise UserError(f"{index} line {number}: {text[:80]!r} is not 'LABEL PATH' (spam ../data/inmail.1)")
            if classes is None:
                check_label(found[1], f"{index} line {number}")
            files.append(MailFile(index.parent / found[2], found[1], found[1]))
    if classes is not None:
        named = class_names(dict.fromkeys(file.folder for file in files), classes, notify)
        files = [MailFile(file.path, file.folder, named[file.folder]) for file in files]
    return files_source("TREC index", files if shuffle is None else shuffled(files, shuffle))
