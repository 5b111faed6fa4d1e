"""Which text/plain bodies a reader does not see, because mail programs show their HTML alternative instead."""

from __future__ import annotations

from fast_mail_parser import ParseError, PyMimePartMetadata, parse_email_tree, walk

_ALTERNATIVE = b"multipart/alternative"
_MOST_PARTS = 500


def have_twins(raw: bytes) -> list[bool]:
    r"""Return, for each text/plain body in order, whether a later part of its ``multipart/alternative`` has HTML.

    A mail program shows the last alternative that it can display (RFC 2046, 5.1.4). Returns ``[]`` for a mail without
    alternatives, with more than 500 parts, or that cannot be parsed.

    >>> have_twins(
    ...     b"Content-Type: multipart/alternative; boundary=b\n\n"
    ...     b"--b\n\nplain\n--b\nContent-Type: text/html\n\n<b>html</b>\n--b--\n"
    ... )
    [True]
    """
    if _ALTERNATIVE not in raw.lower():
        return []
    try:
        root = parse_email_tree(raw, mode="metadata")
    except ParseError:
        return []
    for count, _ in enumerate(walk(root)):
        if count == _MOST_PARTS:
            return []
    return _twins_in(root)[0]


def _twins_in(part: PyMimePartMetadata) -> tuple[list[bool], bool]:
    """Return `have_twins` of the bodies in a part, and whether the part has HTML."""
    if part.is_message or part.disposition == "attachment":
        return [], False
    if not part.children:
        return [False] * part.content_type.startswith("text/plain"), part.content_type.startswith("text/html")
    is_choice = part.content_type.startswith(_ALTERNATIVE.decode())
    found: list[bool] = []
    html = False
    for child in reversed(part.children):
        inner, has_html = _twins_in(child)
        found = [twin or (is_choice and html) for twin in inner] + found
        html = html or has_html
    return found, html
