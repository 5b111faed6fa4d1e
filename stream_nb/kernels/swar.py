"""Text eight bytes at a time (SWAR): word boundaries, lower case, keys.

The key of a token is computed from eight bytes at a time, fewer in the last step: h = fold((h ^ eight) * factor), where
fold xors the halves of the 128-bit product. Only 40 bits are kept, because the updates that workers exchange are mostly
keys of words. Words with equal keys count as one; among a million words, 0.5 such pairs are expected. The keys of a
part's words start from the key of its name, so that the key follows from the text of a word, such as "subject:free".
"""

# pyright: basic

import numpy as np

from stream_nb.kernels.cpu import eight_bytes, folded_product, trailing_zeros
from stream_nb.kernels.jit import borrowing, inlined, kernel


def each(byte):
    """Return a number that consists of `byte` eight times."""
    return np.uint64(byte * 0x0101010101010101)


_ONE, _TWO, _ONES = np.uint64(1), np.uint64(2), each(1)
TOP, REST, _BLANK, _UNDERSCORE = each(0x80), each(0x7F), each(0x20), each(0x5F)
# Added to a byte below 0x80, these set its top bit if it is at least the named character.
_FROM_1, _FROM_0, _FROM_COLON = each(0x80 - 1), each(0x80 - ord("0")), each(0x80 - ord("9") - 1)
_FROM_A, _FROM_BRACKET = each(0x80 - ord("A")), each(0x80 - ord("Z") - 1)
_FROM_a, _FROM_BRACE = each(0x80 - ord("a")), each(0x80 - ord("z") - 1)
FIRST = np.array([(1 << 8 * size) - 1 for size in range(9)], np.uint64)
COLON = ord(":")
KEPT = np.uint64(0xFF000000_FFFFFFFF)  # a table uses the lowest bits for slots, and the highest to recognize rows
SEPARATOR, PUNCTUATION, WORD = 0, 1, 2
CLASSES = np.array(
    [WORD if b >= 0x80 or chr(b).isalnum() or b == 0x5F else int(0x21 <= b <= 0x7E) for b in range(256)], np.uint8
)


@kernel
def wide(text, i, end):
    """Return the size in bytes of the character at `i` if its script has no spaces, else 0."""
    lead = text[i]
    if i + 2 >= end or text[i + 1] & 0xC0 != 0x80 or text[i + 2] & 0xC0 != 0x80:
        return 0
    point = (np.int64(lead & 0x0F) << 12) | (np.int64(text[i + 1] & 0x3F) << 6) | np.int64(text[i + 2] & 0x3F)
    if lead == 0xF0:
        if i + 3 < end and text[i + 3] & 0xC0 == 0x80 and 0xA0 <= text[i + 1] <= 0xB2:
            return 4
        return 0
    if lead & 0xF0 != 0xE0:
        return 0
    if 0x3041 <= point <= 0x30FF or 0x3400 <= point <= 0x9FFF or 0xF900 <= point <= 0xFAFF:
        return 3
    if 0x0E00 <= point <= 0x0EFF or 0x1000 <= point <= 0x109F or 0x1780 <= point <= 0x17FF:
        return 3
    return 0


@inlined
def eight_until(data, i, end):
    """Load eight bytes from `i` on, with 0 for those at `end` and beyond."""
    if i + 8 <= end:
        return eight_bytes(data, i)
    if i + 8 <= len(data):
        return eight_bytes(data, i) & FIRST[end - i]
    eight = np.uint64(0)
    for j in range(end - i):
        eight |= np.uint64(data[i + j]) << np.uint64(8 * j)
    return eight


@inlined
def zeros(eight):
    """Return a mask with the top bit of each byte that is 0."""
    return ~(((eight & REST) + REST) | eight) & TOP


@borrowing
def find(data, i, end, byte):
    """Return the index of the first `byte`, which must not be 0, from `i` on, or `end`."""
    wanted = np.uint64(byte) * _ONES
    while i < end:
        found = zeros(eight_until(data, i, end) ^ wanted)
        if found != 0:
            return i + (trailing_zeros(found) >> 3)
        i += 8
    return end


@borrowing
def same_bytes(data, one, other, size):
    """Return whether `size` bytes from `one` on equal those from `other` on."""
    for k in range(size):
        if data[one + k] != data[other + k]:
            return False
    return True


@inlined
def word_ends(eight):
    """Return a mask with the top bit of each byte that may end a word: it is no word byte, or may begin a character of
    a script without spaces."""
    low = eight & REST
    folded = low | _BLANK
    letter = (folded + _FROM_a) & ~(folded + _FROM_BRACE)
    digit = (low + _FROM_0) & ~(low + _FROM_COLON)
    underscore = ~((low ^ _UNDERSCORE) + _FROM_1)
    beyond = ~((eight << _ONE) & (eight << _TWO))
    return ~(((letter | digit | underscore) & ~eight) | (beyond & eight)) & TOP


@inlined
def lower(eight):
    """Convert A-Z to a-z in each byte."""
    low = eight & REST
    return eight | (((low + _FROM_A) & ~(low + _FROM_BRACKET) & ~eight & TOP) >> _TWO)


@inlined
def key_of(data, start, stop, seed, factor):
    """Return the key of the bytes from `start` to `stop`, without folding case."""
    h = seed
    i = start
    while True:
        eight = eight_until(data, i, stop)
        h = folded_product(h ^ eight, factor)
        i += 8
        if i > stop:
            return h


@kernel
def start_value(name, hash_multipliers):
    """Return the start value for the keys of a part's words: the key of its name, with all 64 bits."""
    return key_of(name, 0, len(name), hash_multipliers[3], hash_multipliers[0])


@kernel
def key_of_text(texts, start, stop, hash_multipliers):
    """Return the key of a word from its text, part name included, in the bytes from `start` to `stop`.

    The result is not the word's key if its text was truncated, has a colon of its own, or belongs to an n-gram.
    """
    colon = stop - 2
    while colon >= start and texts[colon] != COLON:
        colon -= 1
    seed = key_of(texts, start, max(colon, start), hash_multipliers[3], hash_multipliers[0])
    return key_of(texts, colon + 1 if colon >= start else start, stop, seed, hash_multipliers[0]) & KEPT
