"""The mails that can be learned are in order, and those left out are counted by reason."""

from __future__ import annotations

from itertools import islice

from consumers.ingest.feeder import Item
from consumers.ingest.labelled import LabelledMails

ITEMS = [
    Item("a", b"Subject: one\n\nhello", "ham"),
    Item("b", b"", "ham"),
    Item("c", b"Subject: three\n\nhello", None),
    Item("d", b'{"id": "d", "text": "win money"}', "spam"),
    Item("e", b"{not json", None),
    Item("f", b"Subject: six\n\nhello", "work"),
]


def test_unlabelled_and_unreadable_mails_are_left_out_and_counted():
    mails = LabelledMails(ITEMS, "keep")
    assert [(mail.parts[-1].text, label) for mail, label, _ in mails] == [
        (b"one\nhello", "ham"),
        (b"win money", "spam"),
        (b"six\nhello", "work"),
    ]
    assert (mails.unlabelled, mails.unreadable, mails.left_out) == (2, 1, 3)


def test_only_as_many_mails_are_read_as_are_consumed():
    mails = LabelledMails(ITEMS, "keep")
    assert [label for _, label, _ in islice(mails, 2)] == ["ham", "spam"]
    assert mails.left_out == 2
    assert list(LabelledMails([], "keep")) == []
