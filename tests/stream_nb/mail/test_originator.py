"""Whom a mail comes from, as `read_mail` finds it, and that its words stay what they were."""

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
def test_a_mail_comes_from_its_list_or_its_sender(headers, head, originator):
    mail = read_mail(head + b"\nhello", headers).mail
    assert mail.originator == originator
    assert "list-id" not in {part.name for part in mail.parts}
    assert b"list" not in next((part.text for part in mail.parts if part.name == "header-names"), b"")
