"""HTML to text: words split by markup are joined, hidden text is separated.

The measurements behind these choices are in `parser`; hostile inputs are in tests/stream_nb/mail/test_html.py. Our own
kernels read the styles, because tinycss2 1.5 takes 1 s for 1 MB of rules, and 30 us for a style attribute of three
declarations, which is half the time budget of a whole mail.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from stream_nb import kernels
from stream_nb.kernels.css.layout import STYLE_COUNTS, STYLE_ENTRIES, STYLE_RULES

_STYLE = re.compile(rb"<style", re.IGNORECASE)
_NO_ENTRIES, _NO_RULES = np.zeros((0, 3), np.int64), np.zeros((0, 0), np.int64)


class HtmlText(NamedTuple):
    """The text that a reader sees, and the text that is hidden."""

    seen: bytes
    hidden: bytes


def html_text(html: bytes) -> HtmlText:
    """Return the text of UTF-8 HTML, in time linear in its length.

    Tags that end a line or a cell separate words, others (``<b>``, comments) do not; scripts and style sheets are
    removed. Character references are decoded, no-break spaces become spaces, and zero-width characters are removed.

    Hidden text is that of ``<title>``, the hosts in the href, src and action attributes, and the text of elements that
    are not displayed, transparent, smaller than 3 px, nearly the colour of their background, moved far away or clipped
    to nothing (`stream_nb.kernels.html.style`), according to attributes, inline styles and style sheets
    (`stream_nb.kernels.css.selectors`). As in a browser, an invalid declaration has no effect.

    >>> html_text(b'vi<!-- x -->ag<b></b>ra &amp; <a href="http://x.example/?id=1">here</a>')
    HtmlText(seen=b'viagra & here', hidden=b' x.example ')
    >>> html_text(b'<p style="color: #fefefe">secret</p>shown')
    HtmlText(seen=b'  shown', hidden=b'secret')
    """
    entries, rules = style_rules(html)
    out = np.empty(2 * len(html) + 4, np.uint8)
    seen, unseen = kernels.split_html(html, entries, rules, out)
    half = len(out) // 2
    return HtmlText(out[:seen].tobytes(), out[half : half + unseen].tobytes())


def style_rules(html: bytes) -> tuple[np.ndarray, np.ndarray]:
    """Return the names and the rules of the style sheets of UTF-8 HTML, in time linear in its length.

    Both arrays (int64) are empty without a style sheet; `stream_nb.kernels.css.rules` describes them.

    >>> [len(array) for array in style_rules(b"<p>no style sheet</p>")]
    [0, 0]
    """
    if not _STYLE.search(html):
        return _NO_ENTRIES, _NO_RULES
    entries, rules = np.zeros(STYLE_ENTRIES, np.int64), np.empty(STYLE_RULES, np.int64)
    kernels.read_styles(html, entries, rules, np.zeros(STYLE_COUNTS, np.int64))
    return entries, rules


def other_words(text: bytes, seen: bytes) -> bytes:
    """Return the words of a UTF-8 text that `seen` lacks, in their order, in time linear in the length of both.

    >>> other_words(b"Buy pills; see you at lunch", b"buy our pills")
    b' see you at lunch'
    """
    out = np.empty(len(text) + 1, np.uint8)
    n = kernels.other_words(text, seen, out)
    return out[:n].tobytes()
