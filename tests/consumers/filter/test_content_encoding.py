"""Compressed mails are decompressed, but never beyond the size limit of a mail."""

from __future__ import annotations

import http.client
import json
import random
import tracemalloc
import zlib

import pytest
import zstandard

from consumers.filter.content_encoding import decoded, inflated
from stream_nb.mail.limits import MAX_MAIL_BYTES
from tests.consumers.filter.conftest import PATIENCE_S, fresh

MAIL = b"Subject: hi\n\nhello"
ZSTD = {"compression": "zstd", "content-encoding": "zstd"}


@pytest.mark.parametrize("headers", [ZSTD, {"compression": "ZSTD "}, {"content-encoding": "zstd"}])
def test_a_compressed_mail_is_decompressed(headers):
    for mail in (MAIL, MAIL + random.Random(1).randbytes(3_000)):
        assert decoded(zstandard.compress(mail), headers) == mail


@pytest.mark.parametrize("headers", [{}, {"content-encoding": "identity"}, {"content-type": "text/plain"}])
def test_an_uncompressed_mail_is_unchanged(headers):
    assert decoded(MAIL, headers) == MAIL


@pytest.mark.parametrize("level", [1, 19])
def test_decompression_stops_one_byte_above_the_limit(level):
    bomb = zstandard.ZstdCompressor(level=level).compress(bytes(50_000_000))

    tracemalloc.start()
    try:
        assert decoded(bomb, ZSTD) == bytes(MAX_MAIL_BYTES + 1)
        assert tracemalloc.get_traced_memory()[1] < 30_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("compress", [zstandard.compress, lambda mail: streamed(zstandard.ZstdCompressor(), mail)])
def test_a_compressed_mail_that_ends_early_is_refused(compress):
    """The frame of a client that compresses while it reads does not say how long the mail is."""
    whole = compress(MAIL)
    assert decoded(whole, ZSTD) == MAIL
    for cut in range(1, len(whole)):
        with pytest.raises(ValueError, match="not valid zstd: it ends early"):
            decoded(whole[:cut], ZSTD)


def test_a_compressed_mail_above_the_limit_is_not_decompressed():
    body = zstandard.compress(random.Random(1).randbytes(2 * MAX_MAIL_BYTES))[: MAX_MAIL_BYTES + 1]

    assert decoded(body, ZSTD) == body
    assert decoded(b"", ZSTD) == b""


def test_a_window_of_more_than_8_mb_is_refused():
    window = zstandard.ZstdCompressionParameters(window_log=25)

    with pytest.raises(ValueError, match="not valid zstd"):
        decoded(streamed(zstandard.ZstdCompressor(compression_params=window), MAIL), ZSTD)


def test_a_zlib_compressed_mail_is_inflated_up_to_the_limit():
    assert inflated(zlib.compress(MAIL)) == MAIL
    assert inflated(zlib.compress(bytes(MAX_MAIL_BYTES))) == bytes(MAX_MAIL_BYTES)
    assert inflated(zlib.compress(bytes(50_000_000))) == bytes(MAX_MAIL_BYTES + 1)
    assert inflated(b"") == b""


def test_a_zlib_compressed_mail_above_the_limit_is_not_inflated():
    body = zlib.compress(random.Random(1).randbytes(2 * MAX_MAIL_BYTES))[: MAX_MAIL_BYTES + 1]

    assert inflated(body) == body


@pytest.mark.parametrize("cut", range(1, len(zlib.compress(MAIL))))
def test_a_truncated_zlib_stream_is_refused(cut):
    with pytest.raises(ValueError, match="not valid zlib: it ends early"):
        inflated(zlib.compress(MAIL)[:cut])


@pytest.mark.parametrize(
    ("body", "headers", "error"),
    [
        (MAIL, ZSTD, "not valid zstd"),
        (zstandard.compress(MAIL)[:-5], ZSTD, "not valid zstd: it ends early"),
        (MAIL, {"content-encoding": "gzip"}, "compression with gzip"),
        (MAIL, {"content-encoding": "gzip", "compression": "zstd"}, "compression with gzip, zstd"),
    ],
)
def test_a_body_that_cannot_be_decompressed_is_refused_with_the_reason(mail_filter, body, headers, error):
    with pytest.raises(ValueError, match=error):
        decoded(body, headers)
    status, answer = post(mail_filter.port, body, headers)
    assert status == 415 and error in answer["error"]


def test_the_filter_scores_and_appends_the_decompressed_mail(mail_filter):
    item = fresh("spam")

    status, answer = post(mail_filter.port, zstandard.compress(item.value), ZSTD)

    assert (status, answer["action"]) == (200, "add header")
    assert mail_filter.emails()[answer["stream_nb"]["id"]] == item.value


def streamed(compressor: zstandard.ZstdCompressor, mail: bytes) -> bytes:
    stream = compressor.compressobj()
    return stream.compress(mail) + stream.flush()


def post(port: int, body: bytes, headers: dict[str, str]) -> tuple[int, dict]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    connection.request("POST", "/checkv2", body, headers)
    answer = connection.getresponse()
    # rspamc 3.12 crashes on a status line without a reason
    assert answer.reason
    found = json.loads(answer.read())
    connection.close()
    return answer.status, found
