"""The mail in a request of rspamd's protocol, which rspamc 3.12 compresses with zstd."""

from __future__ import annotations

from collections.abc import Mapping

import zstandard

from stream_nb.mail.limits import MAX_MAIL_BYTES

_HEADERS = ("compression", "content-encoding")
# RFC 8878, 3.1.1.1.2, asks decoders for windows of up to 8 MB; larger ones only take memory.
_decompressor = zstandard.ZstdDecompressor(max_window_size=8 << 20)


def decoded(body: bytes, headers: Mapping[str, str]) -> bytes:
    """Return the mail in a body, decompressed if its headers say that it is compressed.

    Of a mail longer than `MAX_MAIL_BYTES` it returns one byte more than that.

    Args:
        body: The body of the request.
        headers: Its header fields by their names in lower case.

    Raises:
        ValueError: The body has another compression than zstd, or is not zstd.
    """
    encodings = {headers[name].strip().lower() for name in _HEADERS if name in headers} - {"identity"}
    if not encodings:
        return body
    if encodings != {"zstd"}:
        names = ", ".join(sorted(encodings))[:80]
        raise ValueError(f"a mail compressed with {names} is not read: send it as it is, or compressed with zstd")
    try:
        with _decompressor.stream_reader(body) as reader:
            return reader.read(MAX_MAIL_BYTES + 1)
    except zstandard.ZstdError as error:
        raise ValueError(f"the mail is not zstd: {error}") from error
