"""Limits of a mail, applied before a parser reads it: its size, its header and its encoded words."""

import re

import pytest

from stream_nb.errors import MailError
from stream_nb.mail import read_mail
from stream_nb.mail.headers import KeptFields
from stream_nb.mail.limits import (
    MAX_ENCODED_WORDS,
    MAX_HEADER_BYTES,
    MAX_MAIL_BYTES,
    guarded,
    header_block,
    header_end,
    without_mbox_line,
)


@pytest.mark.parametrize(
    ("raw", "safe"),
    [
        (b"A: b\n\nbody", b"A: b\n\nbody"),
        (b"A: b\r\n\r\nbody", b"A: b\r\n\r\nbody"),
        (b"From someone Mon\nA: b\n\nbody", b"A: b\n\nbody"),
        (b"Subject: a\nno blank line\nx: y", b"Subject: a\n\nno blank line\nx: y"),
        (b"Subject: a\nhttp://x.example/\n", b"Subject: a\n\nhttp://x.example/\n"),
        (b"Subject: a\n folded\n\tagain\nbody", b"Subject: a\n folded\n\tagain\n\nbody"),
        (b"no header", b"\nno header"),
        (b"\nbody", b"\nbody"),
        (b"Subject: a", b"Subject: a\n\n"),
        (b" x: y\n\nbody", b"\n x: y\n\nbody"),
    ],
)
def test_a_missing_blank_line_after_the_header_is_inserted(raw, safe):
    assert guarded(raw)[0] == safe


@pytest.mark.parametrize(
    "raw", [b"A: b\n\nbody", b"From x\nA: b\r\n\r\nbody", b"A: b\nbody", b"body", b"A: b", b"A: =?"]
)
def test_the_header_block_ends_before_the_blank_line(raw):
    safe, header = guarded(raw + b" =?" * MAX_ENCODED_WORDS)

    assert safe[header.end : header.end + 1] in (b"\n", b"\r")
    assert safe[: header.end] == header_block(safe)


def test_a_mail_of_one_byte_more_than_allowed_is_refused():
    assert len(guarded(b"a: b\n\n".ljust(MAX_MAIL_BYTES, b"x"))[0]) == MAX_MAIL_BYTES

    with pytest.raises(MailError, match="1000001 bytes, at most 1000000 are allowed") as refused:
        guarded(b"a: b\n\n".ljust(MAX_MAIL_BYTES + 1, b"x"))
    assert refused.value.reason == "oversized"


@pytest.mark.parametrize("raw", [b"", b" \r\n\t", b"From somebody", b"From somebody\n\n"])
def test_a_mail_without_text_is_refused_as_empty(raw):
    with pytest.raises(MailError) as refused:
        guarded(raw)
    assert refused.value.reason == "empty"


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_a_long_header_is_cut_at_a_line_and_the_body_is_kept(end):
    fields = b"".join(b"X-%d: %s%s" % (i, b"y" * 90, end) for i in range(1_000))

    safe, _ = guarded(b"Subject: s" + end + fields + end + b"the body")
    head, _, body = safe.partition(b"\n\n")

    assert body == b"the body"
    assert MAX_HEADER_BYTES - 200 < len(head) <= MAX_HEADER_BYTES
    assert all(line == b"Subject: s" or line.endswith(b"y" * 90) for line in head.splitlines())


def test_a_field_longer_than_the_header_may_be_is_cut():
    safe, _ = guarded(b"Subject: " + b"x" * 100_000 + b"\nFrom: a\n\nthe body")

    assert safe == b"Subject: ".ljust(MAX_HEADER_BYTES, b"x") + b"\n\nthe body"


def test_cutting_a_long_header_without_a_body_adds_no_body():
    assert guarded(b"X: " + b"y\n z" * 20_000)[0].endswith(b"y\n\n")


@pytest.mark.parametrize("size", range(MAX_HEADER_BYTES - 12, MAX_HEADER_BYTES + 12))
def test_a_field_at_the_limit_of_the_header_is_not_read_as_text(size):
    raw = b"A: ".ljust(size, b"a") + b"\nLongfield: b\nC: d\n\nbody"

    assert header_end(raw) in (-1, len(raw) - len(b"\nbody"))
    assert guarded(raw)[0].split(b"\n")[-1] == b"body"


def test_encoded_words_are_removed_only_above_their_limit():
    at_limit = b"A: b\n\n" + b"=?x?q?y?= " * MAX_ENCODED_WORDS
    above_limit = at_limit + b"=?x?q?y?= "

    assert guarded(at_limit)[0] == at_limit
    assert b"=?" not in guarded(above_limit)[0]
    assert guarded(b"A: b\n\n" + b"=?a?q??=" * (MAX_ENCODED_WORDS + 1))[0].count(b"=?") == 0


@pytest.mark.parametrize("begin", [b" =?", b" =?=a", b" =?utf-8?q?", b" =?utf-8?q?=41a", b'"=?a?q?x?=y'])
def test_many_encoded_words_without_an_end_are_removed(begin):
    safe, header = guarded(b"Subject: =?a?q?b?=" + begin * 1_000 + b"?=a" * 3_000 + b"\n\nbody", KeptFields(["to"]))

    assert re.search(rb'[\s"]=\?', safe[len(b"Subject: =?") :]) is None
    assert safe[header.end :] == b"\nbody"


@pytest.mark.parametrize(
    "word", [b"=?utf-8?q?=41_b?=", b"=?koi8-r?B?8Onzzg==?=", b'"=?ISO-8859-1?Q?a b?="', b"<=?a?b?haW4=?=>,"]
)
def test_many_valid_encoded_words_are_kept(word):
    raw = b"Subject: " + (word + b" ") * 200 + word + b"\n\nbody"

    assert guarded(raw)[0] == raw


def test_the_header_block_and_the_line_of_an_mbox_are_recognised():
    assert header_block(b"A: b\nC: d\n\nE: f") == b"A: b\nC: d\n"
    assert header_block(b"text\n\nE: f") == b""
    assert without_mbox_line(b">From x\nA: b") == b"A: b"
    assert without_mbox_line(b"From: x\nA: b") == b"From: x\nA: b"


def test_lines_may_end_with_a_carriage_return_alone():
    part = b"--b\rContent-Type: text/html\r\r<b>mon</b>ey\r--b--\r"
    parts = dict(read_mail(b"From: a\rSubject: s\rContent-Type: multipart/mixed; boundary=b\r\r" + part).mail.parts)

    assert (parts["from"], parts[""].split()) == (b"a", [b"s", b"money"])
