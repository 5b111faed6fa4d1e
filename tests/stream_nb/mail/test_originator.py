"""The originator of a mail, as `read_mail` finds it."""

import pytest

from stream_nb.mail.parser import read_mail


@pytest.mark.parametrize("headers", ["safe", "keep"])
@pytest.mark.parametrize(
    ("head", "originator"),
    [
        (b"From: Ann <Ann@Example.org>\n", "ann@example.org"),
        (b"Sender: list-admin@lists.example\nFrom: ann@example.org\n", "list-admin@lists.example"),
        (b"From: ann@example.org\nList-Id: =?utf-8?q?N=C3=A4hkreis?= <sew.lists.example>\n", "sew.lists.example"),
        (b"From: no address\n", ""),
        (b"Subject: hi\n", ""),
    ],
)
def test_the_originator_is_the_list_or_the_sender_and_adds_no_words(headers, head, originator):
    mail = read_mail(head + b"\nhello", headers).mail
    assert mail.originator == originator
    assert "list-id" not in {part.name for part in mail.parts}
    assert b"list" not in next((part.text for part in mail.parts if part.name == "header-names"), b"")
