"""Tables: columns of numbers, categories, labels and text; errors name the file and the line."""

import json
import os

import pytest

from consumers.errors import UserError
from consumers.ingest.formats import open_source
from consumers.ingest.formats.table import Columns, open_table
from consumers.records.messages import read_value
from stream_nb.mail import read_mail

HEADER = "size,format,note,class\n"


@pytest.fixture
def table(tmp_path):
    def write(text, name="t.csv"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    return write


def features(items):
    return [dict(read_value(item.value, item.id, "safe").mail.features) for item in items]


def test_columns_of_numbers_are_numeric_and_all_others_categorical(table):
    source = open_source(
        table(HEADER + '1.5,html,hello you,spam\n-2e3,1,,ham\nNA,2,"two\nlines",ham\n'),
        columns=Columns("class", ("note",)),
    )
    items = list(source)

    assert source.about == "CSV; numbers size; categories format"
    assert [item.label for item in items] == ["spam", "ham", "ham"]
    assert features(items) == [{"size": 1.5, "format": "html"}, {"size": -2000.0, "format": "1"}, {"format": "2"}]
    assert [read_value(i.value, i.id, "safe").mail.parts[0].text for i in items] == [b"hello you", b"", b"two\nlines"]


@pytest.mark.parametrize(
    ("cells", "kept"),
    [
        (["01234", "99999"], ["01234", "99999"]),
        (["0", "10", "-0.5", "0.25"], [0.0, 10.0, -0.5, 0.25]),
        (["4012888888881881", "1"], ["4012888888881881", "1"]),
        (["123456789012345", "0.1234567890123456789"], [123456789012345.0, 0.1234567890123456789]),
        (["1", "2", "x3"], ["1", "2", "x3"]),
    ],
)
def test_columns_of_codes_are_categorical(table, cells, kept):
    source = open_source(table("a,b\n" + "".join(f"{cell},x\n" for cell in cells)))

    assert [each["a"] for each in features(source)] == kept


@pytest.mark.parametrize(
    ("cells", "kept"),
    [
        (["1,5", "-2,25e3", "3.5", "4"], [1.5, -2250.0, 3.5, 4.0]),
        (["1.000,50", "2"], ["1.000,50", "2"]),
        (["1,000,000", "2"], ["1,000,000", "2"]),
        (["01,5", "2"], ["01,5", "2"]),
    ],
)
def test_in_a_file_with_semicolons_numbers_may_have_a_decimal_comma(table, cells, kept):
    """Spreadsheets write both in countries that use a decimal comma."""
    source = open_source(table("a;b\n" + "".join(f"{cell};x\n" for cell in cells)))
    assert [each["a"] for each in features(source)] == kept
    quoted = open_source(table("a,b\n" + "".join(f'"{cell}",x\n' for cell in cells)))
    assert [each["a"] for each in features(quoted)] == cells


def test_true_and_false_are_booleans_except_in_labels_and_texts(table):
    columns = Columns("class", ("note",))
    rows = [{"ok": True, "mixed": False, "note": "true", "class": "false"}, {"ok": False, "mixed": "True"}]
    csv = open_source(table("ok,mixed,note,class\ntrue, false ,true,false\nfalse,True,,\n"), columns=columns)
    lines = open_source(table("".join(json.dumps(row) + "\n" for row in rows), "t.jsonl"), columns=columns)
    for items in (list(csv), list(lines)):
        assert features(items) == [{"ok": True, "mixed": False}, {"ok": False, "mixed": "True"}]
        assert items[0].label == "false"
        assert read_value(items[0].value, items[0].id, "safe").mail.parts[0].text == b"true"


def test_the_first_cell_that_makes_a_column_categorical_is_reported(table):
    source = open_source(table("size,zip,hue\n1,20099,red\n2,01234,blue\nx,1,2\n"))

    assert source.about == "CSV; categories size (line 4 has 'x'), zip (line 3 has '01234'), hue"


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_the_separator_is_recognised_in_the_header(table, separator):
    rows = ["a b", "x", "label"], ["1", "yes", "ham"]
    text = "\ufeff" + "\r\n".join(separator.join(row) for row in rows)
    (item,) = open_source(table(text), columns=Columns("label"))

    assert (item.label, features([item])) == ("ham", [{"a b": 1.0, "x": "yes"}])


def test_equal_rows_have_different_ids_which_are_the_same_each_time(table):
    path = table("a,class\n1,ham\n1,ham\n1,ham\n")
    ids = [item.id for item in open_source(path, columns=Columns("class"))]

    assert len(set(ids)) == 3
    assert ids == [item.id for item in open_source(path, columns=Columns("class"))]
    assert sorted(ids) == sorted(item.id for item in open_source(path, shuffle=1, columns=Columns("class")))
    assert ids[0].startswith("t.csv:2:")


def test_ids_are_readable_text_whatever_the_name_of_the_file():
    name = "folder/" + os.fsdecode(b"\xff\n") + "x" * 100 + ".csv"
    rows = [b"size,class\n", b"1,ham\n"]

    (item,) = open_table(rows[0], lambda: rows, name, Columns("class"), None, lambda text: None)

    assert item.id.startswith(f"⟨U+DCFF⟩ {'x' * 78}:2:")
    assert read_value(item.value, item.id, "safe").id == item.id


def test_a_table_may_have_no_labels(table):
    items = list(open_source(table("a,b\n1,x\n")))

    assert [item.label for item in items] == [None]
    assert [item.label for item in open_source(table("a,b\n1,x\n"), label="ham")] == ["ham"]


def test_flat_json_lines_are_a_table(table):
    lines = [{"size": 3, "ok": True, "lang": None, "class": 1}, {"size": 0.5, "class": "b", "lang": "en"}]
    source = open_source(table("\n".join(map(json.dumps, lines)), "t.jsonl"), columns=Columns("class"))
    items = list(source)

    assert [item.label for item in items] == ["1", "b"]
    assert features(items) == [{"size": 3, "ok": True}, {"size": 0.5, "lang": "en"}]


def test_some_rows_may_have_no_label(table):
    path = table('{"size": 3}\n{"size": 2, "class": "a"}\n', "t.jsonl")
    assert [item.label for item in open_source(path, columns=Columns("class"))] == [None, "a"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            HEADER + "1\n",
            "line 2: 1 cell, but the header has 4; give each row as many as the header, and quote a cell that contains",
        ),
        (HEADER + "1,a,b,ham\n\n1e999,a,b,ham\n", "line 4: 'size' is 1e999, which is beyond the range"),
        (HEADER + "1,a,b,ham\n-inf,a,b,ham\n", "line 3: 'size' is -inf, .*; leave the cell empty"),
        (HEADER + '1,"a"x,b,ham\n', "line 2: ',' expected after '\"'"),
        (HEADER + "1,a,b," + "h" * 101 + "\n", "line 2: label 'hhhh"),
        (HEADER + "1," + "f" * 1001 + ",b,ham\n", "line 2: features: 'format' is .*of at most 1000 characters"),
        ("a,a,class\n1,2,ham\n", "line 1: two columns are called 'a'; give each its"),
        ("class\nham\n", "line 1: class is not a header of two columns or more"),
        ("a,b\n1,2\n", "no column is called 'class'; the columns are a, b"),
        ('{"a": 1}\n{"b": 2}\n', "no column is called 'class'; the columns are a, b"),
        ("", "is empty; expected CSV"),
        ('{"a": [1], "class": "x"}', "line 1: 'a' is a list; expected a number"),
        ('{"a": 1}\n{"a": ' + "[" * 100_000, "line 2: .*; expected an object on each line"),
        ('{"a": 1}\n{"a":-Infinity}', "line 2: JSON is malformed.*; expected an object on each line; JSON has no NaN"),
        (
            ",".join(f"c{i}" for i in range(1001)) + ",class\n" + "1," * 1001 + "x\n",
            "1001 of them; a message has at most",
        ),
    ],
)
def test_invalid_tables_are_refused_with_file_and_line(table, text, message):
    path = table(text)
    with pytest.raises(UserError, match=message) as refused:
        list(open_source(path, columns=Columns("class")))
    assert str(refused.value).startswith(path)


