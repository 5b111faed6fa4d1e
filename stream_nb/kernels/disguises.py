"""Letters and characters that are not what a reader takes them for (compiled; see `stream_nb.mail.normalization`).

What is asked of every text looks at all of it without a branch: that takes a third of the time.
"""

# pyright: basic

import numpy as np

from stream_nb.kernels.jit import inlined, kernel
from stream_nb.kernels.swar import CLASSES, WORD

_WIDEST = 8


@inlined
def _is_letter(byte):
    return ((byte | 0x20) >= 0x61) & ((byte | 0x20) <= 0x7A)


@kernel
def has_disguise(text):
    """Whether four ASCII letters have one and the same other byte between each two, or a byte is there with which
    letters of full width and of mathematical alphabets begin."""
    found = False
    for i in range(len(text) - 6):
        between = text[i + 3]
        found |= (
            (text[i + 1] == between)
            & (text[i + 5] == between)
            & (not _is_letter(between))
            & _is_letter(text[i])
            & _is_letter(text[i + 2])
            & _is_letter(text[i + 4])
            & _is_letter(text[i + 6])
        )
    for i in range(len(text)):
        found |= (text[i] == 0xEF) | (text[i] == 0xF0)
    return found


@kernel
def has_unseen(text):
    """Whether UTF-8 text has no-break spaces or characters without width."""
    found = False
    for i in range(len(text) - 1):
        found |= (text[i] == 0xC2) & ((text[i + 1] == 0xA0) | (text[i + 1] == 0xAD))
    for i in range(len(text) - 2):
        second, third = text[i + 1], text[i + 2]
        general = ((third >= 0x8B) & (third <= 0x8F)) | ((third >= 0xAA) & (third <= 0xAE))
        found |= (text[i] == 0xE2) & (second == 0x80) & general
        found |= (text[i] == 0xE2) & (second == 0x81) & (third >= 0xA0) & (third <= 0xA4)
        found |= (text[i] == 0xEF) & (second == 0xBB) & (third == 0xBF)
    return found


@inlined
def _is_single(text, i, end):
    """Whether an ASCII letter or digit stands alone at `i`, where a word begins."""
    return text[i] < 0x80 and text[i] != 0x5F and (i + 1 == end or CLASSES[text[i + 1]] != WORD)


@kernel
def _last_single(text, i, end):
    """Index of the last of the single letters and digits from the one at `i` on, at most eight bytes apart."""
    last = i
    k = i + 1
    while k < end and k - last <= _WIDEST + 1:
        if CLASSES[text[k]] == WORD:
            if not _is_single(text, k, end):
                break
            last = k
        k += 1
    return last


@inlined
def _is_spaced(text, i):
    """Whether the four letters from `i` on have one and the same separator or punctuation byte between each two."""
    between = text[i + 1]
    same = text[i + 3] == between and text[i + 5] == between
    letters = _is_letter(text[i]) & _is_letter(text[i + 2]) & _is_letter(text[i + 4]) & _is_letter(text[i + 6])
    return same and letters and CLASSES[between] != WORD and between != 10 and between != 13


@kernel
def join_letters(text, out):
    """Write a text to `out`, which has its room, with letters one by one as words; the bytes written."""
    end = len(text)
    separates = np.full(0x80, -1, np.int64)  # by byte: where the last passage begins in which it goes
    n = 0
    i = 0
    while i < end:
        if CLASSES[text[i]] == WORD and not _is_single(text, i, end):
            while i < end and CLASSES[text[i]] == WORD:
                out[n] = text[i]
                n += 1
                i += 1
            continue
        first = i
        last = _last_single(text, i, end) if CLASSES[text[i]] == WORD else i
        while i + 6 <= last:
            if _is_spaced(text, i):
                separates[text[i + 1]] = first
                i += 6
            i += 1
        for k in range(first, last + 1):
            goes = first < k < last and separates[text[k]] == first
            if not (goes and CLASSES[text[k - 1]] == WORD and CLASSES[text[k + 1]] == WORD):
                out[n] = text[k]
                n += 1
        i = last + 1
    return n
