"""Reads lines of JSON objects, within limits; errors have the line's number."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from ...errors import UNDECODABLE, UserError
from ...records.values import LABEL_FORM, cut, is_label
from .base import MAX_READ_BYTES

T = TypeVar("T")
SPLIT = "; split the message"

_NOT_JSON = re.compile(rb"[:,\[]\s*-?(NaN|Infinity)\s*[,\]}]")
_SUFFIXES = (".json", ".jsonl", ".ndjson")


def is_json_lines(first: bytes, name: str) -> bool:
    """Whether a file is JSON lines, by its `name` or its `first` line."""
    return name.lower().endswith(_SUFFIXES) or first.lstrip().startswith(b"{")


def read_objects(
    lines: Iterable[bytes], name: str, decode: Callable[[bytes], T], expected: str
) -> Iterator[tuple[str, int, T]]:
    """Yield (where, line number, object) for each line; blank lines are skipped.

    Args:
        lines: All lines of the file.
        name: The file's name in error messages.
        decode: Decodes one line; raises one of UNDECODABLE.
        expected: A description of a line, for error messages: "an object on each line".

    Raises:
        UserError: A line is too long or does not decode; the message has `name` and the line's number.
    """
    for number, line in enumerate(lines, 1):
        if line.isspace():
            continue
        check_length(line, f"{name} line {number}", _conversion(line.strip()) or SPLIT)
        try:
            found = decode(line)
        except UNDECODABLE as error:
            raise UserError(f"{name} line {number}: {error}; expected {expected}{_advice(line.strip())}") from error
        yield f"{name} line {number}", number, found


def _advice(line: bytes) -> str:
    """How to write numbers that JSON does not have, as Python's `json` does, or `_conversion`."""
    if _NOT_JSON.search(line):
        return "; JSON has no NaN and no Infinity: write null, or leave the field out"
    return _conversion(line)


def _conversion(line: bytes) -> str:
    """How to convert JSON that begins with this line, if it is a list, or an object over several lines."""
    program = "jq -c .[]" if line.startswith(b"[") else "jq -c ." if line == b"{" else ""
    return f"; `{program}` converts this file" if program else ""


def check_length(line: bytes, where: str, advice: str = SPLIT) -> None:
    """Raise UserError, with the file and line (`where`) and `advice`, if a `line` is longer than a mail may be."""
    if len(line) >= MAX_READ_BYTES:
        raise UserError(f"{where}: more than {MAX_READ_BYTES - 1} bytes{advice}")


def check_label(label: str | None, where: str) -> None:
    """Raise UserError, with the file and line (`where`), if a `label` is not valid in records; None is."""
    if label is not None and not is_label(label):
        raise UserError(f"{where}: label {cut(label)!r} is not {LABEL_FORM}")