@pytest.mark.parametrize(
    ("cell", "label"),
    [("1", "1"), ("1.0", "1"), ("0.0", "0"), ("-3.0", "-3"), ("1.5", "1.5"), ("01.0", "01.0"), ("1.00", "1.00")],
)
def test_a_whole_number_is_the_same_class_with_or_without_decimal_point(table, cell, label):
    (item,) = open_source(table(f"a,class\n1,{cell}\n"), columns=Columns("class"))
    assert item.label == label
    if cell == "1.0":
        (item,) = open_source(table('{"a": 1, "class": 1.0}\n', "t.jsonl"), columns=Columns("class"))
        assert item.label == label


def test_booleans_are_the_same_classes_in_json_and_csv(table):
    csv, lines = table("a,class\n1,true\n2,false\n"), table('{"class": true}\n{"class": false}\n', "t.jsonl")
    for path in (csv, lines):
        assert [item.label for item in open_source(path, columns=Columns("class"))] == ["true", "false"]


def test_one_column_cannot_be_label_and_text(table):
    with pytest.raises(UserError, match="--label-column and --text-column are both 'class'; name two columns"):
        open_source(table(HEADER), columns=Columns("class", ("a", "class")))


def test_the_first_of_several_text_columns_is_the_subject(table):
    columns = Columns("class", ("title", "note", "end"))
    text = "end,class,title,note\nbye,ham,minutes,see you\n,spam,NA,win\n,ham,lunch,NA\n"
    rows = [{"end": "bye", "class": "ham", "title": "minutes", "note": "see you"}, {"note": "win"}, {"title": "lunch"}]
    lines = table("".join(json.dumps(row) + "\n" for row in rows), "t.jsonl")
    for path in (table(text), lines):
        items = list(open_source(path, columns=columns))
        messages = [read_value(item.value, item.id, "safe") for item in items]

        mail = read_mail(b"Subject: minutes\n\nsee you\nbye", headers="safe").mail
        assert [part for part in mail.parts if part.name != "header-names"] == list(messages[0].mail.parts)
        assert [message.mail.parts[-1].text.strip() for message in messages[1:]] == [b"win", b"lunch"]
        assert [len(message.mail.parts) for message in messages] == [2, 1, 2]
        assert messages[0].subject == "minutes"
        assert features(items) == [{}, {}, {}]


