"""The words of one text that another does not have (compiled)."""

# pyright: basic

import numpy as np

from stream_nb.kernels.css_syntax import add_to_key
from stream_nb.kernels.jit import kernel
from stream_nb.kernels.swar import CLASSES, WORD

_SLOTS_A_BYTE = 4


@kernel
def _next_word(text, i, end):
    """(key of the next word from `i` on, where it begins, where it ends); the key is 0 when there is none."""
    while i < end and CLASSES[text[i]] != WORD:
        i += 1
    start, value = i, 0
    while i < end and CLASSES[text[i]] == WORD:
        value = add_to_key(value, int(text[i]))
        i += 1
    return value, start, i


@kernel
def other_words(text, known, out):
    """Write the words of `text` that are not in `known`, in their order, each after a space; the bytes written.

    `out` (uint8) needs the room of `text` and a byte. A word in a hundred or so is taken for one of `known`
    by chance: words are told apart by one bit of a table, so that the work is linear for any words.
    """
    slots = 1024
    while slots < _SLOTS_A_BYTE * len(known):
        slots *= 2
    met = np.zeros(slots, np.bool_)
    i, end = 0, len(known)
    while i < end:
        value, _, i = _next_word(known, i, end)
        met[(value ^ (value >> 23)) & (slots - 1)] = True
    n = 0
    i, end = 0, len(text)
    while i < end:
        value, start, i = _next_word(text, i, end)
        if value != 0 and not met[(value ^ (value >> 23)) & (slots - 1)]:
            out[n] = 32
            n += 1
            for k in range(start, i):
                out[n] = text[k]
                n += 1
    return n
