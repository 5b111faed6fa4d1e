"""Proton Mail's export: a folder of mails, each with a file that lists its labels."""

from __future__ import annotations

import json

import pytest

from consumers.ingest.formats import open_source
from consumers.ingest.formats.proton import proton_class
from consumers.ingest.formats.summary import summarize


def export(folder, **labels):
    """A mail for each name, with its labels as Proton writes them; bytes are written as they are."""
    folder.mkdir(parents=True)
    (folder / "labels.json").write_text('{"Version": 1, "Payload": []}')
    for name, given in labels.items():
        (folder / f"{name}.eml").write_bytes(b"Subject: %s\n\ntext\n" % name.encode())
        if not isinstance(given, bytes):
            given = json.dumps({"Version": 1, "Payload": {"ID": name, "LabelIDs": given, "Time": 1}}).encode()
        (folder / f"{name}.metadata.json").write_bytes(given)
    return folder


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (["0", "5", "15"], "ham"),
        (["6", "5", "dGVzdA=="], "ham"),  # archived, with a label of the user
        (["4", "5"], "spam"),
        (["3", "5"], None),  # trash
        (["1", "8", "5"], None),  # drafts
        (["2", "7", "0", "5"], None),  # sent to oneself
        ([], None),
        (b"", None),
        (b"[]", None),
        (b'{"Payload": {"LabelIDs": null}}', None),
    ],
)
def test_the_class_is_derived_from_proton_labels(tmp_path, labels, expected):
    assert proton_class(export(tmp_path / "mails", a=labels) / "a.eml") == expected


@pytest.mark.parametrize("below", [False, True])
def test_an_export_has_classes_by_its_labels_and_only_mails_are_read(tmp_path, below):
    folder = export(tmp_path / "me@proton.me" / "mail_20261127", a=["0"], b=["4"], c=["3"])
    (folder / "d.eml").write_bytes(b"Subject: without labels\n\n")
    source = open_source(tmp_path / "me@proton.me" if below else folder)
    assert [(file.path.name, file.label) for file in source.files] == [
        ("a.eml", "ham"), ("b.eml", "spam"), ("c.eml", None), ("d.eml", None),
    ]  # fmt: skip
    assert source.about == "folder with the classes ham, spam"


def test_an_export_can_be_given_other_classes(tmp_path):
    export(tmp_path / "mails" / "mail_20261127", a=["0"], b=["4"])
    assert summarize(open_source(tmp_path / "mails", classes="*=work")) == "2 mails from 2 files: 2 work"
