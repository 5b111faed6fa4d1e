"""Reading the header of a mail: the texts and names of its fields, and the fields that are left to a parser."""

import re

import numpy as np
import pytest
from fast_mail_parser import parse_email
from hypothesis import example, given
from hypothesis import strategies as st

from stream_nb.kernels.mail import headers
from stream_nb.mail.headers import HEADER_NAMES, KeptFields
from tests.stream_nb.mail import plain_kernel

NAMES = "subject to from content-type received".split()
KEPT = KeptFields(NAMES)
*_, PLAIN = plain_kernel.load_plain(*(f"stream_nb.kernels.{name}" for name in ("cpu", "swar", "mail.headers")))
READS_A_BYTE = 8


def fields_written(module, head, size):
    """What `read_fields` returns, and the bytes that it writes."""
    out = np.empty(2 * size + 32 * len(NAMES) + 32, np.uint8)
    end, end_of_texts, n, odd = module.read_fields(head, size, KEPT._table, len(NAMES), out)
    return end, end_of_texts, out[:n].tobytes(), odd


def read(head):
    """Texts of fields, lines left to a parser, and whether some need decoding, of a header of fields alone."""
    end, texts, left, odd = KEPT.read(head + b"\n--\n", 100_000)
    assert end == len(head)
    return texts, left, odd


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (b" one line", b"one line"),
        (b"no space", b"no space"),
        (b" folded\n\tonce\n   again", b"folded once again"),
        (b" with CR\r\n folded\r", b"with CR folded"),
        (b"\n on the next line", b" on the next line"),
        (b" trailing space \n ", b"trailing space  "),
        (b"", b""),
        (b" \r", b""),
        (b" a\rb\r\r\n c", b"a\rb\r c"),
    ],
)
def test_the_value_of_a_field_is_unfolded(value, text):
    texts, left, odd = read(b"To: x\nSubject:" + value + b"\nFrom: y\n")

    assert texts == {"subject": text, "to": b"x", "from": b"y", HEADER_NAMES: b"to subject from"}
    assert (left, odd) == (b"", False)


def test_values_of_a_repeated_field_are_lines_and_names_are_in_the_order_of_the_mail():
    texts, left, odd = read(b"Received: a\nTo: me\nReceived:\n b\nCc: you\nReceived:\n")

    assert list(texts.items()) == [("to", b"me"), ("received", b"a\n b\n"), (HEADER_NAMES, b"received to")]
    assert (left, odd) == (b"", False)


@pytest.mark.parametrize(
    "lines", [b"Subject: =?utf-8?q?a?=\n", b"Subject: a\n caf\xc3\xa9\n", b"Subject: a\nSUBJECT: b\nSubject: c\n"]
)
def test_fields_that_must_be_decoded_are_left_to_a_parser(lines):
    texts, left, odd = read(b"From: me\n" + lines + b"To: you\n")

    assert texts == {"subject": b"", "to": b"you", "from": b"me", HEADER_NAMES: b"from subject to"}
    assert (left, odd) == (lines, True)


def test_mime_fields_are_left_to_a_parser():
    mime = b"CONTENT-type: text/plain;\n charset=x\nContent-Disposition: inline\nContent-: x\n"
    texts, left, odd = read(b"To: a\n" + mime + b"Contents: b\nContent: c\nSubject: d\n")

    assert texts["content-type"] == b"text/plain; charset=x"
    assert left == mime.replace(b"Content-: x\n", b"")
    assert not odd


@pytest.mark.parametrize(
    ("mail", "head"),
    [
        (b"A: b\n\nC: d\n", b"A: b\n"),
        (b"A: b\r\n c\r\n\r\nC: d\n", b"A: b\r\n c\r\n"),
        (b"A: b\nno field\nC: d\n", b"A: b\n"),
        (b"A: b\nC \t: d\n\nno field\n", b"A: b\nC \t: d\n"),
        (b"A: b\nC c: d\n", b"A: b\n"),
        (b"A: b\n: d\n", b"A: b\n"),
        (b"A: b\n\xc3\xa9: d\n", b"A: b\n"),
        (b"A: b\nhttp://x.example/\n", b"A: b\n"),
        (b"A: b\nx:/y\nz:/", b"A: b\nx:/y\nz:/"),
        (b"A: b\n c", b"A: b\n c"),
        (b" A: b\n", b""),
        (b"text", b""),
        (b"", b""),
    ],
)
def test_the_header_ends_before_the_first_line_that_is_no_field_or_continuation(mail, head):
    assert KEPT.read(mail, 1000).end == len(head)


def test_white_space_before_a_colon_is_no_part_of_the_name():
    """As for mail servers and programs (RFC 5322, 4.5): a sender must not hide the other fields and the MIME parts."""
    texts, left, odd = read(b"X-Mailer : x\nSubject\t : a\nSUBJECT : b\nContent-Type : text/html\nTo :c\n")

    assert texts == {"subject": b"", "to": b"c", "content-type": b"text/html", HEADER_NAMES: b"subject content_type to"}
    assert (left, odd) == (b"Subject: a\nSUBJECT: b\nContent-Type: text/html\n", True)


