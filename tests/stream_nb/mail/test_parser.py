"""The parts of a mail: which headers and texts are read, and the limits of text and work on hostile mail."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consumers.ingest.synthetic import synthetic_mails
from stream_nb.errors import MailError
from stream_nb.mail import body, fallback_parser, limits, mime, read_mail
from tests.stream_nb.mail import hostile

TEXT = b"Content-Type: text/plain; charset=%s\n"


def parts(raw: bytes, headers: str = "safe") -> dict[str, bytes]:
    return dict(read_mail(raw, headers).mail.parts)


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
    monkeypatch.setattr(body, "html_text", count("html", body.html_text))
    slow = fallback_parser.email
    monkeypatch.setattr(slow, "message_from_bytes", count("slow", slow.message_from_bytes))
    return passed


@pytest.mark.parametrize("name", hostile.MAILS)
def test_the_bytes_of_hostile_mail_passed_to_each_parser_are_bounded(name, bytes_passed):
    """At most the mail and five enclosed ones to the fast parser, and 64 kB of each to the slow one."""
    raw = hostile.MAILS[name]()
    assert len(raw) <= limits.MAX_MAIL_BYTES

    parsed = read_mail(raw)

    assert bytes_passed["fast"] <= len(raw) * (1 + body.MAX_ENCLOSED_MAILS) + 10
    assert bytes_passed["slow"] <= fallback_parser.MAX_FALLBACK_BYTES * (1 + body.MAX_ENCLOSED_MAILS)
    assert bytes_passed["html"] <= body.MAX_HTML_CHARS
    assert sum(len(part.text) for part in parsed.mail.parts) <= 4 * limits.MAX_HEADER_BYTES + 2 * body.MAX_TEXT_BYTES


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
