"""Lines of JSON, each an object that becomes a message: numbered, within limits, errors with the line."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from ...errors import UNDECODABLE, UserError
from ...records.values import LABEL_FORM, is_label
from .base import MAX_READ_BYTES

T = TypeVar("T")

_SUFFIXES = (".json", ".jsonl", ".ndjson")


def is_json(first: bytes, name: str) -> bool:
    """Whether the name of a file or its first line says that it is JSON lines.

    Args:
        first: The first line; a byte order mark may be before it.
        name: What the file is called.
    """
    return name.lower().endswith(_SUFFIXES) or first.removeprefix(BOM_UTF8).lstrip().startswith(b"{")


def read_objects(
    lines: Iterable[bytes], name: str, decode: Callable[[bytes], T], expected: str
) -> Iterator[tuple[str, int, T]]:
    """The place, the line's number and the object of each line; blank lines are passed over.

    Args:
        lines: The lines from the first on.
        name: What the file is called in errors.
        decode: Reads one line; raises one of UNDECODABLE.
        expected: What a line is, for errors: "an object a line".

    Raises:
        UserError: A line is too long or no such object; the message has `name` and the line's number.
    """
    for number, line in enumerate(lines, 1):
        line = line.removeprefix(BOM_UTF8) if number == 1 else line
        if line.isspace():
            continue
        check_length(line, f"{name} line {number}")
        try:
            found = decode(line)
        except UNDECODABLE as error:
            raise UserError(f"{name} line {number}: {error}; expected is {expected}") from error
        yield f"{name} line {number}", number, found


def check_length(line: bytes, place: str) -> None:
    """Raises UserError for a line that is longer than a mail may be.

    Args:
        line: The bytes of the line.
        place: Where it is, for the error.
    """
    if len(line) >= MAX_READ_BYTES:
        raise UserError(f"{place}: more than {MAX_READ_BYTES - 1} bytes; split the message")


def check_label(label: str | None, place: str) -> None:
    """Raises UserError for a label that records cannot have.

    Args:
        label: The label; None passes.
        place: Where it is, for the error.
    """
    if label is not None and not is_label(label):
        raise UserError(f"{place}: label {label[:40]!r} is not {LABEL_FORM}")
