"""The text of a mail's body: which of its parts are read, and the limits of text."""

import base64

import pytest

from stream_nb.mail import read_mail
from stream_nb.mail.body import MAX_HIDDEN_BYTES, MAX_TEXT_BYTES


def parts(raw: bytes) -> dict[str, bytes]:
    return dict(read_mail(raw, "safe").mail.parts)


def body(raw: bytes) -> list[bytes]:
    return parts(raw)[""].split()


def multipart(*inner: bytes, kind: bytes = b"mixed") -> bytes:
    head = b"Content-Type: multipart/" + kind + b"; boundary=b\n\n"
    return head + b"".join(b"--b\n" + part + b"\n" for part in inner) + b"--b--\n"


def test_texts_and_text_attachments_of_a_multipart_mail_are_read():
    both = multipart(b"Content-Type: text/plain\n\nplain", b"Content-Type: text/html\n\n<b>html</b>")
    assert body(both) == [b"plain", b"html"]
    alternative = multipart(b"\nsaid twice", b"Content-Type: text/html\n\nsaid", kind=b"alternative")
    assert body(alternative) == [b"said"]
    assert body(multipart(b"Content-Type: text/csv\n\n1;2")) == [b"1;2"]
    assert body(multipart(b"Content-Type: text/plain\nContent-Disposition: attachment\n\nattached")) == [b"attached"]
    assert body(multipart(b"Content-Type: text/html\nContent-Disposition: attachment\n\n<i>a</i>tt")) == [b"att"]
    assert body(multipart(b"Content-Type: message/delivery-status\n\nStatus: 5.1.1")) == [b"Status:", b"5.1.1"]
    assert body(multipart(b"Content-Type: image/gif\nContent-Transfer-Encoding: base64\n\nAAAA")) == []
    assert body(multipart(b"Content-Type: text/plain\n\nfirst")[: -len(b"--b--\n")]) == [b"first"]


@pytest.mark.parametrize("kind", [b"", b"text", b"text plain; charset=us-ascii", b";charset=utf-8"])
def test_an_invalid_content_type_is_that_of_text(kind):
    assert body(b"Content-Type: " + kind + b"\n\nwin money")[-2:] == [b"win", b"money"]


@pytest.mark.parametrize("boundary", [b"", b'; boundary="=other"'])
def test_a_multipart_mail_without_its_boundary_is_read_as_text(boundary):
    mail = b"Content-Type: multipart/mixed" + boundary + b"\n\n--b\nContent-Type: text/plain\n\nwin money\n--b--\n"

    assert body(mail)[-3:] == [b"win", b"money", b"--b--"]


def test_the_first_five_enclosed_mails_are_read():
    inner = b"Content-Type: message/rfc822\n\nFrom: f%d\nSubject: s%d\n\nt%d\n"

    assert body(multipart(*(inner % (i, i, i) for i in range(7)))) == [
        word for i in range(5) for word in (b"f%d" % i, b"s%d" % i, b"t%d" % i)
    ]
    for nothing in (b"", b" \n", b"From a\n", b">From a", b"From a\n\n"):
        assert body(multipart(b"Content-Type: message/rfc822\n\n" + nothing)) == []


PAGE = b"<p>pay</p><p hidden>lunch</p>"


@pytest.mark.parametrize("end", [b"", b"!"], ids=["fast parser", "fallback"])
@pytest.mark.parametrize(
    ("head", "read"),
    [
        (b"Content-Type: application/octet-stream; name=a.HTM", [b"pay"]),
        (b'Content-Type: image/png\nContent-Disposition: attachment; filename="a.pdf.html"', [b"pay"]),
        (b"Content-Type: a/b\nContent-Disposition: attachment; filename*=utf-8''a%2Exhtml", [b"pay"]),
        (b"Content-Type: application/xhtml+xml", [b"pay"]),
        (b"Content-Type: text/x-amp-html", [b"pay"]),
        (b"Content-Type: text/enriched", [b"pay"]),
        (b"Content-Type: application/octet-stream; name=a.txt", PAGE.split()),
        (b"Content-Type: application/octet-stream; name=a.eml", PAGE.split()),
        (b"Content-Type: application/octet-stream; name=a.bin", []),
        (b"Content-Type: application/octet-stream", []),
    ],
)
def test_files_that_open_as_text_are_read_whatever_their_media_type(head, read, end):
    part = head + b"\nContent-Transfer-Encoding: base64\n\n" + base64.encodebytes(PAGE) + end

    assert body(multipart(part)) == read
    assert ("hidden" in parts(multipart(part))) == (read == [b"pay"])


ENCLOSED = b"Content-Type: message/rfc822\n\n"


def test_a_mail_with_utf8_in_its_header_is_enclosed_under_a_name_of_its_own():
    inner = "Content-Type: message/global\n\nSubject: é\nContent-Type: text/html\n\nmon<b>ey".encode()
    status = b"Content-Type: message/global-delivery-status\n\nStatus: 5.1.1"

    assert body(multipart(inner, status)) == ["é".encode(), b"money", b"Status:", b"5.1.1"]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (b"=?utf-8?Q?win_?==?utf-8?B?bW9uZXk=?= now", b"win money now"),
        (b"win =?x-unknown?Q?money?=", b"win money"),
        (b"win\n money", b"win money"),
    ],
)
def test_headers_of_an_enclosed_mail_are_decoded_like_those_of_a_mail(written, read):
    assert parts(b"Subject: " + written + b"\n\nt")["subject"] == read
    assert parts(multipart(ENCLOSED + b"Subject: " + written + b"\n\nt"))[""] == read + b"\nt"


def test_the_lines_of_a_calendar_are_unfolded():
    event = b"Content-Type: text/calendar\n\nSUMMARY:You won\r\n  a pri\r\n ze\\nCall now\n\tor never\n"

    assert body(multipart(event)) == [b"SUMMARY:You", b"won", b"a", b"prize", b"Call", b"nowor", b"never"]


def test_hidden_text_has_a_part_of_its_own():
    raw = b"Content-Type: text/html\n\n<p>offer</p><div style='display:none'>dear colleague</div>"

    assert parts(raw)[""].split() == [b"offer"]
    assert parts(raw)["hidden"] == b"dear colleague"


def test_long_text_is_cut_at_its_limit():
    raw = multipart(*[b"Content-Type: text/html\n\n" + b"word " * 45_000] * 3)

    assert MAX_TEXT_BYTES - 10 < len(parts(raw)[""]) <= MAX_TEXT_BYTES


def test_comments_and_hidden_text_do_not_count_towards_the_limit_of_text():
    raw = b"Content-Type: text/html\n\n<!--" + b"x" * 300_000 + b"--><p hidden>" + b"word " * 50_000 + b"</p>seen"

    assert parts(raw)[""].split() == [b"seen"]
    assert len(parts(raw)["hidden"]) == MAX_HIDDEN_BYTES


def test_parts_after_the_limit_of_text_are_not_read():
    raw = multipart(b"\n" + b"word " * 41_000, *[b"\nmore", b"Content-Type: text/html\n\nmore"] * 50)

    assert parts(raw)[""] == b"word " * 40_000
