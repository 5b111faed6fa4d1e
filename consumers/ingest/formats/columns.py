"""What a column of a table is: numbers, categories, or running text."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

from ...errors import UserError
from ...records.sanitize import show_safely

SHOWN = 20
"""Most columns that a message names."""

_WORDS_OF_TEXT = 5
_BOOLEANS = {"true": True, "false": False}
_NUMBER = re.compile(r"[+-]?(?!\d{16,}$)((0|[1-9]\d*)(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_INFINITE = re.compile(r"[+-]?inf(inity)?", re.IGNORECASE)
_MISSING = {"", "na", "n/a", "nan", "null"}


def numeric_columns(
    rows: Iterable[tuple[int, dict[str, str]]], columns: list[str], name: str, point: str
) -> tuple[set[str], dict[str, str]]:
    """The columns of numbers (a column without any value is none), and of those that begin like one the first cell
    that is none, with its line.

    Args:
        rows: The number of a row's line, and its cells by the names of their columns.
        columns: The columns to look at.
        name: What to call the file in errors.
        point: What may stand before the decimals beside a point, as in `CsvRows`.

    Raises:
        UserError: A number is beyond the range of a double.
    """
    numeric, met = set(columns), set[str]()
    breaks: dict[str, str] = {}
    too_large: dict[str, tuple[int, str]] = {}
    for line, cells in rows:
        for column in list(numeric):
            cell = cells[column].strip()
            if cell.lower() in _MISSING:
                continue
            infinite = _INFINITE.fullmatch(cell) is not None
            number = cell.replace(point, ".")
            if not infinite and not _NUMBER.fullmatch(number):
                numeric.discard(column)
                if column in met:
                    breaks[column] = f"line {line} has {cell[:40]!r}"
                continue
            if infinite or math.isinf(float(number)):
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


def about(columns: list[str], numeric: set[str], breaks: dict[str, str]) -> str:
    """Which columns are what, and what made categories of columns that begin with numbers.

    Args:
        columns: All columns, in order.
        numeric: As `numeric_columns` gave them.
        breaks: Likewise.
    """
    numbers = [each for each in columns if each in numeric]
    categories = [
        f"{each[:40]} ({breaks[each]})" if each in breaks else each for each in columns if each not in numeric
    ]
    kinds = (("numbers", numbers), ("categories", categories))
    return "; ".join(["CSV", *(f"{kind} {shown(names)}" for kind, names in kinds if names)])


def cell_value(cell: str, number: bool, as_text: bool, point: str) -> float | str | bool | None:
    """The value of a cell; None where it is missing.

    Args:
        cell: What the file has.
        number: Whether it is in a column of numbers.
        point: As for `numeric_columns`.
        as_text: Whether it is in a column that is no feature: the label, or the text.
    """
    cell = cell.strip()
    if cell.lower() in _MISSING:
        return None
    if number:
        return float(cell.replace(point, "."))
    return cell if as_text else _BOOLEANS.get(cell, cell)


def text_columns(rows: Iterable[dict[str, Any]], named: Iterable[str]) -> list[str]:
    """The columns that look like running text: those whose cells have some five words each.

    Args:
        rows: The first rows, by the names of their columns.
        named: The columns of which it is known what they are.

    >>> text_columns([{"from": "Ann Lee", "body": "see you at noon then"}], [])
    ['body']
    """
    words: Counter[str] = Counter()
    read = 0
    for cells in rows:
        read += 1
        words.update({column: len(cell.split()) for column, cell in cells.items() if isinstance(cell, str)})
    return [column for column in words if words[column] >= _WORDS_OF_TEXT * read and column not in named]


def shown(header: list[str]) -> str:
    """The names of the first columns, each cut short and safe to show. `header` has all of them."""
    return ", ".join(show_safely(column, 100) for column in header[:SHOWN]) + (", ..." if len(header) > SHOWN else "")
