"""Which text bodies of a mail a reader does not see, because their twin in HTML is shown in their place."""

from __future__ import annotations

from fast_mail_parser import ParseError, PyMimePartMetadata, parse_email_tree, walk

_ALTERNATIVE = b"multipart/alternative"
_MOST_PARTS = 500


def have_twins(raw: bytes) -> list[bool]:
    r"""For each text/plain body in order whether a later part of its ``multipart/alternative`` has HTML.

    Of such parts the last that a mail program can show is shown (RFC 2046, 5.1.4). ``[]`` says it of none, and also
    stands for a mail of more than 500 parts, or one that no parser takes.

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
    return _look(root)[0]


def _look(part: PyMimePartMetadata) -> tuple[list[bool], bool]:
    """What `have_twins` says of the bodies in a part, and whether there is HTML in it."""
    if part.is_message or part.disposition == "attachment":
        return [], False
    if not part.children:
        return [False] * part.content_type.startswith("text/plain"), part.content_type.startswith("text/html")
    is_choice = part.content_type.startswith(_ALTERNATIVE.decode())
    found: list[bool] = []
    html = False
    for child in reversed(part.children):
        inner, has_html = _look(child)
        found = [twin or (is_choice and html) for twin in inner] + found
        html = html or has_html
    return found, html
