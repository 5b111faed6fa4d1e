"""Columns of a table that are called like the fields of a record."""

from __future__ import annotations

import pytest

from consumers.ingest.formats import open_source
from consumers.ingest.formats.table import Columns
from consumers.records.messages import read_value


@pytest.mark.parametrize(
    ("header", "columns", "label", "texts", "features"),
    [
        ("text,label,size", Columns(), "c1", [b"c0"], ["size"]),
        ("text,subject,label", Columns(), "c2", [b"c1", b"c1\nc0"], []),
        ("subject,label", Columns(), "c1", [], ["subject"]),
        ("text,label,kind", Columns("kind"), "c2", [b"c0"], ["label"]),
        ("text,label,body", Columns(None, ("body",)), "c1", [b"c2"], ["text"]),
        ("text,label", Columns("text"), "c0", [], ["label"]),
        ("text,label", Columns(None, ("label",)), None, [b"c1"], ["text"]),
        ("Text,Label", Columns(), None, [], ["Label", "Text"]),
    ],
)
def test_such_columns_are_label_and_text_unless_others_are_named(tmp_path, header, columns, label, texts, features):
    cells = ",".join(f"c{number}" for number in range(header.count(",") + 1))
    (tmp_path / "t.csv").write_text(f"{header}\n{cells}\n")
    (item,) = open_source(tmp_path / "t.csv", columns=columns)
    mail = read_value(item.value, item.id, "safe").mail

    assert item.label == label
    assert [part.text for part in mail.parts if part.text] == texts
    assert sorted(dict(mail.features)) == features
