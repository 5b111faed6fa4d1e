"""A mail that rspamc compresses is read, and no more memory is taken for it than for another."""

from __future__ import annotations

import http.client
import json
import random
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
    assert decoded(zstandard.compress(MAIL), headers) == MAIL


@pytest.mark.parametrize("headers", [{}, {"content-encoding": "identity"}, {"content-type": "text/plain"}])
def test_a_mail_that_is_not_compressed_stays_as_it_is(headers):
    assert decoded(MAIL, headers) == MAIL


@pytest.mark.parametrize("level", [1, 19])
def test_a_bomb_is_not_unpacked(level):
    bomb = zstandard.ZstdCompressor(level=level).compress(bytes(50_000_000))

    assert decoded(bomb, ZSTD) == bytes(MAX_MAIL_BYTES + 1)


def test_a_compressed_mail_above_the_limit_is_too_large_as_it_is():
    body = zstandard.compress(random.Random(1).randbytes(2 * MAX_MAIL_BYTES))[: MAX_MAIL_BYTES + 1]

    assert decoded(body, ZSTD) == body
    assert decoded(b"", ZSTD) == b""


def test_a_window_of_more_than_8_mb_is_refused():
    window = zstandard.ZstdCompressionParameters(window_log=25)
    compressor = zstandard.ZstdCompressor(compression_params=window).compressobj()
    frame = compressor.compress(MAIL) + compressor.flush()

    with pytest.raises(ValueError, match="not valid zstd"):
        decoded(frame, ZSTD)


def test_a_mail_that_spamc_compresses_is_inflated():
    assert inflated(zlib.compress(MAIL)) == MAIL
    assert inflated(zlib.compress(bytes(MAX_MAIL_BYTES))) == bytes(MAX_MAIL_BYTES)
    assert inflated(zlib.compress(bytes(50_000_000))) == bytes(MAX_MAIL_BYTES + 1)
    assert inflated(b"") == b""


def test_a_deflated_mail_above_the_limit_is_too_large_as_it_is():
    body = zlib.compress(random.Random(1).randbytes(2 * MAX_MAIL_BYTES))[: MAX_MAIL_BYTES + 1]

    assert inflated(body) == body


@pytest.mark.parametrize("cut", range(1, len(zlib.compress(MAIL))))
def test_a_deflated_mail_that_ends_early_is_refused(cut):
    with pytest.raises(ValueError, match="not valid zlib: it ends early"):
        inflated(zlib.compress(MAIL)[:cut])


@pytest.mark.parametrize(
    ("body", "headers", "error"),
    [
        (MAIL, ZSTD, "not valid zstd"),
        (zstandard.compress(MAIL)[:-5], ZSTD, "not valid zstd: it ends after"),
        (MAIL, {"content-encoding": "gzip"}, "compression with gzip"),
        (MAIL, {"content-encoding": "gzip", "compression": "zstd"}, "compression with gzip, zstd"),
    ],
)
def test_what_cannot_be_read_says_why(mail_filter, body, headers, error):
    with pytest.raises(ValueError, match=error):
        decoded(body, headers)
    status, answer = post(mail_filter.port, body, headers)
    assert status == 415 and error in answer["error"]


def test_a_filter_scores_and_keeps_the_mail_itself(mail_filter):
    item = fresh("spam")

    status, answer = post(mail_filter.port, zstandard.compress(item.value), ZSTD)

    assert (status, answer["action"]) == (200, "add header")
    assert mail_filter.emails()[answer["stream_nb"]["id"]] == item.value


def post(port: int, body: bytes, headers: dict[str, str]) -> tuple[int, dict]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    connection.request("POST", "/checkv2", body, headers)
    answer = connection.getresponse()
    # rspamc 3.12 crashes where a status has no reason.
    assert answer.reason
    found = json.loads(answer.read())
    connection.close()
    return answer.status, found
