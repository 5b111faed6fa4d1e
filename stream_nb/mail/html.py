"""HTML to text: tags give way to their link targets, words split by markup are joined again.

Measured choices are in `parser`; hostile inputs are in tests/stream_nb/mail/test_html.py.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from stream_nb import kernels


class HtmlText(NamedTuple):
    """Text a reader sees, and text that its style takes out of sight."""

    seen: bytes
    hidden: bytes


def html_text(html: bytes) -> HtmlText:
    """The text of UTF-8 HTML, in work linear in its length.

    A tag becomes the targets of its href, src and action attributes (data: targets are dropped). Tags that
    end a line or a cell separate words, others (``<b>``, comments) do not; scripts and style sheets go.
    Character references become characters, no-break spaces spaces, characters without width nothing.
    Text in elements with `hidden`, ``display:none``, ``visibility:hidden`` or ``font-size:0`` is kept apart.

    >>> html_text(b'vi<!-- x -->ag<b></b>ra &amp; <a href="http://x.example/">here</a>').seen
    b'viagra &  http://x.example/ here'
    >>> html_text(b'<p style="display: none">secret</p>shown')
    HtmlText(seen=b'  shown', hidden=b'secret')
    """
    data = np.frombuffer(html, np.uint8)
    seen = np.empty(data.shape[0] + 2, np.uint8)
    unseen = np.empty(data.shape[0] + 2, np.uint8)
    n_seen, n_unseen = kernels.split_html(data, seen, unseen)
    return HtmlText(seen[:n_seen].tobytes(), unseen[:n_unseen].tobytes())
