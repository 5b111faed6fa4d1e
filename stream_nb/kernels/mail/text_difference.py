"""The words of one text that another does not have (compiled)."""

# pyright: basic

import numpy as np

from stream_nb.kernels.css.syntax import add_to_key
from stream_nb.kernels.jit import kernel
from stream_nb.kernels.swar import CLASSES, WORD

_SLOTS_A_BYTE = 4


@kernel
def _next_word(text, i, end):
    """Return (key of the next word from `i` on, where it begins, where it ends); the key is 0 if there is none."""
    while i < end and CLASSES[text[i]] != WORD:
        i += 1
    start, value = i, 0
    while i < end and CLASSES[text[i]] == WORD:
        value = add_to_key(value, int(text[i]))
        i += 1
    return value, start, i


@kernel
def other_words(text, known, out):
    """Write the words of `text` that are not in `known` to `out`, in order, each after a space; return the bytes
    written.

    `out` (uint8) must be one byte longer than `text`. About one word in a hundred is taken for one of `known` by
    chance, because a table has only one bit per hash, so that the time is linear for any words.
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
