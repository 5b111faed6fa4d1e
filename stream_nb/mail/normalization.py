r"""Letters in disguise -> the letters they stand for, so that words are the words that a reader sees.

Letters and digits of full width, and of Unicode's mathematical alphabets, become plain ones (NFKC). Letters one by one
become words: where four or more single ASCII letters follow each other with one and the same separator or punctuation
byte in between, that byte goes. It goes from the whole passage around them, of single letters and digits at most eight
bytes apart; what else stands between two of these is the end of a word:

    >>> normalized([b"f r e e  v.i.a.g.r.a,  i n  s t o c k"])
    [b'free  viagra,  in  stock']

Where words are no further apart than letters, a sentence becomes one word: most is then unknown, and says nothing.
Three letters one by one are mostly an abbreviation, and stay. `python -m tests.benchmarks.unknown_text` measures what
becomes of ham that is written so.
"""

from __future__ import annotations

import re
import unicodedata

import numpy as np

from stream_nb import kernels

_WIDE = re.compile("[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\U0001d400-\U0001d7ff]+")
_UNSEEN = "\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064\ufeff"


def normalized(texts: list[bytes]) -> list[bytes]:
    """UTF-8 texts with plain letters; the same list where they are plain already, as nearly always.

    The work is linear in the length of the texts.
    """
    if not kernels.has_disguise(b"\n".join(texts)):
        return texts
    return [_joined(_folded(text)) if kernels.has_disguise(text) else text for text in texts]


def without_unseen(text: str) -> bytes:
    r"""Text as UTF-8, with plain spaces for no-break ones and without characters that have no width.

    >>> without_unseen("f\u200bree\u00a0offer")
    b'free offer'
    """
    plain = text.encode()
    if kernels.has_unseen(plain):
        for character in _UNSEEN:
            text = text.replace(character, "")
        plain = text.replace("\u00a0", " ").encode()
    return plain


def _folded(text: bytes) -> bytes:
    if text.isascii():
        return text
    characters = text.decode("utf-8", "surrogateescape")
    return _WIDE.sub(lambda run: unicodedata.normalize("NFKC", run[0]), characters).encode("utf-8", "surrogateescape")


def _joined(text: bytes) -> bytes:
    out = np.empty(len(text), np.uint8)
    return out[: kernels.join_letters(text, out)].tobytes()
