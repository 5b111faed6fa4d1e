"""Columns of running text that no option names are reported; other columns are tested in `test_table`."""

import json

import pytest

from consumers.ingest.formats import open_source
from consumers.ingest.formats.columns import MOST_SHOWN, numeric_columns, shown_names, text_columns
from consumers.ingest.formats.table import Columns

ROWS = [("ham", "are you free for lunch today", "Ann Lee"), ("spam", "win money now, click here", "Bob")]


@pytest.fixture(params=["t.csv", "t.jsonl"])
def table(tmp_path, request):
    path = tmp_path / request.param
    if path.suffix == ".csv":
        path.write_text("class,the body,who\n" + "".join(f'{c},"{t}",{w}\n' for c, t, w in ROWS))
    else:
        path.write_text("".join(json.dumps({"class": c, "the body": t, "who": w}) + "\n" for c, t, w in ROWS))
    return str(path)


def test_text_read_as_a_category_is_reported_with_the_option_that_reads_its_words(table):
    said: list[str] = []
    assert len(list(open_source(table, columns=Columns("class"), notify=said.append))) == 2
    why = "the body looks like text, but is read as a category; to read the words give --text-column 'the body'"
    assert said == [f"{table}: {why}"]


def test_nothing_is_reported_if_an_option_names_the_text_column(table):
    said: list[str] = []
    list(open_source(table, columns=Columns("class", ("the body",)), notify=said.append))
    assert said == []


def test_short_texts_numbers_and_the_label_do_not_count_as_running_text():
    rows = [{"who": "Ann Lee", "size": 3.0, "class": "a class of six or seven words"}, {"who": None, "class": "b c"}]
    assert text_columns(rows, ["class"]) == []
    assert text_columns([], []) == []


def test_a_column_is_numeric_if_it_has_numbers_and_nothing_else():
    cells = {
        "number": ["1", "", "2.5"],
        "spaced": [" 1", "2 ", " 3 "],
        "missing": ["", "NA", "n/a"],
        "infinite": ["inf", "nan", ""],
        "code": ["7", "x", "8"],
    }
    rows = [(line, {name: of[line - 2] for name, of in cells.items()}) for line in (2, 3, 4)]
    assert numeric_columns(rows, [*cells], "t.csv", ".") == ({"number", "spaced"}, {"code": "line 3 has 'x'"})


def test_all_text_columns_without_an_option_are_reported_in_order():
    rows = [{"head": "the minutes of our last meeting", "note": "see you there then", "body": "see you at noon then"}]
    assert text_columns(rows, []) == ["head", "body"]
    assert text_columns(rows, ["body"]) == ["head"]


def test_of_many_columns_the_first_are_named():
    names = [f"c{number}" for number in range(MOST_SHOWN + 1)]
    assert shown_names(names) == ", ".join([*names[:-1], "..."])
    assert shown_names(names[:-1]) == ", ".join(names[:-1])


def test_column_names_are_sanitized(tmp_path):
    """`feed --dry-run` and `study` print the description of a source unchanged."""
    path = tmp_path / "t.csv"
    path.write_text("a\x1b[31m,b\u202e,class\n1,x,ham\n")
    about = open_source(path, columns=Columns("class")).about
    assert about == "CSV; numbers a⟨U+001B⟩[31m; categories b⟨U+202E⟩"