def test_a_text_column_cannot_be_named_twice(table):
    with pytest.raises(UserError, match="--text-column note, note: name each column once"):
        open_source(table(HEADER), columns=Columns("class", ("note", "note")))


@pytest.mark.parametrize("name", ["t.csv", "t.jsonl"])
def test_without_a_label_column_the_columns_are_listed(table, name):
    path = table("size,kind\n1,ham\n" if name == "t.csv" else '{"size": 1}\n{"kind": "ham"}\n', name)
    source = open_source(path, columns=Columns(None, ("kind",)))
    assert source.unlabelled == (
        f"{path}: no column is the class; name one with --label-column; the columns are size, kind"
    )
    with pytest.raises(UserError, match="no column is the class"):
        source.need_labels()
    open_source(path, columns=Columns("size", ("kind",))).need_labels()
    open_source(path, label="ham", columns=Columns(None, ("kind",))).need_labels()


def test_a_table_without_rows_says_so_where_labels_are_needed(table):
    with pytest.raises(UserError, match=r"t.csv: a header without rows"):
        open_source(table("size,label\n")).need_labels()


def test_two_options_that_both_name_classes_are_refused(table):
    path = table(HEADER)
    with pytest.raises(UserError, match="--label and --label-column both name classes"):
        open_source(path, label="ham", columns=Columns("class"))
    with pytest.raises(UserError, match="is not a file; expected CSV"):
        open_source(path + "x", columns=Columns("class"))


def test_a_table_that_cannot_be_looked_for_is_one_line():
    with pytest.raises(UserError, match=r"cannot read x+\.csv: File name too long; check the path and its permissions"):
        open_source("x" * 300 + ".csv")
