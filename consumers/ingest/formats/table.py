"""Tables: CSV with a header row, or a flat JSON object on each line; each row is a message, its columns are features.

A CSV column is numeric if all its cells are numbers or missing, else it is categorical, with ``true`` and ``false`` as
booleans, as in JSON. JSON values keep their types. Codes are not numbers: those with a zero before another digit
(``01234``), or with more than 15 digits, which a double cannot represent. In a file separated by semicolons, a comma is
also a decimal point, because spreadsheets write ``1,5`` there. Empty cells, ``NA``, ``N/A``, ``NaN`` and ``null`` in
any case are missing. One column may be the label and others the text; of several text columns the first is the subject.
Unless others are named, CSV columns called like the fields of a record, ``label``, ``text`` and ``subject`` beside it,
are these.
"""

from __future__ import annotations

import hashlib
import itertools
import re
import shlex
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from ...errors import BadRecord, UserError
from ...records.sanitize import show_safely
from ...records.schemas import MailRecord, encode
from ...records.values import check_values
from ..feeder import Item
from .base import MailSource, shuffled
from .columns import MOST_SHOWN, about_columns, cell_value, label_columns, numeric_columns, shown_names, text_columns
from .csv_rows import CsvRows, Lines
from .lines import check_label, is_json_lines, read_objects

SUFFIXES = (".csv", ".tsv")
"""The ends of names of CSV files."""
_SAMPLE_ROWS = 100
"""How many rows are examined for columns of running text."""
_WHOLE = re.compile(r"(0|-?[1-9]\d*)\.0", re.ASCII)
"""A label like 1.0, which is the same class as 1: pandas writes 1.0 if a label of the column is missing."""
_decode = msgspec.json.Decoder(dict[str, Any]).decode


class Columns(NamedTuple):
    """The columns that are not features: the label (None: there is none), and the columns of running text. Of several
    text columns the first is the mail's subject, and the others, in this order, are its text."""

    label: str | None = None
    text: tuple[str, ...] = ()

    @property
    def named(self) -> tuple[str, ...]:
        """The label and text columns."""
        return self.text if self.label is None else (self.label, *self.text)


class Row(NamedTuple):
    """A row: its line number in the file, and its cells by column name."""

    line: int
    cells: dict[str, Any]


def is_table(name: str) -> bool:
    """Whether a file is a table or JSON lines by its `name`, and so not a mail."""
    return name.lower().endswith(SUFFIXES) or is_json_lines(b"", name)


def open_table(
    first: bytes, lines: Lines, name: str, columns: Columns, shuffle: int | None, notify: Callable[[str], None]
) -> MailSource:
    """The messages of a table.

    Args:
        first: The first line.
        lines: Returns the lines from the first on, each time it is called.
        name: The file's name in error messages and ids.
        columns: The columns that are not features.
        shuffle: Seed of a random order; None for the order of the file.
        notify: Called with a line for people about running text that is read as a category, about columns that seem to
            restate the label, and by `CsvRows`.

    Raises:
        UserError: A column does not exist, a row has another number of cells than the header, or a value is invalid;
            the message has the line's number.
    """
    if is_json_lines(first, name):
        description, header = "JSON lines", list[str]()
        _check_columns(columns, _json_rows(lines(), name), name)

        def rows() -> Iterator[Row]:
            return _json_rows(lines(), name)

    else:
        table = CsvRows(lines, name, notify)
        columns = _or_like_fields(columns, table.columns)
        _check_columns(columns, [Row(1, dict.fromkeys(table.columns))], name)
        kept = [each for each in table.columns if each not in columns.named]
        numeric, breaks = numeric_columns(table, kept, name, table.point)
        description, header = about_columns(kept, numeric, breaks), table.columns

        def rows() -> Iterator[Row]:
            return _typed(table, numeric, columns, name)

    first_cells = [cells for _, cells in itertools.islice(rows(), _SAMPLE_ROWS)]
    if texts := text_columns(first_cells, columns.named)[:MOST_SHOWN]:
        options = " ".join(f"--text-column {shlex.quote(text[:80])}" for text in texts)
        what = "looks like text, but is read as a category" if len(texts) == 1 else "look like text, but are categories"
        notify(f"{name}: {shown_names(texts)} {what}; to read the words give {options}")

    if again := label_columns(_labelled(rows(), columns)):
        what = "has one value per class" if len(again) == 1 else "have one value per class"
        notify(f"{name}: {shown_names(again)} {what}; if that is the label again, remove it from the file, because it "
               "gives the class away")  # fmt: skip

    title = show_safely(Path(name).name[:80], 80)

    def read() -> Iterator[Item]:
        return (_item(row, name, title, columns) for row in rows())

    unlabelled = "" if first_cells else f"{name}: a header without rows; expected a row for each message below it"
    if columns.label is None:
        names = header or list(dict.fromkeys(itertools.chain(*first_cells)))
        unlabelled = (
            f"{name}: no column is the class; name one with --label-column; the columns are {shown_names(names)}"
        )
    ordered = read if shuffle is None else lambda: shuffled(read(), shuffle)
    return MailSource(description, None, ordered, unlabelled=unlabelled, features=True)


