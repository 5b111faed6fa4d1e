"""The parts of a mail: which headers and texts are read, and the limits of text and work on hostile mail."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consumers.ingest.synthetic import synthetic_mails
from stream_nb.errors import MailError
from stream_nb.mail import fallback_parser, limits, mime, parser, read_mail
from tests.stream_nb.mail import hostile

TEXT = b"Content-Type: text/plain; charset=%s\n"


def parts(raw: bytes, headers: str = "safe") -> dict[str, bytes]:
    return dict(read_mail(raw, headers).mail.parts)


def body(raw: bytes) -> list[bytes]:
    return parts(raw)[""].split()


def multipart(*inner: bytes, kind: bytes = b"mixed") -> bytes:
    head = b"Content-Type: multipart/" + kind + b"; boundary=b\n\n"
    return head + b"".join(b"--b\n" + part + b"\n" for part in inner) + b"--b--\n"


def test_the_parts_are_the_kept_headers_then_their_names_then_the_body():
    raw = (
        b"Received: from x\nX-Mailer: m 1\nTo: you\nFrom: me\nDate: today\nX-Spam-Status: yes\nSubject: hello\n"
        b"Content-Type: text/plain\n\nthe text"
    )

    assert [tuple(part) for part in read_mail(raw, "safe").mail.parts] == [
        ("subject", b"hello"),
        ("from", b"me"),
        ("to", b"you"),
        ("content-type", b"text/plain"),
        ("x-mailer", b"m 1"),
        ("header-names", b"x_mailer to from subject content_type"),
        ("", b"hello\nthe text"),
    ]


def test_headers_of_the_transport_can_be_kept():
    raw = b"Received: from x\nReceived: from y\nDate: today\nSubject: s\nX-Spam-Status: yes\n\nt"

    assert parts(raw, "keep")["received"] == b"from x\nfrom y"
    assert parts(raw, "keep")["header-names"] == b"received date subject"
    assert "received" not in parts(raw)
    with pytest.raises(ValueError, match="headers 'all' is not one of safe, keep"):
        read_mail(raw, "all")


def test_repeated_headers_in_any_case_are_all_kept():
    assert parts(b"Subject: a\nSUBJECT: b\nSubject: c\n\nt")["subject"] == b"a\nc\nb"


@pytest.mark.parametrize(
    ("head", "content", "text"),
    [
        (b"", "Grüße".encode(), "Grüße"),
        (b"", "Grüße".encode("cp1252"), "Grüße"),
        (TEXT % b"iso-8859-1" + b"Content-Transfer-Encoding: quoted-printable\n", b"Gr=FC=DFe", "Grüße"),
        (TEXT % b"koi8-r", "привет".encode("koi8-r"), "привет"),
        (TEXT % b"utf-16" + b"Content-Transfer-Encoding: base64\n", base64.b64encode("hé".encode("utf-16")), "hé"),
        (TEXT % b"iso-2022-kr", "돈".encode("iso2022_kr"), "돈"),
        (TEXT % b"hz-gb-2312", "中文".encode("hz"), "中文"),
        (TEXT % b"iso-2022-cn", b"text", "text"),
        (b"Content-Type: text/plain; charset=no-such-charset\n", b"text", "text"),
        (b"Content-Type: text/plain; charset=\n", b"text", "text"),
        (b"", "zero\u200bwidth no\u00a0break n\0ul".encode(), "zerowidth no break nul"),
    ],
)
def test_text_of_any_charset_becomes_utf8(head, content, text):
    assert parts(head + b"\n" + content)[""].decode() == text


def test_encoded_subjects_are_decoded():
    parsed = read_mail(b"Subject: =?utf-8?B?R3LDvMOfZQ==?=\nFrom: =?iso-8859-1?q?J=F6rg?= <j@x.example>\n\nt")

    assert (parsed.subject, parsed.sender) == ("Grüße", "Jörg <j@x.example>")
    assert read_mail(b"Subject: =?utf-8?Q?win_?==?utf-8?B?bW9uZXk=?= now\n\nt").subject == "win money now"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("=?x-unknown?Q?Gr=FC=DFe?=", "Grüße"),
        ("=?utf-8?B?R3LD?=\n =?utf-8?B?vMOfZQ==?=", "Grüße"),  # a character in two words
        ("=?utf-8*de?Q?Gr=C3=BC=C3=9Fe?=", "Grüße"),
        ("Gr=?utf-8?Q?=C3=BC=C3=9F?=e", "Grüße"),
        ("=?utf-8?B?R3LDvMOfZQ?=", "Grüße"),
        ("=?utf-8?B?R3!LDvMOfZQ==?=", "Grüße"),
        ("=?utf-8?B?R?= =?", "=?utf-8?B?R?= =?"),
        ("f\u200br\u00ade\u2060e\u00a0offer", "free offer"),
        ("=?utf-8?Q?f=E2=80=8Bree=C2=A0offer?=", "free offer"),
    ],
)
def test_subjects_are_read_like_mail_programs_show_them(written, read):
    assert parts(f"Subject: {written}\n\nt".encode()) == {
        "subject": read.encode(), "header-names": b"subject", "": f"{read}\nt".encode()
    }  # fmt: skip


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


def test_hidden_text_has_a_part_of_its_own():
    raw = b"Content-Type: text/html\n\n<p>offer</p><div style='display:none'>dear colleague</div>"

    assert parts(raw)[""].split() == [b"offer"]
    assert parts(raw)["hidden"] == b"dear colleague"


def test_long_text_is_cut_at_its_limit():
    raw = multipart(*[b"Content-Type: text/html\n\n" + b"word " * 45_000] * 3)

    assert parser.MAX_TEXT_BYTES - 10 < len(parts(raw)[""]) <= parser.MAX_TEXT_BYTES


def test_comments_and_hidden_text_do_not_count_towards_the_limit_of_text():
    raw = b"Content-Type: text/html\n\n<!--" + b"x" * 300_000 + b"--><p hidden>" + b"word " * 50_000 + b"</p>seen"

    assert parts(raw)[""].split() == [b"seen"]
    assert len(parts(raw)["hidden"]) == parser.MAX_HIDDEN_BYTES


def test_parts_after_the_limit_of_text_are_not_read():
    raw = multipart(b"\n" + b"word " * 41_000, *[b"\nmore", b"Content-Type: text/html\n\nmore"] * 50)

    assert parts(raw)[""] == b"word " * 40_000


@pytest.fixture
def bytes_passed(monkeypatch):
    """The numbers of bytes passed to each parser."""
    passed = {"fast": 0, "slow": 0, "html": 0}

    def count(name, call):
        def counting_call(raw, **options):
            passed[name] += len(raw)
            return call(raw, **options)

        return counting_call

    monkeypatch.setattr(mime, "parse_email", count("fast", mime.parse_email))
    monkeypatch.setattr(parser, "html_text", count("html", parser.html_text))
    slow = fallback_parser.email
    monkeypatch.setattr(slow, "message_from_bytes", count("slow", slow.message_from_bytes))
    return passed


@pytest.mark.parametrize("name", hostile.MAILS)
def test_the_bytes_of_hostile_mail_passed_to_each_parser_are_bounded(name, bytes_passed):
    """At most the mail and five enclosed ones to the fast parser, and 64 kB of each to the slow one."""
    raw = hostile.MAILS[name]()
    assert len(raw) <= limits.MAX_MAIL_BYTES

    parsed = read_mail(raw)

    assert bytes_passed["fast"] <= len(raw) * (1 + parser.MAX_ENCLOSED_MAILS) + 10
    assert bytes_passed["slow"] <= fallback_parser.MAX_FALLBACK_BYTES * (1 + parser.MAX_ENCLOSED_MAILS)
    assert bytes_passed["html"] <= parser.MAX_HTML_CHARS
    assert sum(len(part.text) for part in parsed.mail.parts) <= 4 * limits.MAX_HEADER_BYTES + 2 * parser.MAX_TEXT_BYTES


@pytest.mark.parametrize("name", hostile.MAILS)
def test_headers_and_encoded_words_of_hostile_mail_are_limited_before_parsing(name):
    safe, _ = limits.guarded(hostile.MAILS[name]())

    assert len(limits.header_block(safe)) <= limits.MAX_HEADER_BYTES
    assert safe.count(b"=?") <= limits.MAX_ENCODED_WORDS


SAMPLES = [item.value for item in synthetic_mails(60, seed=3)]


@given(
    st.sampled_from(SAMPLES),
    st.lists(st.tuples(st.integers(0, 2_000), st.integers(0, 40), st.binary(max_size=12)), max_size=6),
)
def test_a_mutated_mail_is_parsed_or_refused_as_empty(raw, cuts):
    for at, length, patch in cuts:
        raw = raw[:at] + patch + raw[at + length :]
    try:
        parsed = read_mail(raw, "keep")
    except MailError as error:
        assert error.reason == "empty" and not limits.without_mbox_line(raw).strip()
        return
    assert parsed.subject.isprintable() and parsed.sender.isprintable() and parsed.message_id
    assert all(isinstance(part.text, bytes) for part in parsed.mail.parts)
    assert [part.name for part in parsed.mail.parts].count("") == 1


@given(st.binary(max_size=300))
def test_arbitrary_bytes_are_parsed_or_refused_as_empty(raw):
    try:
        read_mail(raw)
    except MailError as error:
        assert error.reason == "empty"
