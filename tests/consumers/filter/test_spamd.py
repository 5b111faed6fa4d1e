"""spamd's protocol: invalid requests get an error code, and of large bodies only the start is kept."""

import asyncio
import random
import zlib

import pytest

from consumers.filter import spamd
from consumers.filter.verdict import ALMOST, unscored_verdict
from tests.consumers.filter.conftest import fresh
from tests.support.filter_client import talk
from tests.support.own_loop import run_coroutine


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"\n",
        b"hello\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\n",
        b"CHECK SPAMC/one\r\n\r\n",
        b"CHECK SPAMC/1.5\r\nContent-length: -1\r\n\r\n",
        b"CHECK SPAMC/1.5\r\nContent-length: 99999999999999999999\r\n\r\n",
        b"CHECK SPAMC/1.5\r\nContent-length: 999999999\r\n\r\n",
        b"CHECK SPAMC/1.5\r\nContent-length: 100\r\n\r\nshort",
        b"CHECK SPAMC/1.5\r\nCompress: zlib\r\n\r\nnot zlib at all",
        b"CHECK SPAMC/1.5\r\nCompress: zlib\r\n\r\n" + zlib.compress(b"Subject: hi\n\nhello")[:-6],
        b"PROCESS SPAMC/1.5\r\nCompress: zlib\r\n\r\n" + zlib.compress(random.Random(1).randbytes(1_100_000), 0),
        b"EXPLODE SPAMC/1.5\r\n\r\n",
        b"TELL SPAMC/1.5\r\n\r\nSubject: hi\n\nhello",
        b"TELL SPAMC/1.5\r\nSet: local\r\n\r\nSubject: hi\n\nhello",
        b"TELL SPAMC/1.5\r\nSet: local\r\nMessage-class: " + b"x" * 101 + b"\r\n\r\nSubject: hi\n\nhello",
    ],
)
def test_an_invalid_request_gets_an_error_code(mail_filter, request_bytes):
    before = len(mail_filter.emails()), len(mail_filter.labels())

    reply = talk(mail_filter.port, request_bytes)

    assert reply.startswith((b"SPAMD/1.1 76 ", b"SPAMD/1.1 65 ")) and reply.endswith(b"\r\n")
    assert (len(mail_filter.emails()), len(mail_filter.labels())) == before


@pytest.mark.parametrize("header", [b"a: " + b"b" * 70_000, b"a: b\r\n" * 90_000])
def test_a_header_above_the_limit_gets_an_error_code(header):
    async def read() -> None:
        reader = asyncio.StreamReader()
        reader.feed_data(header + b"\r\n\r\nSubject: hi\n\nhello")
        reader.feed_eof()
        await spamd._read(b"CHECK SPAMC/1.5\r\n", reader)

    with pytest.raises(spamd.Refused, match="bytes is not read") as refused:
        run_coroutine(read())
    assert refused.value.line.startswith(b"SPAMD/1.1 76 EX_PROTOCOL ")


def test_a_mail_to_thousands_of_recipients_is_scored(mail_filter):
    """Exim, with variant=rspamd, names each of them."""
    mail = fresh("ham").value
    header = b"Content-length: %d\r\n" % len(mail) + b"Rcpt: someone.with.a.name@test.example\r\n" * 5_000

    reply = talk(mail_filter.port, b"CHECK RSPAMC/1.3\r\n" + header + b"\r\n", mail)

    assert b"STREAM_NB_HAM" in reply


def test_the_score_of_a_mail_just_below_the_cut_is_below_what_is_required():
    """Users compare the two numbers."""
    verdict = unscored_verdict("", "HAM", "")._replace(score=ALMOST)

    status = "No, score=4.99 required=5.00 tests=STREAM_NB_HAM autolearn=no"
    assert ("X-Spam-Status", status) in spamd._mail_fields(verdict)
    request = spamd.Request("CHECK", False, (1, 5), {}, b"")
    assert b"Spam: False ; 4.9 / 5.0\r\n" in spamd._spamd_reply(request, verdict)


def test_of_a_large_mail_only_the_start_is_kept(monkeypatch):
    monkeypatch.setattr(spamd, "MAX_MAIL_BYTES", 100)
    monkeypatch.setattr(spamd, "MAX_BODY_BYTES", 300)

    async def read(length: str | None) -> tuple[int, int]:
        reader = asyncio.StreamReader()
        reader.feed_data(bytes(350))
        reader.feed_eof()
        return len(await spamd._read_body(reader, length)), len(await reader.read())

    assert run_coroutine(read("250")) == (101, 100)
    assert run_coroutine(read(None)) == (101, 50)
