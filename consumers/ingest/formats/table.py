"""Tables: CSV with a header row, or a flat JSON object a line; each row is a message, its columns are features.

A CSV column is one of numbers when all its cells are numbers or missing, else one of categories, in which ``true`` and
``false`` are the booleans that they are in JSON; of JSON each value is what it is. Codes are no numbers: with a zero
before another digit (``01234``), or of more than 15 digits, which a double does not hold. Missing are empty cells,
``NA``, ``N/A``, ``NaN`` and ``null`` in any case. One column may be the label, another the text.
"""

from __future__ import annotations

import csv
import hashlib
import math
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from ...errors import BadRecord, UserError
from ...records.schemas import MailRecord, encode
from ...records.values import check_values
from ..feeder import Item
from .base import MailSource, shuffled
from .lines import check_label, check_length, is_json, read_objects

SUFFIXES = (".csv", ".tsv")
SHOWN = 20
"""Most columns that a message names."""

_SEPARATORS = ",;\t"
_BOOLEANS = {"true": True, "false": False}
_NUMBER = re.compile(r"[+-]?(?!\d{16,}$)((0|[1-9]\d*)(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_INFINITE = re.compile(r"[+-]?inf(inity)?", re.IGNORECASE)
_MISSING = {"", "na", "n/a", "nan", "null"}
_decode = msgspec.json.Decoder(dict[str, Any]).decode

Lines = Callable[[], Iterable[bytes]]


class Columns(NamedTuple):
    """Which columns are no features: the label, and the running text; None where there is none."""

    label: str | None = None
    text: str | None = None


class Row(NamedTuple):
    """A row by the names of its columns, and the number of its line in the file."""

    line: int
    cells: dict[str, Any]


def open_table(first: bytes, lines: Lines, name: str, columns: Columns, shuffle: int | None) -> MailSource:
    """The messages of a table.

    Args:
        first: Its first line.
        lines: Gives its lines from the first on, each time it is called.
        name: What to call it in errors and ids.
        columns: The columns that are no features.
        shuffle: Seed of a random order; None for the order of the file.

    Raises:
        UserError: A column is not there, a row is not as long as the header, or a value cannot be used; the message
            names the line.
    """
    if is_json(first, name):
        about = "JSON lines"
        _check_columns(columns, _json_rows(lines(), name), name)

        def rows() -> Iterator[Row]:
            return _json_rows(lines(), name)

    else:
        header = _header(lines(), name)
        _check_columns(columns, [Row(1, dict.fromkeys(header))], name)
        kept = [each for each in header if each not in columns]
        numeric, breaks = _numeric(_records(lines(), header, name), kept, name)
        about = _about(kept, numeric, breaks)

        def rows() -> Iterator[Row]:
            return _typed(_records(lines(), header, name), numeric, columns)

    def read() -> Iterator[Item]:
        return (_item(row, name, columns) for row in rows())

    return MailSource(about, None, read if shuffle is None else lambda: shuffled(read(), shuffle))


def _item(row: Row, name: str, columns: Columns) -> Item:
    place = f"{name} line {row.line}"
    cells = dict(row.cells)
    label, text = (cells.pop(column, None) if column is not None else None for column in columns)
    if isinstance(label, float) and label.is_integer():
        label = int(label)
    label = None if label is None else str(label)
    check_label(label, place)
    try:
        check_values({}, cells)
    except BadRecord as error:
        raise UserError(f"{place}: {error.detail}") from error
    content = encode(MailRecord("", "" if text is None else str(text), {}, dict(sorted(cells.items()))))
    # Rows may be equal, so the line is part of the id.
    digest = hashlib.sha256(content).hexdigest()[:12]
    message_id = f"{Path(name).name[:80]}:{row.line}:{digest}"
    return Item(message_id, encode(MailRecord(message_id, "" if text is None else str(text), {}, cells)), label)


def _check_columns(columns: Columns, rows: Iterable[Row], name: str) -> None:
    """Raise UserError for a column that no row has; mostly the first row has them all, and the rest is not read."""
    wanted = [each for each in columns if each is not None]
    met: dict[str, None] = {}
    for _, cells in rows:
        wanted = [each for each in wanted if each not in cells]
        if not wanted:
            return
        if len(met) <= SHOWN:
            met.update(dict.fromkeys(cells))
    if wanted and met:
        raise UserError(f"{name}: no column is called {wanted[0]!r}; the columns are {_shown(list(met))}")


def _json_rows(lines: Iterable[bytes], name: str) -> Iterator[Row]:
    for place, number, cells in read_objects(lines, name, _decode, "an object a line"):
        for column, value in cells.items():
            if not isinstance(value, str | int | float | None):
                raise UserError(
                    f"{place}: {column[:80]!r} is a {type(value).__name__}; expected is a number, a text, true, false "
                    "or null"
                )
        yield Row(number, cells)


def _csv_rows(lines: Iterator[bytes], name: str) -> Iterator[tuple[int, list[str]]]:
    """The rows, each with the number of its last line, the first line of the header deciding what separates cells."""
    first = next(lines, b"")
    text = _decoded(first, name, 1).removeprefix("\ufeff")
    separator = max(_SEPARATORS, key=text.count)

    def decoded() -> Iterator[str]:
        yield text
        for number, line in enumerate(lines, 2):
            yield _decoded(line, name, number)

    reader = csv.reader(decoded(), delimiter=separator, strict=True)
    try:
        for cells in reader:
            yield reader.line_num, cells
    except csv.Error as error:
        raise UserError(f"{name} line {reader.line_num}: {error}; expected is CSV with a header row") from error


def _decoded(line: bytes, name: str, number: int) -> str:
    check_length(line, f"{name} line {number}")
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        raise UserError(f"{name} line {number}: {error}; write the file in UTF-8") from error


def _header(lines: Iterable[bytes], name: str) -> list[str]:
    _, header = next(_csv_rows(iter(lines), name))
    if len(header) < 2:
        raise UserError(f"{name} line 1: {_shown(header)} is no header of two columns or more")
    twice = [column for column in header if not column or header.count(column) > 1]
    if twice:
        raise UserError(f"{name} line 1: a column is called {twice[0][:40]!r}; give each one name of its own")
    return header


def _records(lines: Iterable[bytes], header: list[str], name: str) -> Iterator[Row]:
    rows = _csv_rows(iter(lines), name)
    next(rows, None)
    for line, cells in rows:
        if not cells:
            continue
        if len(cells) != len(header):
            raise UserError(f"{name} line {line}: {len(cells)} cells, and the header has {len(header)}")
        yield Row(line, dict(zip(header, cells, strict=True)))


def _numeric(rows: Iterable[Row], columns: list[str], name: str) -> tuple[set[str], dict[str, str]]:
    """The columns of numbers (a column without any value is none), and of those that begin like one the first cell
    that is none, with its line."""
    numeric, met = set(columns), set[str]()
    breaks: dict[str, str] = {}
    too_large: dict[str, tuple[int, str]] = {}
    for line, cells in rows:
        for column in list(numeric):
            cell = cells[column].strip()
            if cell.lower() in _MISSING:
                continue
            infinite = _INFINITE.fullmatch(cell) is not None
            if not infinite and not _NUMBER.fullmatch(cell):
                numeric.discard(column)
                if column in met:
                    breaks[column] = f"line {line} has {cell[:40]!r}"
                continue
            if infinite or math.isinf(float(cell)):
                too_large.setdefault(column, (line, cell))
            if not infinite:
                met.add(column)
    numeric &= met
    for column in columns:
        if column in numeric & too_large.keys():
            line, cell = too_large[column]
            raise UserError(
                f"{name} line {line}: {column[:80]!r} is {cell[:40]}, which is beyond the range of a double; leave the "
                "cell empty where there is no number"
            )
    return numeric, breaks


def _about(columns: list[str], numeric: set[str], breaks: dict[str, str]) -> str:
    """Which columns are what, and what made categories of columns that begin with numbers."""
    numbers = [each for each in columns if each in numeric]
    categories = [
        f"{each[:40]} ({breaks[each]})" if each in breaks else each for each in columns if each not in numeric
    ]
    kinds = (("numbers", numbers), ("categories", categories))
    return "; ".join(["CSV", *(f"{kind} {_shown(names)}" for kind, names in kinds if names)])


def _typed(rows: Iterable[Row], numeric: set[str], columns: Columns) -> Iterator[Row]:
    for line, cells in rows:
        yield Row(line, {column: _value(cell, column in numeric, column in columns) for column, cell in cells.items()})


def _value(cell: str, number: bool, as_text: bool) -> float | str | bool | None:
    """The value of a cell; with `as_text`, of a column that is no feature."""
    cell = cell.strip()
    if cell.lower() in _MISSING:
        return None
    if number:
        return float(cell)
    return cell if as_text else _BOOLEANS.get(cell, cell)


def _shown(header: list[str]) -> str:
    return ", ".join(column[:100] for column in header[:SHOWN]) + (", ..." if len(header) > SHOWN else "")
