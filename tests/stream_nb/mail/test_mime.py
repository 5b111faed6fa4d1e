"""A mail is parsed by the fast parser, or by the fallback parser if that rejects the mail or its charset."""

import pytest
from fast_mail_parser import PyLazyMail

from stream_nb.mail.fallback_parser import Plain
from stream_nb.mail.mime import content, parse
from tests.stream_nb.mail import hostile

NESTED = hostile.nested(b"multipart", 1_000) + b"Subject: s\n\nhello"


@pytest.mark.parametrize(
    ("raw", "parser", "plain"),
    [
        (b"Subject: s\n\nhello", PyLazyMail, "hello"),
        (b"Content-Transfer-Encoding: base64\n\naGVsbG8=\n!", Plain, "hello"),
        (b"Content-Type: text/plain; charset=iso-2022-kr\n\n\x1b$)C\x0e>H3g\x0f", Plain, "안녕"),
        (NESTED, Plain, NESTED.decode()),
    ],
    ids=["plain", "broken base64", "a charset that browsers reject", "nested too deep"],
)
def test_the_parser_that_reads_a_mail(raw, parser, plain):
    message, plains, htmls = parse(raw, raw)
    assert isinstance(message, parser)
    assert ([text.strip() for text in plains], htmls) == ([plain.strip()], [])


def test_an_attachment_that_cannot_be_decoded_is_empty():
    raw = b"Content-Type: application/pdf\nContent-Transfer-Encoding: base64\n\nJVBERg==\n"
    message, *_ = parse(raw, raw)
    assert [content(attachment) for attachment in message.attachments] == [b"%PDF"]
