"""Variants of CSV: encodings, quotes, unnamed columns, no header; values of cells are tested in `test_table`."""

import csv
from io import BytesIO

import pytest

from consumers.errors import UserError
from consumers.ingest.formats import open_source
from consumers.ingest.formats.csv_rows import CsvRows
from consumers.ingest.formats.table import Columns


def read(content: bytes, said: list[str] | None = None):
    rows = CsvRows(lambda: BytesIO(content), "t.csv", ([] if said is None else said).append)
    return rows.columns, [tuple(cells.values()) for _, cells in rows]


def test_lines_that_are_not_utf_8_are_read_as_windows_1252_and_reported_once():
    said: list[str] = []
    content = b"class,text\nspam,win \xa31000 \x93now\x94 \x81\nham,\xc3\xbcber\nspam,\xa35\n"

    assert read(content, said)[1] == [("spam", "win £1000 “now” \ufffd"), ("ham", "über"), ("spam", "£5")]
    assert said == ["t.csv: 2 lines are not UTF-8, the first is line 2; read as Windows-1252"]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_refused(encoding):
    with pytest.raises(UserError, match=r"^t.csv is UTF-16 or not text; save the file as UTF-8$"):
        read("class,text\nham,hello\n".encode(encoding))


@pytest.mark.parametrize(
    ("start", "advice"), [(b"\x1f\x8b\x08\x00", "unpack it and"), (b"PK\x03\x04", "or save a spreadsheet as CSV, and")]
)
def test_a_compressed_table_is_refused(tmp_path, start, advice):
    (tmp_path / "t.csv").write_bytes(start + b"a,b\n1,2\n")
    with pytest.raises(UserError, match=f"t.csv is compressed; .*{advice} give"):
        open_source(tmp_path / "t.csv", columns=Columns("b"))


@pytest.mark.parametrize(
    ("first", "content"),
    [
        (b"sep=;", b"class;text\nspam;a, b, c\nham;d\n"),
        (b"SEP=,\r", b'class,text\nspam,"a, b, c"\nham,d\n'),
        (b'"sep=\t"', b"class\ttext\nspam\ta, b, c\nham\td\n"),
    ],
)
def test_a_line_for_excel_names_the_separator(first, content):
    assert read(first + b"\n" + content) == (["class", "text"], [("spam", "a, b, c"), ("ham", "d")])


def test_a_file_tsv_has_tabs_whatever_its_names_contain():
    rows = CsvRows(lambda: BytesIO(b"class\tthis, that, other\nham\ta, b\n"), "t.TSV", lambda line: None)
    assert rows.columns == ["class", "this, that, other"]
    rows = CsvRows(lambda: BytesIO(b"class,text\nham,a\n"), "t.tsv", lambda line: None)
    assert rows.columns == ["class", "text"]


def test_lines_are_counted_from_the_line_for_excel_on():
    rows = CsvRows(lambda: BytesIO(b"sep=;\nclass;text\nspam;a\n"), "t.csv", lambda line: None)

    assert [line for line, _ in rows] == [3]
    with pytest.raises(UserError, match=r"^t.csv line 4: 3 cells, but the header has 2"):
        read(b"sep=;\nclass;text\nspam;a\nham;b;c\n")
    with pytest.raises(UserError, match=r"^t.csv line 2: two columns are called 'text'"):
        read(b"sep=;\ntext;text\n")
    with pytest.raises(UserError, match=r"^t.csv line 2:  is not a header"):
        read(b"sep=;\n")


def test_spaces_around_names_are_dropped():
    assert read(b"class, text ,  \nham, hello,\n") == (["class", "text"], [("ham", " hello")])
    with pytest.raises(UserError, match="two columns are called 'text'; give each its"):
        read(b"text, text\nham,hello\n")


def test_columns_without_a_name_are_left_out():
    said: list[str] = []

    assert read(b",v1,v2,,\n0,ham,hello,,\n1,spam,win,now,\n", said) == (
        ["v1", "v2"],
        [("ham", "hello"), ("spam", "win")],
    )
    assert said == ["t.csv: columns without a name in line 1 are left out: 1, 4, 5"]
    with pytest.raises(UserError, match="line 1: , ,  is not a header"):
        read(b",,\n1,2,3\n")
    read(b"a" + b"," * 30 + b"\n", said)
    assert said[1].endswith("left out: " + "".join(f"{number}, " for number in range(2, 22)) + "...")


@pytest.mark.parametrize("text", ['"Life is nothing', '"Life" is nothing'])
def test_between_tabs_unclosed_quotes_are_characters_if_no_cell_needs_quotes(text):
    rows = [("ham", text), ("spam", "win"), ("ham", '"no"'), ("ham", 'the end"')]
    content = "".join(f"{a}\t{b}\n" for a, b in [("class", "text"), *rows]).encode() + b"\n"

    assert read(content)[1] == rows


@pytest.mark.parametrize(
    "content", [b'a\tb\n1\t"two\nlines"\n', b'a\tb\n1\t"two\tcells"\n', b'"a"\t"b"\n"1"\t"2"\n', b'a\tb\n1\t"2, 3"\n']
)
def test_between_tabs_quotes_around_cells_are_removed(content):
    (row,) = read(content)[1]
    assert '"' not in "".join(row)


def test_an_unclosed_quote_is_reported_with_the_first_line_of_its_row():
    with pytest.raises(UserError, match=r"^t.csv line 3: unexpected end of data; expected CSV, in which a cell"):
        read(b'a,b\n1,x\n2,"y\n3,z\n4,z\n')


def test_a_carriage_return_outside_quotes_is_reported_without_advice_for_programmers():
    with pytest.raises(UserError, match=r"^t.csv line 2: new-line character seen in unquoted field; expected CSV"):
        read(b"a,b\nz\rq,4\n")


def test_a_cell_may_be_as_long_as_a_mail():
    for separator in (b",", b"\t"):
        csv.field_size_limit(1_000)
        long = b"a,b\n1,".replace(b",", separator) + b'"' + b"x" * 900_000 + b'"\n'
        assert read(long)[1] == [("1", "x" * 900_000)]


def test_a_longer_line_is_refused_with_its_number():
    """Lines are read up to this length, so the rest would be a row of its own."""
    with pytest.raises(UserError, match=r"^t.csv line 2: more than 1000000 bytes; split the message$"):
        read(b"a,b\n" + b"x" * 600_000 + b"," + b"y" * 600_000 + b"\n")


@pytest.mark.parametrize(
    ("content", "doubt"),
    [
        (
            b"5.1,3.5,setosa\n4.9,3.0,setosa\n",
            "t.csv: line 1 is read as column names, but line 2 also has 'setosa' in that column; if line 1 is a row, "
            "insert a line with column names before it",
        ),
        (
            b"5.1;3,5;0\n4.9;3,0;1\n",
            "t.csv: line 1 is read as column names, but all of them are numbers; if line 1 is a row, insert a line "
            "with column names before it",
        ),
        (b"setosa,size\n1,setosa\n", None),
        (b"0,1,class\n5.1,3.5,setosa\n", None),
    ],
)
def test_a_header_that_looks_like_a_row_is_reported(content, doubt):
    said: list[str] = []
    read(content, said)

    assert said == ([] if doubt is None else [doubt])


def test_a_file_that_changes_after_its_columns_were_examined_is_named(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("size,class\n1,spam\n2,ham\n")
    source = open_source(path, columns=Columns("class"))
    path.write_text("size,class\n1,spam\nmany,ham\n")

    with pytest.raises(UserError, match=r"t\.csv line 3: the file changed while it was read; use a copy of it$"):
        list(source)
