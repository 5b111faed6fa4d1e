"""Columns of running text that no option names are reported; other columns are tested in `test_table`."""

import json

import pytest

from consumers.ingest.formats import open_source
from consumers.ingest.formats.columns import MOST_SHOWN, label_columns, numeric_columns, shown_names, text_columns
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


def restating(values, labels=("ham", "spam"), **others):
    """The columns reported of rows whose column `again` has these values."""
    rows = [(labels[n % len(labels)], {"again": value, "n": n, **others}) for n, value in enumerate(values)]
    return label_columns(rows)


def test_a_column_with_one_value_per_class_restates_the_label():
    assert restating([0, 1] * 10) == ["again"]
    assert restating([None, 1] + [0, 1] * 10) == ["again"]
    assert restating(["a", "b", "c"] * 10, ["x", "y", "z"]) == ["again"]


def test_no_other_column_does():
    assert restating([0, 1] * 9) == []  # chance
    assert restating([0, 1] * 10 + [1, 0]) == []
    assert restating([0, 1, 1] * 10, ["x", "y", "z"]) == []
    assert restating([0, None] * 10) == []
    assert restating([0, 0] * 10, constant=1) == []
    assert restating([0] * 20, ["ham"]) == []
    assert restating([]) == []


def test_reading_stops_where_no_column_is_left():
    rows = iter([("ham", {"a": 1}), ("ham", {"a": 2}), ("ham", {"a": 3})])
    assert label_columns(rows) == []
    assert next(rows) == ("ham", {"a": 3})


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_a_column_that_restates_the_label_is_reported_when_the_table_is_opened(tmp_path, kind):
    path = tmp_path / f"t.{kind}"
    cells = [(("ham", "spam")[n % 2], f"word {n}", n % 2) for n in range(20)] + [("", "no label", 0)]
    if kind == "csv":
        path.write_text("class,text,class_num\n" + "".join(f"{c},{t},{n}\n" for c, t, n in cells))
    else:
        path.write_text(
            "".join(json.dumps({"class": c or None, "text": t, "class_num": n}) + "\n" for c, t, n in cells)
        )
    said: list[str] = []
    open_source(str(path), columns=Columns("class", ("text",)), notify=said.append)
    assert said == [
        f"{path}: class_num has one value per class; if that is the label again, remove it from the file, because it "
        "gives the class away"
    ]
