"""The bytes of a text, eight at a time: where a word ends, its lower case, its key.

A key takes the bytes of a token eight at a time, the last time less than eight: h = fold((h ^ eight) * factor), the
product of 128 bits folded to 64. Of these 40 are kept: what workers tell each other of labels is mostly keys of words.
Among a million words one pair has the same key every other time, and counts as one word. The words of a part begin with
the key of its name, so that who has the text of a word, "subject:free", can make its key.
"""

# pyright: basic

import numpy as np

from stream_nb.kernels.cpu import eight_bytes, folded_product, trailing_zeros
from stream_nb.kernels.jit import borrowing, inlined, kernel


def each(byte):
    """A byte eight times."""
    return np.uint64(byte * 0x0101010101010101)


_ONE, _TWO, _ONES = np.uint64(1), np.uint64(2), each(1)
TOP, REST, _BLANK, _UNDERSCORE = each(0x80), each(0x7F), each(0x20), each(0x5F)
# Added to a byte below 0x80, these set its top bit from that character on.
_FROM_1, _FROM_0, _FROM_COLON = each(0x80 - 1), each(0x80 - ord("0")), each(0x80 - ord("9") - 1)
_FROM_A, _FROM_BRACKET = each(0x80 - ord("A")), each(0x80 - ord("Z") - 1)
_FROM_a, _FROM_BRACE = each(0x80 - ord("a")), each(0x80 - ord("z") - 1)
FIRST = np.array([(1 << 8 * size) - 1 for size in range(9)], np.uint64)
COLON = ord(":")
KEPT = np.uint64(0xFF000000_FFFFFFFF)  # a table finds slots by the lowest bits, and rows by the highest
SEPARATOR, PUNCTUATION, WORD = 0, 1, 2
CLASSES = np.array(
    [WORD if b >= 0x80 or chr(b).isalnum() or b == 0x5F else int(0x21 <= b <= 0x7E) for b in range(256)], np.uint8
)


@kernel
def wide(text, i, end):
    """Bytes of the character at `i` if it belongs to a script without spaces, else 0."""
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
    """Eight bytes from `i` on, those from `end` on 0."""
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
    """The top bit of each byte that is 0."""
    return ~(((eight & REST) + REST) | eight) & TOP


@borrowing
def find(data, i, end, byte):
    """Index of the first such byte, which is not 0, from `i` on, or `end`."""
    wanted = np.uint64(byte) * _ONES
    while i < end:
        found = zeros(eight_until(data, i, end) ^ wanted)
        if found != 0:
            return i + (trailing_zeros(found) >> 3)
        i += 8
    return end


@inlined
def word_ends(eight):
    """The top bit of each byte that is no word byte, or may begin a character of a script without spaces."""
    low = eight & REST
    folded = low | _BLANK
    letter = (folded + _FROM_a) & ~(folded + _FROM_BRACE)
    digit = (low + _FROM_0) & ~(low + _FROM_COLON)
    underscore = ~((low ^ _UNDERSCORE) + _FROM_1)
    beyond = ~((eight << _ONE) & (eight << _TWO))
    return ~(((letter | digit | underscore) & ~eight) | (beyond & eight)) & TOP


@inlined
def lower(eight):
    """A-Z become a-z, in each byte."""
    low = eight & REST
    return eight | (((low + _FROM_A) & ~(low + _FROM_BRACKET) & ~eight & TOP) >> _TWO)


@inlined
def key_of(data, start, stop, seed, factor):
    """The key of the bytes from `start` to `stop`, as they are."""
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
    """Where the keys of the words of a part begin: the key of its name, all 64 bits of it."""
    return key_of(name, 0, len(name), hash_multipliers[3], hash_multipliers[0])


@kernel
def key_of_text(texts, start, stop, hash_multipliers):
    """The key of the word whose text, with the name of its part before it, are the bytes from `start` to `stop`.

    It is another one where the text was cut, or is that of a token with a colon or of an n-gram.
    """
    colon = stop - 2
    while colon >= start and texts[colon] != COLON:
        colon -= 1
    seed = key_of(texts, start, max(colon, start), hash_multipliers[3], hash_multipliers[0])
    return key_of(texts, colon + 1 if colon >= start else start, stop, seed, hash_multipliers[0]) & KEPT
