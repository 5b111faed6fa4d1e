"""Which bodies a reader does not see, because mail programs show an HTML alternative instead."""

from __future__ import annotations

from fast_mail_parser import ParseError, PyMimePartMetadata, parse_email_tree, walk

_ALTERNATIVE = b"multipart/alternative"
_MOST_PARTS = 500


def have_twins(raw: bytes) -> tuple[list[bool], list[bool]]:
    r"""Return, for each text/plain body in order, whether a later part of its ``multipart/alternative`` has HTML; and
    the same for each HTML body.

    A mail program shows the last alternative that it can display (RFC 2046, 5.1.4). Both lists are empty for a mail
    without alternatives, with more than 500 parts, or that cannot be parsed.

    >>> have_twins(
    ...     b"Content-Type: multipart/alternative; boundary=b\n\n"
    ...     b"--b\n\nplain\n--b\nContent-Type: text/html\n\n<b>html</b>\n--b--\n"
    ... )
    ([True], [False])
    """
    if _ALTERNATIVE not in raw.lower():
        return [], []
    try:
        root = parse_email_tree(raw, mode="metadata")
    except ParseError:
        return [], []
    for count, _ in enumerate(walk(root)):
        if count == _MOST_PARTS:
            return [], []
    return _twins_in(root)


def _twins_in(part: PyMimePartMetadata) -> tuple[list[bool], list[bool]]:
    """Return `have_twins` of the bodies in a part."""
    if part.is_message or part.disposition == "attachment":
        return [], []
    if not part.children:
        is_plain, is_html = map(part.content_type.startswith, ("text/plain", "text/html"))
        return [False] * is_plain, [False] * is_html
    is_choice = part.content_type.startswith(_ALTERNATIVE.decode())
    plain: list[bool] = []
    htmls: list[bool] = []
    for child in reversed(part.children):
        has_twin = is_choice and bool(htmls)
        inner, inner_htmls = _twins_in(child)
        plain = [twin or has_twin for twin in inner] + plain
        htmls = [twin or has_twin for twin in inner_htmls] + htmls
    return plain, htmls
