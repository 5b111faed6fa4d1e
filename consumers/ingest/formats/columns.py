"""The kind of each column of a table: numbers, categories, or running text; and columns that restate the label."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

from ...errors import UserError
from ...records.sanitize import show_safely
from ...records.values import cut

MOST_SHOWN = 20
"""Maximal number of columns or folders that a message names."""

_WORDS_OF_TEXT = 5
_ROWS_A_CLASS = 10
"""Fewer may have the same value by chance."""
_BOOLEANS = {"true": True, "false": False}
_NUMBER = re.compile(r"[+-]?(?!\d{16,}$)((0|[1-9]\d*)(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_INFINITE = re.compile(r"[+-]?inf(inity)?", re.IGNORECASE)
_MISSING = {"", "na", "n/a", "nan", "null"}


def numeric_columns(
    rows: Iterable[tuple[int, dict[str, str]]], columns: list[str], name: str, point: str
) -> tuple[set[str], dict[str, str]]:
    """The columns of numbers, and for each column that only begins with numbers its first other cell.

    A column without values is not numeric.

    Args:
        rows: The line number of each row, and its cells by column name.
        columns: The columns to examine.
        name: The file's name in error messages.
        point: The decimal separator besides the point, as in `CsvRows`.

    Returns:
        The numeric columns; and by column the line and the text of the first cell that is not a number.

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
            if math.isinf(float(number)):
                too_large.setdefault(column, (line, cell))
            if not infinite:
                met.add(column)
    numeric &= met
    for column in columns:
        if column in numeric & too_large.keys():
            line, cell = too_large[column]
            raise UserError(
                f"{name} line {line}: {column[:80]!r} is {cut(cell)}, which is beyond the range of a double; leave the "
                "cell empty if there is no number"
            )
    return numeric, breaks


def about_columns(columns: list[str], numeric: set[str], breaks: dict[str, str]) -> str:
    """A description of the kind of each of `columns`, and why columns that begin with numbers are categories; `numeric`
    and `breaks` are from `numeric_columns`."""
    numbers = [each for each in columns if each in numeric]
    categories = [
        f"{each[:40]} ({breaks[each]})" if each in breaks else each for each in columns if each not in numeric
    ]
    kinds = (("numbers", numbers), ("categories", categories))
    return "; ".join(["CSV", *(f"{kind} {shown_names(names)}" for kind, names in kinds if names)])


def cell_value(cell: str, number: bool, as_text: bool, point: str) -> float | str | bool | None:
    """The value of a cell; None if it is missing.

    Args:
        cell: The cell's text.
        number: Whether its column is numeric.
        as_text: Whether its column is the label or running text, not a feature.
        point: As for `numeric_columns`.
    """
    cell = cell.strip()
    if cell.lower() in _MISSING:
        return None
    if number:
        return float(cell.replace(point, "."))
    return cell if as_text else _BOOLEANS.get(cell, cell)


def text_columns(rows: Iterable[dict[str, Any]], named: Iterable[str]) -> list[str]:
    """The columns that look like running text: those with five words or more per cell on average.

    Args:
        rows: The cells of the first rows, by column name.
        named: Columns to leave out, because they are already known as label or text.

    >>> text_columns([{"from": "Ann Lee", "body": "see you at noon then"}], [])
    ['body']
    """
    words: Counter[str] = Counter()
    read = 0
    for cells in rows:
        read += 1
        words.update({column: len(cell.split()) for column, cell in cells.items() if isinstance(cell, str)})
    return [column for column in words if words[column] >= _WORDS_OF_TEXT * read and column not in named]


def label_columns(rows: Iterable[tuple[str, dict[str, Any]]]) -> list[str]:
    """The columns that seem to restate the label, like 0 and 1 beside ham and spam.

    Such a column has one value in all rows of a class and another one in each other class. Reading stops at the row
    where no such column is left. Two classes need ten rows or more.

    Args:
        rows: The label of each labelled row, and its cells by column name without the label.

    >>> rows = [("ham", {"size": 7, "spam?": 0}), ("ham", {"size": 9, "spam?": 0}), ("spam", {"size": 7, "spam?": 1})]
    >>> label_columns(rows * 10)
    ['spam?']
    """
    labels: Counter[str] = Counter()
    values: dict[str, dict[str, Any]] | None = None
    for label, cells in rows:
        labels[label] += 1
        values = {column: {} for column in cells} if values is None else values
        for column, of_class in list(values.items()):
            value = cells.get(column)
            if value is None or of_class.get(label) == value:
                continue
            if label in of_class or value in of_class.values():
                del values[column]
            of_class[label] = value
        if not values:
            return []
    if sum(count >= _ROWS_A_CLASS for count in labels.values()) < 2:
        return []
    return [column for column, of_class in (values or {}).items() if len(of_class) == len(labels)]


def shown_names(names: list[str]) -> str:
    """The first of `names`, of columns or folders, truncated and safe to show."""
    first = [show_safely(name, 100) for name in names[:MOST_SHOWN]]
    return ", ".join([*first, "..."] if len(names) > MOST_SHOWN else first)
