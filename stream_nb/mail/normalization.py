r"""Disguised letters -> plain letters, so that the learner reads the words that a reader sees.

Full-width letters and digits, small capitals, raised and lowered letters, Roman numerals of one letter, and those of
Unicode's mathematical alphabets, in circles, squares or parentheses become plain ones. A word that mixes Latin letters
with Cyrillic or Greek ones that look like Latin letters becomes Latin; one of Cyrillic letters and Latin ones that look
like them becomes Cyrillic. Words of one script stay.
Spaced-out letters become words: if four or more single ASCII letters are separated by the same separator or
punctuation byte, that byte is removed. It is removed from the whole passage around them, which consists of single
letters and digits at most eight bytes apart. Anything else between two of these ends a word:

    >>> normalized([b"f r e e  v.i.a.g.r.a,  i n  s t o c k"])
    [b'free  viagra,  in  stock']

If words are no further apart than letters, a sentence becomes one word, which is mostly unknown and says nothing.
Three spaced-out letters are usually an abbreviation and stay. `python -m tests.benchmarks.unknown_text` measures the
effect on ham that is written this way.
"""

from __future__ import annotations

import re
import unicodedata

import numpy as np

from stream_nb import kernels

_SMALL_CAPITALS = "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ"
_FOLDED = "\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\u2102-\u2134\u249c-\u24e9\U0001d400-\U0001d7ff\U0001f130-\U0001f189"
_RAISED = "\u02b0-\u02b8\u02e0-\u02e4\u1d2c-\u1d6a\u2071\u207f\u2090-\u209c\u2160-\u217f"
_WIDE = re.compile(f"[{_SMALL_CAPITALS}{_FOLDED}{_RAISED}]+")
_CAPITALS = {
    **{first + k: ord("A") + k for first in (0x1F150, 0x1F170) for k in range(26)},
    **{0x249C + k: ord("a") + k for k in range(26)},
    **str.maketrans(_SMALL_CAPITALS, "ABCDEFGHIJKLMNOPRSTUVWYZ"),
}
"""Letters in black circles and squares, in parentheses, and small capitals, which NFKC does not fold to one letter."""
_OTHER = "\u0370-\u03ff\u0400-\u052f"
_MIXED = re.compile(f"(?<![A-Za-z{_OTHER}])(?:[A-Za-z]++(?=[{_OTHER}])|[{_OTHER}]++(?=[A-Za-z]))[A-Za-z{_OTHER}]+")
_TO_LATIN = str.maketrans(
    "АВСЕНІЈКМОРЅТХУԜаеорсухіјѕһԁԛԝӏкΑΒΕΖΗΙΚΜΝΟΡΤΥΧαγεικνορτυχηωϲϳ",
    "ABCEHIJKMOPSTXYWaeopcyxijshdqwlkABEZHIKMNOPTYXayeikvoptuxnwcj",
)
_REVERSED = re.compile("\u202e([^\u202c\u202e\\n<]*)")
"""Text that is shown from right to left, up to markup: Unicode's right-to-left override, and what ends it."""
_TO_CYRILLIC = str.maketrans("ABCEHKMOPTXYaceopxyk", "АВСЕНКМОРТХУасеорхук")


def normalized(texts: list[bytes]) -> list[bytes]:
    """Return UTF-8 texts with plain letters; the same list if they are plain already, as they nearly always are.

    The time is linear in the length of the texts.
    """
    if not kernels.has_disguise(b"\n".join(texts)):
        return texts
    return [_joined(_folded(text)) if kernels.has_disguise(text) else text for text in texts]


def without_unseen(text: str) -> bytes:
    r"""Encode text as UTF-8 in the order in which it is shown, with any spaces as plain ones, and without characters
    that nobody sees, such as those of zero width.

    >>> without_unseen("f\u200bree\u00a0offer, \u202eyltcaxe\u202c")
    b'free offer, exactly'
    """
    if "\u202e" in text:
        text = _REVERSED.sub(lambda run: run[1][::-1], text)
    plain = text.encode()
    if not kernels.may_have_unseen(plain):
        return plain
    out = np.empty(len(plain), np.uint8)
    return out[: kernels.copy_seen(plain, out)].tobytes()


def _folded(text: bytes) -> bytes:
    if text.isascii():
        return text
    characters = text.decode("utf-8", "surrogateescape")
    characters = _WIDE.sub(_plain_letters, characters)
    text = characters.encode("utf-8", "surrogateescape")
    if not kernels.mixes_scripts(text):
        return text
    return _MIXED.sub(_in_one_script, characters).encode("utf-8", "surrogateescape")


def _plain_letters(run: re.Match[str]) -> str:
    plain = [unicodedata.normalize("NFKC", letter) for letter in run[0].translate(_CAPITALS)]
    return "".join(new if len(new) == 1 and new.isalnum() else old for new, old in zip(plain, run[0], strict=True))


def _in_one_script(word: re.Match[str]) -> str:
    """Return a word of mixed scripts in Latin or Cyrillic letters, or as it is if it has letters of no counterpart."""
    letters = word[0]
    latin, cyrillic = letters.translate(_TO_LATIN), letters.translate(_TO_CYRILLIC)
    is_cyrillic = min(cyrillic) >= "\u0400"
    if latin.isascii() and not (is_cyrillic and sum(map(str.isascii, letters)) < len(letters) / 2):
        return latin
    return cyrillic if is_cyrillic else letters


def _joined(text: bytes) -> bytes:
    out = np.empty(len(text), np.uint8)
    return out[: kernels.join_letters(text, out)].tobytes()