@pytest.mark.parametrize(
    ("rest", "is_header"),
    [
        (b"fyi : see below\n", False),
        (b"http : / / b . com", False),
        (b"fyi :\nsee below\n\n", False),
        (b"fyi : a\n\xc3\xa9 : b\n\n", False),
        (b"fyi : see below\nTo: c\n\nfyi", True),
        (b"To: c\nfyi : see\n below\r\n\r\nfyi", True),
    ],
)
def test_white_space_before_a_colon_may_also_be_text_that_follows_the_header_at_once(rest, is_header):
    mail = b"Subject: a\n" + rest
    header, blank_line, _ = mail.partition(b"\r\n\r\n" if b"\r" in mail else b"\n\n")

    assert KEPT.read(mail, 1000).end == (len(header + blank_line[: len(blank_line) // 2]) if is_header else 11)


def test_the_header_is_read_only_up_to_the_given_size():
    mail = b"Subject: a\nTo: b\n"

    assert KEPT.read(mail, 9).texts["subject"] == b""
    assert KEPT.read(mail, 11) == (11, {"subject": b"a", HEADER_NAMES: b"subject"}, b"", False)
    assert KEPT.read(mail, 13).end == 11


def test_an_empty_header_has_no_names():
    assert read(b"") == ({HEADER_NAMES: b""}, b"", False)


NAME = st.sampled_from([b"Subject", b"SUBJECT", b"To", b"From", b"Content-Type", b"Content-Id", b"Received", b"X-Y"])
VALUE = st.lists(
    st.sampled_from(
        [b"a", b" ", b"\t", b"\r", b"\n ", b"\n\t", b"\r\n ", b"\n \n ", b"\x0b", b"\x0c", b"\x1c", b"\0", b"=", b"?",
         b"=?", b"=?utf-8?q?a_b?=", b"=?utf-8?q?=0A?= =?x?=", b"\xc3\xa9", b"\xe9", b"\xa0", b"\xc2\xa0", b":",
         b"text/html"]
    ),
    max_size=12,
).map(b"".join)  # fmt: skip
FIELDS = st.lists(st.tuples(NAME, VALUE), max_size=8)


def block(fields) -> bytes:
    return b"".join(b"%s:%s\n" % (name, re.sub(rb"\n(?![ \t])", b"", value).strip(b"\n")) for name, value in fields)


@given(FIELDS)
@example([(b"Subject", b"a \r\n \r\r\n\t b \r")])
def test_the_texts_of_fields_equal_those_of_the_parser(fields):
    head = block(fields)
    texts, left, odd = read(head)
    rest = KEPT.decoded(parse_email(left + b"\n", mode="metadata").headers)
    if odd:
        texts |= rest | {HEADER_NAMES: texts[HEADER_NAMES]}

    assert list(texts.items()) == list(KEPT.decoded(parse_email(head + b"\n", mode="metadata").headers).items())
    assert parse_email(left + b"\n").text_plain == parse_email(head + b"\n").text_plain


@given(FIELDS.map(block) | st.binary(max_size=60))
@example(b"Subject: x")
@example(b"Subject")
@example(b"\nSubject:\n\n:\n:\xff")
@example(b"a:\n" * 100)
def test_compiled_and_uncompiled_reading_give_the_same_bytes(head):
    """The uncompiled code also checks each index, which the compiled one does not."""
    assert fields_written(PLAIN, head, len(head)) == fields_written(headers, head, len(head))


@pytest.mark.parametrize(
    "part", [b"To: a\n", b"to:\n", b"a:", b":\n", b"To:\n \n", b"Content-Type: x\n", b"TO: a\nto: b\n", b"\n", b"\r"]
)
def test_the_work_on_hostile_fields_is_linear(part):
    """The uncompiled code counts its reads of the header."""
    head = part * 500
    counting_head = plain_kernel.Counted(head)

    fields_written(PLAIN, counting_head, len(head))

    assert counting_head.reads <= READS_A_BYTE * len(head) + 100


def test_unlisted_fields_are_read_but_not_among_the_names():
    kept = KeptFields(["subject", "from"], ["list-id", "sender"])
    raw = b"List-Id: news <news.example>\nSubject: hi\nSender: a@x\nFrom: b@x\n\nbody"
    header = kept.read(raw, len(raw))
    decoded = kept.decoded({"List-Id": ["news <news.example>"], "Subject": ["hi"], "Sender": ["a@x"], "From": ["b@x"]})

    assert header.texts == decoded
    assert header.texts[HEADER_NAMES] == b"subject from"
    assert header.texts["list-id"] == b"news <news.example>"