def _or_like_fields(columns: Columns, names: list[str]) -> Columns:
    """The columns that are named, else those that are called like the fields of a record."""
    label, text = columns.label, columns.text
    if label is None and "label" in names and "label" not in text:
        label = "label"
    if not text and "text" in names and label != "text":
        text = tuple(each for each in ("subject", "text") if each in names and each != label)
    return Columns(label, text)


def _item(row: Row, name: str, title: str, columns: Columns) -> Item:
    where = f"{name} line {row.line}"
    cells = dict(row.cells)
    label = _label(cells.pop(columns.label, None)) if columns.label is not None else None
    subject, text = _subject_and_text([cells.pop(column, None) for column in columns.text])
    check_label(label, where)
    try:
        check_values({}, cells)
    except BadRecord as error:
        raise UserError(f"{where}: {error.detail}") from error
    content = encode(MailRecord("", text, {}, dict(sorted(cells.items())), subject=subject))
    # Rows may be equal, so the line is part of the id.
    digest = hashlib.sha256(content).hexdigest()[:12]
    message_id = f"{title}:{row.line}:{digest}"
    return Item(message_id, encode(MailRecord(message_id, text, {}, cells, subject=subject)), label)


def _labelled(rows: Iterable[Row], columns: Columns) -> Iterator[tuple[str, dict[str, Any]]]:
    """The label of each row that has one, and its features."""
    for _, cells in rows:
        if columns.label is not None and (label := _label(cells.get(columns.label))) is not None:
            yield label, {column: value for column, value in cells.items() if column not in columns.named}


def _label(value: Any) -> str | None:
    if value is None:
        return None
    text = str(value).lower() if isinstance(value, bool) else str(value)
    whole = _WHOLE.fullmatch(text)
    return whole[1] if whole else text


def _subject_and_text(values: list[Any]) -> tuple[str, str]:
    texts = ["" if value is None else str(value) for value in values]
    return (texts[0], "\n".join(texts[1:])) if len(texts) > 1 else ("", "".join(texts))


def _check_columns(columns: Columns, rows: Iterable[Row], name: str) -> None:
    """Raise UserError for a column that no row has. Reading stops at the row where all have been found."""
    wanted = list(columns.named)
    met: dict[str, None] = {}
    for _, cells in rows:
        wanted = [each for each in wanted if each not in cells]
        if not wanted:
            return
        if len(met) <= MOST_SHOWN:
            met.update(dict.fromkeys(cells))
    if wanted and met:
        raise UserError(f"{name}: no column is called {wanted[0]!r}; the columns are {shown_names(list(met))}")


def _json_rows(lines: Iterable[bytes], name: str) -> Iterator[Row]:
    for where, number, cells in read_objects(lines, name, _decode, "an object on each line"):
        for column, value in cells.items():
            if not isinstance(value, str | int | float | None):
                raise UserError(
                    f"{where}: {column[:80]!r} is a {type(value).__name__}; expected a number, a string, true, false "
                    "or null"
                )
        yield Row(number, cells)


def _typed(rows: CsvRows, numeric: set[str], columns: Columns, name: str) -> Iterator[Row]:
    named, point = columns.named, rows.point
    for line, cells in rows:
        try:
            typed = {key: cell_value(cell, key in numeric, key in named, point) for key, cell in cells.items()}
        except ValueError as error:  # not so when the columns were examined
            raise UserError(f"{name} line {line}: the file changed while it was read; use a copy of it") from error
        yield Row(line, typed)
