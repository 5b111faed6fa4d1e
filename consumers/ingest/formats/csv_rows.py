"""CSV as it occurs in practice: the names of its columns and its rows.

The first line has the column names and determines the separator: comma, semicolon or tab, which a file ``.tsv`` has
whatever its names contain. A line ``sep=;`` before it, which programs write for Excel, names the separator instead. In
a file with the same number of tabs on every line no cell needs quotes; if such a file has a misplaced or unclosed
quote, all its quotes are ordinary characters. A line that is not UTF-8 is read as Windows-1252. A column without a name
is left out, like the row numbers of pandas and the empty columns of spreadsheets. The last two are reported.
"""

from __future__ import annotations

import csv
import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from ...errors import UserError
from ...records.number_text import many
from .base import MAX_READ_BYTES
from .columns import numeric_columns, shown_names
from .lines import check_length

Lines = Callable[[], Iterable[bytes]]

_SEPARATORS = ",;\t"
_SEPARATOR_LINE = re.compile(rf'"?sep=[{_SEPARATORS}]"?\s*', re.IGNORECASE)
_SAMPLE_ROWS = 100
"""How many rows are searched for a cell that equals its column's name."""


class CsvRows:
    """The rows of a CSV file.

    Args:
        lines: Returns the lines from the first on, each time it is called.
        name: The file's name in messages.
        notify: Called with a line for people about what is left out or may be misread.

    Raises:
        UserError: The first line is not a header; while iterating, a row has another number of cells than the header.
    """

    def __init__(self, lines: Lines, name: str, notify: Callable[[str], None]) -> None:
        self._lines = lines
        self._name = name
        first, second = [*itertools.islice(lines(), 2), b"", b""][:2]
        if b"\0" in first:
            raise UserError(f"{name} is UTF-16 or not text; save the file as UTF-8")
        csv.field_size_limit(MAX_READ_BYTES)
        of_tabs = name.lower().endswith(".tsv") and b"\t" in first
        self._separator = "\t" if of_tabs else max(_SEPARATORS, key=_decoded(first).count)
        first, self._header_line = (second, 2) if _SEPARATOR_LINE.fullmatch(_decoded(first)) else (first, 1)
        self.point = "," if self._separator == ";" else "."
        """The decimal separator that is accepted besides the point: a comma if semicolons separate the cells."""
        self._quoting = self._check_lines(first, notify)
        self._header = [name.strip() for name in next(self._cells(), (0, list[str]()))[1]]
        self.columns = [column for column in self._header if column]
        """The names of the columns, in order."""
        self._check_header()
        if unnamed := [str(number) for number, column in enumerate(self._header, 1) if not column]:
            notify(f"{name}: columns without a name in line {self._header_line} are left out: {shown_names(unnamed)}")
        if doubt := self._header_doubt():
            first = f"line {self._header_line}"
            notify(f"{name}: {first} is read as column names, but {doubt}; if {first} is a row, insert a line with "
                   "column names before it")  # fmt: skip

    def __iter__(self) -> Iterator[tuple[int, dict[str, str]]]:
        """Yield the number of each row's last line, and its cells by column name."""
        for line, cells in itertools.islice(self._cells(), 1, None):
            if not cells:
                continue
            if len(cells) != len(self._header):
                raise UserError(
                    f"{self._name} line {line}: {many(len(cells), 'cell')}, but the header has {len(self._header)}; "
                    f"give each row as many as the header, and quote a cell that contains {self._separator!r}"
                )
            yield line, {column: cell for column, cell in zip(self._header, cells, strict=True) if column}

    def _check_lines(self, first: bytes, notify: Callable[[str], None]) -> bool:
        """Check all lines, and report lines that are not UTF-8; return whether quotes are CSV quotes."""
        tabs = first.count(b"\t")
        even, closed = self._separator == "\t", True
        other, line_of_other = 0, 0
        for number, line in self._numbered():
            check_length(line, f"{self._name} line {number}")
            even = even and (line.count(b"\t") == tabs or line.isspace())
            closed = closed and not (even and b'"' in line and not _is_csv(line))
            if not _is_utf8(line):
                other, line_of_other = other + 1, line_of_other or number
        if other:
            notify(f"{self._name}: {many(other, 'line is', 'lines are')} not UTF-8, the first is line {line_of_other}; "
                   "read as Windows-1252")  # fmt: skip
        return closed or not even

    def _numbered(self) -> Iterator[tuple[int, bytes]]:
        """Yield the lines from the header on, with their numbers."""
        return itertools.islice(enumerate(self._lines(), 1), self._header_line - 1, None)

    def _cells(self) -> Iterator[tuple[int, list[str]]]:
        """Yield the rows, each with the number of its last line."""
        quoting = csv.QUOTE_MINIMAL if self._quoting else csv.QUOTE_NONE
        lines = (_decoded(line) for _, line in self._numbered())
        reader = csv.reader(lines, delimiter=self._separator, quoting=quoting, strict=True)
        begin = self._header_line
        try:
            for cells in reader:
                line = reader.line_num + self._header_line - 1
                yield line, cells
                begin = line + 1
        except csv.Error as error:
            what = str(error).partition(" - ")[0]  # the text after the dash is advice to programmers
            raise UserError(
                f"{self._name} line {begin}: {what}; expected CSV, in which a cell with quotes is enclosed in quotes, "
                "and its own quotes are doubled"
            ) from error

    def _check_header(self) -> None:
        where = f"{self._name} line {self._header_line}"
        if len(self._header) < 2 or not self.columns:
            raise UserError(
                f"{where}: {shown_names(self._header)} is not a header of two columns or more, separated by commas, "
                "semicolons or tabs"
            )
        twice = [column for column, count in Counter(self.columns).items() if count > 1]
        if twice:
            raise UserError(f"{where}: two columns are called {twice[0][:40]!r}; give each its own name")

    def _header_doubt(self) -> str:
        """Why the first line may be a row, and the file have no header; empty if nothing says so."""
        names = {column: column for column in self.columns}
        numeric, _ = numeric_columns([(self._header_line, names)], self.columns, self._name, self.point)
        if numeric == names.keys():
            return "all of them are numbers"
        for line, cells in itertools.islice(self, _SAMPLE_ROWS):
            for column, cell in cells.items():
                if cell == column:
                    return f"line {line} also has {cell[:40]!r} in that column"
        return ""


def _decoded(line: bytes) -> str:
    return line.decode() if _is_utf8(line) else line.decode("cp1252", "replace")


def _is_csv(line: bytes) -> bool:
    """Whether all quotes in a line of tab-separated cells enclose cells."""
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
