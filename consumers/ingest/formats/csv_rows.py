"""CSV as people have it: the names of its columns and its rows.

The first line has the names of the columns, and decides what separates cells: commas, semicolons or tabs. Where tabs do
and every line has as many, no cell needs quotes: if one has a quote that is not closed, or not where it should be, all
quotes of the file are characters like any other. A line that is not UTF-8 is Windows-1252. A column without a name is
left out: pandas writes the numbers of rows so, and spreadsheets empty columns. The last two are said.
"""

from __future__ import annotations

import csv
import itertools
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterable, Iterator

from ...errors import UserError
from ..plural import many
from .base import MAX_READ_BYTES
from .columns import shown
from .lines import check_length

Lines = Callable[[], Iterable[bytes]]

_SEPARATORS = ",;\t"
_LOOKED_AT = 100
"""Rows in which a name of a column is looked for."""


class CsvRows:
    """The rows of a CSV file.

    Args:
        lines: Gives its lines from the first on, each time it is called.
        name: What to call it in errors.
        notify: Called with a line for people where something is left out, or may be other than it is read.

    Raises:
        UserError: The first line names no columns; while iterating, a row is not as long as the first line.
    """

    def __init__(self, lines: Lines, name: str, notify: Callable[[str], None]) -> None:
        self._lines = lines
        self._name = name
        first = next(iter(lines()), b"")
        if first.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) or b"\0" in first:
            raise UserError(f"{name} is UTF-16, or no text; write the file in UTF-8")
        csv.field_size_limit(MAX_READ_BYTES)
        text = _decoded(first)
        self._separator = max(_SEPARATORS, key=text.count)
        self.point = "," if self._separator == ";" else "."
        """What numbers may have before their decimals, beside a point: between semicolons, a comma."""
        self._quoting = self._look_through(first, notify)
        self._header = [name.strip() for name in next(self._cells())[1]]
        self.columns = [column for column in self._header if column]
        """The names of the columns, in order."""
        self._check_header()
        if unnamed := [number for number, column in enumerate(self._header, 1) if not column]:
            which = ", ".join(map(str, unnamed[:20])) + (", ..." if len(unnamed) > 20 else "")
            notify(f"{name}: left out, as line 1 has no name for it: column {which}")
        self._doubt_header(notify)

    def __iter__(self) -> Iterator[tuple[int, dict[str, str]]]:
        """The number of each row's last line, and its cells by the names of their columns."""
        for line, cells in itertools.islice(self._cells(), 1, None):
            if not cells:
                continue
            if len(cells) != len(self._header):
                raise UserError(
                    f"{self._name} line {line}: {many(len(cells), 'cell')}, and the header has {len(self._header)}; "
                    f"give each row as many, and a cell with {self._separator!r} in it quotes"
                )
            yield line, {column: cell for column, cell in zip(self._header, cells, strict=True) if column}

    def _look_through(self, first: bytes, notify: Callable[[str], None]) -> bool:
        """Whether quotes may stand around cells. Says which lines are not UTF-8."""
        tabs = first.count(b"\t")
        even, closed = self._separator == "\t", True
        other, line_of_other = 0, 0
        for number, line in enumerate(self._lines(), 1):
            check_length(line, f"{self._name} line {number}")
            even = even and (line.count(b"\t") == tabs or line.isspace())
            closed = closed and not (even and b'"' in line and not _is_csv(line))
            if not _is_utf8(line):
                other, line_of_other = other + 1, line_of_other or number
        if other:
            notify(f"{self._name}: {many(other, 'line is', 'lines are')} not UTF-8, the first is line {line_of_other}; "
                   "read as Windows-1252")  # fmt: skip
        return closed or not even

    def _cells(self) -> Iterator[tuple[int, list[str]]]:
        """The rows, each with the number of its last line."""
        quoting = csv.QUOTE_MINIMAL if self._quoting else csv.QUOTE_NONE
        lines = (_decoded(line) for line in self._lines())
        reader = csv.reader(lines, delimiter=self._separator, quoting=quoting, strict=True)
        begin = 1
        try:
            for cells in reader:
                yield reader.line_num, cells
                begin = reader.line_num + 1
        except csv.Error as error:
            what = str(error).partition(" - ")[0]  # behind the dash is advice to programmers
            raise UserError(
                f"{self._name} line {begin}: {what}; expected is CSV, in which a cell with quotes has quotes around "
                "it, and each of its own twice"
            ) from error

    def _check_header(self) -> None:
        if len(self._header) < 2 or not self.columns:
            raise UserError(
                f"{self._name} line 1: {shown(self._header)} is no header of two columns or more, separated by commas, "
                "semicolons or tabs"
            )
        twice = [column for column in self.columns if self.columns.count(column) > 1]
        if twice:
            raise UserError(f"{self._name} line 1: a column is called {twice[0][:40]!r}; give each one name of its own")

    def _doubt_header(self, notify: Callable[[str], None]) -> None:
        """Say so where the first line is like the others: it may be a row, and the file may name no columns."""
        for line, cells in itertools.islice(self, _LOOKED_AT):
            for column, cell in cells.items():
                if cell == column:
                    notify(
                        f"{self._name}: line 1 is read as the names of the columns, and line {line} has {cell[:40]!r} "
                        "in its column, too; if line 1 is a row, put a line of names before it"
                    )
                    return


def _decoded(line: bytes) -> str:
    return line.decode("utf-8-sig") if _is_utf8(line) else line.decode("cp1252", "replace")


def _is_csv(line: bytes) -> bool:
    """Whether a line with tabs between cells has all its quotes around cells."""
    try:
        list(csv.reader([_decoded(line)], delimiter="\t", strict=True))
    except csv.Error:
        return False
    return True


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True
