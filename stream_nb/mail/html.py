"""HTML to text: tags give way to their link targets, words split by markup are joined again, what a reader cannot see
is kept apart.

Measured choices are in `parser`; hostile inputs are in tests/stream_nb/mail/test_html.py. Styles are read by kernels
of our own: tinycss2 1.5 takes 1 s for 1 MB of rules and 30 us for a style attribute of three declarations, half of what
a whole mail may take.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from stream_nb import kernels
from stream_nb.kernels.style_layout import STYLE_COUNTS, STYLE_ENTRIES, STYLE_RULES

_STYLE = re.compile(rb"<style", re.IGNORECASE)
_NO_ENTRIES, _NO_RULES = np.zeros((0, 3), np.int64), np.zeros((0, 0), np.int64)


class HtmlText(NamedTuple):
    """Text a reader sees, and text that is kept from him."""

    seen: bytes
    hidden: bytes


def html_text(html: bytes) -> HtmlText:
    """The text of UTF-8 HTML, in work linear in its length.

    A tag becomes the targets of its href, src and action attributes (data: targets are dropped). Tags that
    end a line or a cell separate words, others (``<b>``, comments) do not; scripts and style sheets go.
    Character references become characters, no-break spaces spaces, characters without width nothing.

    Hidden is the text of ``<title>`` and of elements that are not displayed or transparent, smaller than 3 px, nearly
    in the colour of their background, off their place or clipped to nothing (`stream_nb.kernels.html_style`); by
    attributes, their style and style sheets (`stream_nb.kernels.css_rules`).

    >>> html_text(b'vi<!-- x -->ag<b></b>ra &amp; <a href="http://x.example/">here</a>').seen
    b'viagra &  http://x.example/ here'
    >>> html_text(b'<p style="color: #fefefe">secret</p>shown')
    HtmlText(seen=b'  shown', hidden=b'secret')
    """
    entries, rules = _NO_ENTRIES, _NO_RULES
    if _STYLE.search(html):
        entries, rules = np.zeros(STYLE_ENTRIES, np.int64), np.empty(STYLE_RULES, np.int64)
        kernels.read_styles(html, entries, rules, np.zeros(STYLE_COUNTS, np.int64))
    out = np.empty(2 * len(html) + 4, np.uint8)
    seen, unseen = kernels.split_html(html, entries, rules, out)
    half = len(out) // 2
    return HtmlText(out[:seen].tobytes(), out[half : half + unseen].tobytes())


def other_words(text: bytes, seen: bytes) -> bytes:
    """The words of a UTF-8 text that `seen` does not have, in their order, in work linear in the length of both.

    >>> other_words(b"Buy pills; see you at lunch", b"buy our pills")
    b' see you at lunch'
    """
    out = np.empty(len(text) + 1, np.uint8)
    n = kernels.other_words(text, seen, out)
    return out[:n].tobytes()
