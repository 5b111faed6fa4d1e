"""A mail is parsed by the fast parser, or by the fallback parser if that rejects the mail."""

import base64

import pytest
from fast_mail_parser import PyLazyMail, parse_email_tree

from stream_nb.mail import mime
from stream_nb.mail.fallback_parser import Plain, in_charset
from stream_nb.mail.headers import KeptFields
from stream_nb.mail.mime import attached_texts, parse, read_mime
from tests.stream_nb.mail import hostile

NESTED = hostile.nested(b"multipart", 1_000) + b"Subject: s\n\nhello"


@pytest.mark.parametrize(
    ("raw", "parser", "plain"),
    [
        (b"Subject: s\n\nhello", PyLazyMail, "hello"),
        (b"Content-Transfer-Encoding: base64\n\naGVsbG8=\n!", Plain, "hello"),
        (b"Content-Type: text/plain; charset=iso-2022-kr\n\n\x1b$)C\x0e>H3g\x0f", PyLazyMail, "안녕"),
        (NESTED, Plain, NESTED.decode()),
    ],
    ids=["plain", "broken base64", "a charset that browsers reject", "nested too deep"],
)
def test_the_parser_that_reads_a_mail(raw, parser, plain):
    message, plains, htmls = parse(raw, raw)
    assert isinstance(message, parser)
    assert ([text.strip() for text in plains], htmls) == ([plain.strip()], [])


@pytest.mark.parametrize("charset", [b"x-unknown", b"DEFAULT_CHARSET", b"", b"_iso-2022-jp$SIO", b"*0=x-; charset*1=y"])
def test_a_text_in_an_unknown_charset_is_utf8_or_else_windows_1252(charset):
    kind = b"Content-Type: text/%s; charset=" + charset
    for body in ("“Grüße”".encode(), "“Grüße”".encode("cp1252")):
        text = kind % b"plain" + b"\n\n" + body
        parts = [b"Content-Type: message/rfc822\n\n" + text, b"Content-Disposition: attachment\n" + text]
        parts += [b"\n" + "grün".encode("cp1252"), text, kind % b"html" + b"\n\n" + body]
        raw = b"Content-Type: multipart/mixed; boundary=b\n\n--b\n" + b"\n--b\n".join(parts) + b"\n--b--\n"

        message, plain, htmls = parse(raw, raw)

        assert isinstance(message, PyLazyMail)
        assert [text.strip() for text in plain + htmls] == ["grün", "“Grüße”", "“Grüße”"]


@pytest.mark.parametrize("declared", ["", "; charset=windows-1252"])
@pytest.mark.parametrize(
    ("meta", "codec"),
    [
        ("charset=koi8-r", "koi8-r"),
        ("http-equiv=Content-Type content='text/html; CHARSET=windows-1251'", "cp1251"),
        ("charset='big5'", "big5"),
        ("charset=utf-16", "cp1252"),
        ("charset=cp037", "cp1252"),
    ],
)
def test_html_without_a_declared_charset_is_in_that_of_its_meta_element(meta, codec, declared):
    html = f"<head><meta {meta}></head>".encode() + ("“”" if codec == "big5" else "деньги").encode(
        codec if codec != "cp1252" else "koi8-r"
    )
    raw = f"Content-Type: text/html{declared}\n\n".encode() + html

    assert parse(raw, raw)[2] == [html.decode("cp1252" if declared else codec)]


@pytest.mark.parametrize("charset", ["cp-1251", "windows1251", "WIN-1251", "x-windows-1251", "x-cp1251"])
def test_a_windows_charset_is_known_by_other_names(charset):
    raw = f"Content-Type: text/plain; charset={charset}\n\n".encode() + "деньги".encode("cp1251")

    assert parse(raw, raw)[1] == ["деньги"]


@pytest.mark.parametrize("kind", ["text/html", "text/plain", "application/pdf"])
def test_a_mail_with_an_attached_text_in_broken_base64_is_parsed_by_the_fallback(kind):
    raw = f"Content-Type: {kind}\nContent-Disposition: attachment\nContent-Transfer-Encoding: base64\n\naGVsbG8=!\n"

    message, *_ = parse(raw.encode(), raw.encode())

    if kind == "application/pdf":
        assert isinstance(message, PyLazyMail)
    else:
        assert [attachment.content for attachment in message.attachments] == [b"hello"]


@pytest.mark.parametrize("end", [b"", b"!"], ids=["fast parser", "fallback"])
@pytest.mark.parametrize(
    ("charset", "text"),
    [
        ("koi8-r", "привет"), ("utf-16", "привет, мир"), ("iso-2022-jp", "こんにちは"), ("utf-8", "é"),
        ("x-unknown", "é"),
    ],
)  # fmt: skip
def test_an_attached_text_is_decoded_by_its_charset(charset, text, end):
    head = f"Content-Type: text/csv; charset={charset}\nContent-Transfer-Encoding: base64\n\n"
    codec = "cp1252" if charset == "x-unknown" else charset
    parts = [head.encode() + base64.encodebytes(text.encode(codec)) + end, b"Content-Type: image/gif\n\n\xff"]
    parts += [b"Content-Type: multipart/mixed; boundary=c\n\n", b"\nbody", b"Content-Type: text/plain\n\nbody"]
    raw = b"Content-Type: multipart/mixed; boundary=b\n\n--b\n" + b"\n--b\n".join(parts) + b"\n--b--\n"

    ((kind, content, declared),) = attached_texts(read_mime(raw, KeptFields(())))

    assert (kind, in_charset(content, declared)) == ("text", text)


@pytest.mark.parametrize(
    "kind", ["text/csv", "text/plain; format=flowed; delsp=yes", "text/plain; charset=iso-2022-kr"]
)
def test_a_text_beside_mails_nested_too_deep_for_their_fields_is_read_without_its_own(kind):
    mails = hostile.nested(b"message/rfc822", 300)
    text = f"\n--b\nContent-Type: {kind}\n\ngrün ".encode()
    raw = b"Content-Type: multipart/mixed; boundary=b\n\n--b\n" + mails + text + b"\n--b--\n"

    read = read_mime(raw, KeptFields(()))

    assert isinstance(read.message, PyLazyMail)
    assert ("mail", None) in [(kind, charset) for kind, _, charset in attached_texts(read)]


def test_attached_texts_are_parsed_once_for_their_charsets(monkeypatch):
    calls = []
    monkeypatch.setattr(
        mime, "parse_email_tree", lambda raw, mode: calls.append(raw) or parse_email_tree(raw, mode=mode)
    )
    part = b"Content-Type: text/csv\n\n%s\n--b\n"
    for content, times in ((b"\xe9", 1), (b"text", 0)):
        raw = b"Content-Type: multipart/mixed; boundary=b\n\n--b\n" + part % content * 50
        calls.clear()
        assert len(attached_texts(read_mime(raw, KeptFields(())))) == 50
        assert len(calls) == times
