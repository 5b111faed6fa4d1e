"""Decompresses the mail in a request: rspamc 3.12 compresses mails with zstd, and `spamc -z` with zlib.

A compressed mail that ends early is refused: a client that was cut off would get the score of a part of its mail, and
spamd's PROCESS would send that part back in place of the mail.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping

import zstandard

from stream_nb.mail.limits import MAX_MAIL_BYTES

_HEADERS = ("compression", "content-encoding")
_PIECE_BYTES = 256  # bounds the memory that a small hostile body takes: a piece becomes 8 MB at most
# RFC 8878, 3.1.1.1.2, recommends that decoders support windows of up to 8 MB; larger ones would only use memory.
_decompressor = zstandard.ZstdDecompressor(max_window_size=8 << 20)


def decoded(body: bytes, headers: Mapping[str, str]) -> bytes:
    """Return the mail in the `body` of a request, decompressed if its `headers` (names in lower case) say that it is
    compressed.

    A compressed mail is truncated to one byte more than `MAX_MAIL_BYTES`; a body above that is returned as it is.

    Raises:
        ValueError: The compression is not zstd, or the body is not valid zstd, or ends early.
    """
    encodings = {headers[name].strip().lower() for name in _HEADERS if name in headers} - {"identity"}
    if not encodings or not 0 < len(body) <= MAX_MAIL_BYTES:
        return body
    if encodings != {"zstd"}:
        names = ", ".join(sorted(encodings))[:80]
        raise ValueError(f"compression with {names} is not supported; send the mail uncompressed or as zstd")
    stream = _decompressor.decompressobj()
    mail = bytearray()
    try:
        for start in range(0, len(body), _PIECE_BYTES):
            mail += stream.decompress(body[start : start + _PIECE_BYTES])
            if stream.eof or len(mail) > MAX_MAIL_BYTES:
                return bytes(mail[: MAX_MAIL_BYTES + 1])
    except zstandard.ZstdError as error:
        raise ValueError(f"the mail is not valid zstd: {error}") from error
    raise ValueError(f"the mail is not valid zstd: it ends early, after {len(mail)} bytes")


def inflated(body: bytes) -> bytes:
    """Return the mail in the `body` of a request, compressed with zlib.

    It is truncated to one byte more than `MAX_MAIL_BYTES`; a body above that is returned as it is.

    Raises:
        ValueError: The body is not valid zlib, or ends early.
    """
    if not 0 < len(body) <= MAX_MAIL_BYTES:
        return body
    stream = zlib.decompressobj()
    try:
        mail = stream.decompress(body, MAX_MAIL_BYTES + 1)
    except zlib.error as error:
        raise ValueError(f"the mail is not valid zlib: {error}") from error
    if not stream.eof and len(mail) <= MAX_MAIL_BYTES:
        raise ValueError(f"the mail is not valid zlib: it ends early, after {len(mail)} bytes")
    return mail
