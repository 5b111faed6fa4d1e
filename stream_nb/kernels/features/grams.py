"""Bytes of a short message -> distinct keyed character n-grams: every four consecutive characters, also across words.

Letters A-Z are folded, separators become one space, and a part begins and ends with a space. Characters beyond U+FFFF,
and bytes that are not UTF-8, all become the same character. In scripts without spaces, where pairs of characters are
words already (`tokenize`), each character is a gram of its own, and the text after it begins with a space.

Only short messages have grams, because their words are few and often new. Up to 60 words and pairs, grams make up a
quarter of the score, from 200 on none of it, and in between a share that decreases with the length; this is multiplied
by the share of the grams that are known. `python -m tests.benchmarks.grams` measures it. Tried and worse: grams of all
messages; no grams from 50 or 100 words and pairs on; 400 grams per message; ignoring the share that is known.

A gram fits into 64 bits, 16 per character. Its text does not depend on where it occurs: "~", the prefix of the part,
and the characters. Its row of `token_spans` is (first two characters, last two characters, GRAM + part).
"""

# pyright: basic

import numpy as np

from stream_nb.kernels.cpu import folded_product
from stream_nb.kernels.features.gram_layout import GRAM, LONG_MAIL, MOST_GRAMS
from stream_nb.kernels.jit import inlined, kernel
from stream_nb.kernels.swar import CLASSES, KEPT, SEPARATOR, wide

_SLOTS = 1024
_SPACE, _UNKNOWN = 0x20, 0xFFFD
_16, _32 = np.uint64(16), np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


@inlined
def _character(text, i, end):
    """Return the character at `i`, and its size in bytes."""
    lead = np.int64(text[i])
    if lead < 0x80:
        if CLASSES[lead] == SEPARATOR:
            return _SPACE, 1
        return (lead + 32 if 65 <= lead <= 90 else lead), 1
    size = 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
    if lead < 0xC2 or lead > 0xF4 or i + size > end:
        return _UNKNOWN, 1
    point = lead & (0x3F >> (size - 1))
    for k in range(1, size):
        if text[i + k] & 0xC0 != 0x80:
            return _UNKNOWN, 1
        point = (point << 6) | (np.int64(text[i + k]) & 0x3F)
    if point < 0x80 or point > 0xFFFF or 0xD800 <= point <= 0xDFFF:
        return _UNKNOWN, size
    return point, size


@kernel
def scan_grams(text, parts, factor, hashes, token_spans, dedup_index, begin, n):
    """Append the distinct grams of a text to its `n` features, at most MOST_GRAMS and as many as fit, but none if there
    are LONG_MAIL features or more. Returns the new number of features. The arguments are those of
    `tokenize.scan_text`."""
    if n >= LONG_MAIL:
        return n
    slots = min(_SLOTS, dedup_index.shape[0])
    dedup_index[:slots] = -1
    mask = np.uint64(slots - 1)
    room = min(n + min(MOST_GRAMS, slots // 4), hashes.shape[0])
    i = begin
    for part in range(parts.shape[0]):
        end, seed = np.int64(parts[part, 0]), parts[part, 1]
        window, length, last = np.uint64(_SPACE), 1, _SPACE
        while i <= end:
            character, size, alone = _SPACE, 1, False
            if i < end:
                character, size = _character(text, i, end)
                alone = text[i] >= 0xE0 and wide(text, i, end) > 0
            i += size
            if character == _SPACE and last == _SPACE:
                continue
            last = character
            window, length = (window << _16) | np.uint64(character), length + 1
            if alone:
                window, length = np.uint64(character), 4
            if length < 4:
                continue
            h = folded_product(seed ^ window, factor) & KEPT
            slot = np.int64(h & mask)
            while dedup_index[slot] >= 0 and hashes[dedup_index[slot]] != h:
                slot = (slot + 1) & np.int64(mask)
            if dedup_index[slot] < 0:
                if n == room:
                    return n
                dedup_index[slot] = n
                hashes[n] = h
                token_spans[n, 0] = np.int32(np.uint32(window >> _32))
                token_spans[n, 1] = np.int32(np.uint32(window & _LOW))
                token_spans[n, 2] = GRAM + part
                n += 1
            if alone:
                window, length, last = np.uint64(_SPACE), 1, _SPACE
        i = end
    return n


@inlined
def write_gram(first, second, arena, at):
    """Write the characters of a gram as UTF-8 from `at` on; return where they end."""
    for half in (np.int64(first), np.int64(second)):
        for shift in (16, 0):
            point = (half >> shift) & 0xFFFF
            if point == 0:
                continue
            if point < 0x80:
                arena[at] = point
                at += 1
                continue
            if point < 0x800:
                arena[at] = 0xC0 | point >> 6
                at += 1
            else:
                arena[at] = 0xE0 | point >> 12
                arena[at + 1] = 0x80 | (point >> 6 & 0x3F)
                at += 2
            arena[at] = 0x80 | (point & 0x3F)
            at += 1
    return at
