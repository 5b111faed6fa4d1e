"""The parser for mails that the fast one refuses: what it reads, and the work that it avoids."""

import base64
import codecs

import pytest

from stream_nb.mail import fallback_parser, mime, read_mail
from tests.stream_nb.mail import hostile

BROKEN = b"\nContent-Transfer-Encoding: base64\n\n"


def parts(raw: bytes) -> dict[str, bytes]:
    return dict(read_mail(raw, "safe").mail.parts)


def body(raw: bytes) -> list[bytes]:
    return parts(raw)[""].split()


@pytest.mark.parametrize(("levels", "deep"), [(10, True), (300, False)])
def test_deeply_nested_parts_are_not_passed_to_the_fallback_parser(levels, deep):
    raw = hostile.nested(b"multipart", levels) + b"Subject: s\nContent-Transfer-Encoding: base64\n\n!\n"

    assert ("content-type" in parts(raw)) == deep


@pytest.mark.parametrize("encoding", [b"base64", b"quoted-printable", b"x-uuencode", b"no-such-encoding", b""])
@pytest.mark.parametrize("content", [b"A", b"=", b"=ZZ", b"!!!", b"\0", b"\xff\xfe", b"AAAA=AAAA", b"begin 644 x\nZZZ"])
def test_broken_transfer_encodings_still_give_a_mail(encoding, content):
    raw = b"Subject: still here\nContent-Transfer-Encoding: " + encoding + b"\n\nfirst words\n" + content

    assert read_mail(raw).subject == "still here"


def test_a_mail_with_invalid_base64_is_parsed_by_the_fallback_with_the_same_parts():
    raw = b"Subject: =?utf-8?q?caf=C3=A9?=\nFrom: me\nContent-Transfer-Encoding: base64\n\naGVsbG8gd29ybGQ=\n!"
    with pytest.raises(Exception, match="Base64"):
        mime.parse_email(raw, mode="lazy")

    assert parts(raw)["subject"].decode() == "café"
    assert body(raw)[:3] == ["café".encode(), b"hello", b"world"]


@pytest.mark.parametrize(
    ("written", "subject"),
    [
        ("“özür”".encode(), "“özür”"),
        ("“özür”".encode("cp1252"), "“özür”"),
        (b"=?utf-8?B?A?= =?utf-8?B?IQ==?=", "=?utf-8?B?A?= =?utf-8?B?IQ==?="),
    ],
)
def test_the_fallback_parser_reads_headers_that_are_not_ascii_or_have_an_invalid_word(written, subject):
    raw = b"Subject: " + written + BROKEN + b"aGVsbG8=\n!"

    assert (parts(raw)["subject"].decode(), body(raw)[-1]) == (subject, b"hello")


@pytest.mark.parametrize(
    "text", [b"aGVsbG8=!", b"a!GVsbG8", b"aGVsbG8=*A", b"*aGVsbG8===", b"aGU=!bGxv", b"aGVsbG\xff8=", b"!=aGVsbG9="]
)
def test_base64_is_decoded_like_mail_programs_do(text):
    assert body(BROKEN.lstrip() + text)[0].startswith(b"hello")


@pytest.mark.parametrize(
    ("charset", "text", "content"),
    [
        (b"=koi8-u", "\u0437\u0430\u0440\u0430\u0437", b"\xda\xc1\xd2\xc1\xda"),
        (b'="ISO-8859-1"', "caf\u00e9", b"caf\xe9"),
        (b"=us-ascii", "\u201ccaf\u00e9\u201d", b"\x93caf\xe9\x94"),
        (b"=utf-8", "caf\u00e9\ufffd", b"caf\xc3\xa9\xc3"),
        (b"=gb2312", "\u6731\u9555\u57fa", b"\xd6\xec\xe9F\xbb\xf9"),
        (b"=ks_c_5601-1987", "\ub620", b"\x8cc"),
        (b"*0=window; charset*1=s-1251", "\u043b\u0435\u0442\u043e", b"\xeb\xe5\xf2\xee"),
        (b"*=punycode''cp1251", "\u043b\u0435\u0442\u043e", b"\xeb\xe5\xf2\xee"),
    ],
)
def test_the_fallback_parser_decodes_the_charsets_of_mail(charset, text, content):
    raw = b"Content-Type: text/plain; charset" + charset + BROKEN + base64.encodebytes(content) + b"!\n"

    assert body(raw)[0] == text.encode()


@pytest.mark.parametrize("name", ["punycode", "idna", "x-unheard-of-7", "zlib", "a" * 900])
def test_no_codec_is_looked_up_for_a_name_that_is_no_charset_of_mail(name):
    searched = []
    search = searched.append  # called for codecs that Python itself does not find
    codecs.register(search)
    try:
        subject = f"Subject: =?{name}?q?a?=\nContent-Type: text/plain; charset*=x-unheard-of-8''{name}".encode()
        assert body(subject + BROKEN + base64.encodebytes(b"words-9999") + b"!\n")[-1] == b"words-9999"
    finally:
        codecs.unregister(search)
    assert searched == []


def test_encoded_words_after_the_last_end_mark_are_not_decoded(monkeypatch):
    given = []
    monkeypatch.setattr(
        fallback_parser.email.header, "decode_header", lambda text: given.append(text) or [(text, None)]
    )

    subject = read_mail(b"Subject: a\n =?utf-8?q?b?= =?c?q?d =?e?q?f" + BROKEN + b"!\n").subject

    assert "a =?utf-8?q?b?=" in given
    assert subject == "a =?utf-8?q?b?= =?c?q?d =?e?q?f"


def test_many_lines_in_nested_parts_are_not_passed_to_the_fallback_parser():
    raw = hostile.nested(b"multipart", 19) + BROKEN.lstrip() + b"!" + b"\n" * 50_000

    assert "content-type" not in parts(raw)


def test_a_mail_that_every_parser_refuses_is_read_as_plain_text(monkeypatch):
    def refuse(*_):
        raise RecursionError

    monkeypatch.setattr(fallback_parser.email, "message_from_bytes", refuse)

    assert parts(b"To: x\nContent-Transfer-Encoding: base64\n\n!") == {
        "header-names": b"",
        "": b"To: x\nContent-Transfer-Encoding: base64\n\n!",
    }
