r"""Content-Transfer-Encoding and Content-Type fields in a form that the fast parser reads.

Mail programs ignore white space, quotes and comments around the names of the encoding and of the media type. The fast
parser would leave the text encoded or take it for a file, so that the model saw none of its words. Of several
boundaries mail programs take the first, the fast parser the last. Without an empty line after the fields of a part, the
fast parser takes its text for fields, too.
"""

from __future__ import annotations

import re

_NAMES = b"content-t"
_PLAIN = re.compile(
    rb"content-t(?:ype: ?[\w.+-]++/[\w.+-]++ ?(?:;[^(\n]*+(?:\n[ \t][^(\n]*+)*+)?+\r?(?:\n(?![ \t])|\Z)"
    rb"|ransfer-encoding: ?(?:base64|quoted-printable|[78]bit|binary)\r?\n)(?=[\w-]*+:|[\r\n]|\Z)"
)
_FIELD = re.compile(rb"content-t(?:ransfer-encoding|(ype)):([^\n]*(?:\n[ \t][^\n]*)*)", re.IGNORECASE)
_TEXT = re.compile(rb"\n(?![!-9;-~]+[ \t]*:|[ \t\r\n]|\Z)")
"""The end of a field before a line that is not a field, not a part of one, and not empty."""
_ENCODING = re.compile(rb'\s*"?(base64|quoted-printable)(?![\w-])', re.IGNORECASE)
_STRING_OR_COMMENT = re.compile(rb'("[^"]*")|\([^()]*\)')
_STRING_OR_BOUNDARY = re.compile(rb'"[^"]*"|(;\s*boundary\s*=)', re.IGNORECASE)
_TYPE = re.compile(rb"""[\s"']*([\w.+-]+)\s*/\s*([\w.+-]+)[\s"',:]*;?""")


def with_plain_fields(raw: bytes, header_end: int | None = None) -> tuple[bytes, bool]:
    r"""Return a mail in which each encoding of base64 or quoted-printable has only that name, and in which there are no
    comments in media types, no space within them and one boundary at most, and an empty line between such a field and a
    text, in time linear in its length. Also return whether a text may have lines that are broken within words (see
    `flowed`).

    Only a multipart mail has such fields beyond `header_end`.

    >>> with_plain_fields(b'Content-Transfer-Encoding:\n "BASE64"; x\n\naGk=')
    (b'Content-Transfer-Encoding: BASE64\n\naGk=', False)
    >>> with_plain_fields(b"Content-Type: text / html (a page); charset=utf-8\n\n<b>hi")
    (b'Content-Type: text/html; charset=utf-8\n\n<b>hi', False)
    """
    lower = raw[:header_end].lower()
    if b"multipart" in lower:
        lower = raw.lower()
    pieces: list[bytes] = []
    breaks_words = False
    done, at = 0, lower.find(_NAMES)
    while at >= 0:
        start = at
        if (plain := _PLAIN.match(lower, at)) and lower.count(b"boundary", at, plain.end()) < 2:
            at = plain.end() - 1
        elif field := _FIELD.match(raw, at):
            pieces += [raw[done : field.start(2)], (_plain_type if field[1] else _plain_encoding)(field[2])]
            at = done = field.end()
            if _TEXT.match(raw, at) and lower[start - 1 : start] in (b"", b"\n"):  # else it is quoted
                pieces.append(b"\n")
        else:
            at += 1
        breaks_words |= lower.find(b"delsp", start, at) >= 0
        at = lower.find(_NAMES, at)
    return b"".join([*pieces, raw[done:]]) if pieces else raw, breaks_words


def _plain_encoding(value: bytes) -> bytes:
    found = _ENCODING.match(value)
    return value if found is None else b" " + found[1] + b"\r" * value.endswith(b"\r")


def _plain_type(value: bytes) -> bytes:
    bare = _STRING_OR_COMMENT.sub(rb"\1 ", value)
    found = _TYPE.match(bare)
    if found is None:
        return value
    parameters = b";" + bare[found.end() :]
    boundaries = [at.start() for at in _STRING_OR_BOUNDARY.finditer(parameters) if at[1]]
    return b" %b/%b%b" % (found[1], found[2], parameters[: boundaries[1]] if boundaries[1:] else parameters)
