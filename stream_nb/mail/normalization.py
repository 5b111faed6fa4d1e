r"""Letters in disguise -> the letters they stand for, so that words are the words that a reader sees.

Letters and digits of full width, and of Unicode's mathematical alphabets, become plain ones (NFKC). Letters one by one
become words: where four or more single ASCII letters follow each other with one and the same separator or punctuation
byte in between, that byte goes. It goes from the whole passage around them, of single letters and digits at most eight
bytes apart; what else stands between two of these is the end of a word:

    >>> normalized([Part("", b"f r e e  v.i.a.g.r.a,  i n  s t o c k")])
    [Part(name='', text=b'free  viagra,  in  stock')]

Where words are no further apart than letters, a sentence becomes one word: most is then unknown, and says nothing.
Three letters one by one are mostly an abbreviation, and stay. `python -m tests.benchmarks.unknown_text` measures what
becomes of ham that is written so.
"""

from __future__ import annotations

import re
import unicodedata

from stream_nb import kernels
from stream_nb.types import Part

_WIDE = re.compile("[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\U0001d400-\U0001d7ff]+")
_LEADS = b"\xef", b"\xf0"
_WORD = rb"0-9A-Za-z_\x80-\xff"
# The byte before comes first, not in a lookbehind: then the search skips what cannot be one.
_PASSAGE = re.compile(rb"[^" + _WORD + rb"][0-9A-Za-z](?:[^" + _WORD + rb"]{1,8}[0-9A-Za-z](?![" + _WORD + rb"]))++")
_SEPARATOR = re.compile(rb"[A-Za-z]([^" + _WORD + rb"\r\n])[A-Za-z]\1[A-Za-z]\1[A-Za-z]")


def normalized(parts: list[Part]) -> list[Part]:
    """The parts of a mail with plain letters; the same list where they are plain already, as nearly always.

    The work is linear in the length of the texts.

    Args:
        parts: Parts of UTF-8 text.
    """
    whole = b"\n".join([part.text for part in parts])
    wide = not whole.isascii() and any(lead in whole for lead in _LEADS)
    if not (wide or kernels.has_spaced_letters(whole)):
        return parts
    return [Part(part.name, _joined(_folded(part.text))) for part in parts]


def _folded(text: bytes) -> bytes:
    if not any(lead in text for lead in _LEADS):
        return text
    characters = text.decode("utf-8", "surrogateescape")
    return _WIDE.sub(lambda run: unicodedata.normalize("NFKC", run[0]), characters).encode("utf-8", "surrogateescape")


def _joined(text: bytes) -> bytes:
    return _PASSAGE.sub(_join_passage, b"\n" + text)[1:] if kernels.has_spaced_letters(text) else text


def _join_passage(passage: re.Match[bytes]) -> bytes:
    separators = b"".join(sorted(set(_SEPARATOR.findall(passage[0]))))
    if not separators:
        return passage[0]
    between = rb"(?<=[0-9A-Za-z])[" + re.escape(separators) + rb"](?=[0-9A-Za-z])"
    return re.sub(between, b"", passage[0])
