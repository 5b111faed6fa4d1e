"""Disguised letters and invisible characters (compiled; see `stream_nb.mail.normalization`).

The checks that run on every text read all of it without branches, which takes a third of the time.
"""

# pyright: basic

import numpy as np

from stream_nb.kernels.html.characters import write_character
from stream_nb.kernels.jit import inlined, kernel
from stream_nb.kernels.swar import CLASSES, WORD

_WIDEST = 8


@inlined
def _is_letter(byte):
    return ((byte | 0x20) >= 0x61) & ((byte | 0x20) <= 0x7A)


@kernel
def mixes_scripts(text):
    """Return whether an ASCII letter is beside a Greek or Cyrillic one."""
    found = False
    for i in range(len(text) - 2):
        found |= _is_letter(text[i]) & (0xCE <= text[i + 1]) & (text[i + 1] <= 0xD4)
        found |= (0xCE <= text[i]) & (text[i] <= 0xD4) & _is_letter(text[i + 2])
    return found


@kernel
def has_disguise(text):
    """Return whether four ASCII letters are separated by the same byte, an ASCII letter is beside a Greek or Cyrillic
    one, or there are bytes with which full-width, small or raised letters, Roman numerals, or letters of mathematical
    alphabets, in circles or in parentheses begin."""
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
    high = np.uint8(0)
    for i in range(len(text)):
        high |= text[i]
    if high < 0x80:
        return found
    for i in range(len(text)):
        found |= (text[i] == 0xEF) | (text[i] == 0xF0)
    for i in range(len(text) - 1):
        found |= (text[i] == 0xE2) & ((text[i + 1] == 0x85) | (text[i + 1] == 0x92) | (text[i + 1] == 0x93))
        found |= (text[i] == 0xE1) & ((text[i + 1] == 0xB4) | (text[i + 1] == 0xB5))
        found |= (text[i] == 0xCA) & (0xB0 <= text[i + 1]) & (text[i + 1] <= 0xB8)
        found |= (text[i] == 0xCB) & (0xA0 <= text[i + 1]) & (text[i + 1] <= 0xA4)
    for i in range(len(text) - 2):
        third = text[i + 2]
        found |= (text[i] == 0xE2) & (text[i + 1] == 0x81) & ((third == 0xB1) | (third == 0xBF))
        found |= (text[i] == 0xE2) & (text[i + 1] == 0x82) & (0x90 <= third) & (third <= 0x9C)
    return found or mixes_scripts(text)


@kernel
def may_have_unseen(text):
    """Return whether UTF-8 text has bytes with which special spaces or invisible characters begin, and which begin few
    others."""
    found = False
    for i in range(len(text) - 1):
        lead, second = text[i], text[i + 1]
        found |= (lead == 0xC2) & ((second == 0xA0) | (second == 0xAD))
        found |= (lead == 0xCC) & ((second == 0x85) | (0xB2 <= second))
        found |= (lead == 0xD2) & ((second == 0x88) | (second == 0x89))
        found |= ((lead == 0xCD) & (second == 0x8F)) | ((lead == 0xD8) & (second == 0x9C))
        found |= (lead == 0xE1) & ((second == 0x85) | (second == 0x9A) | (second == 0xA0))
        found |= (lead == 0xEF) & ((second == 0xB8) | (second == 0xBB) | (second == 0xBE))
        found |= (lead == 0xF3) & (second == 0xA0)
    for i in range(len(text) - 2):
        second, third = text[i + 1], text[i + 2]
        general = (second == 0x80) & ((third <= 0x8F) | (third >= 0xA8) & (third <= 0xAF))
        adorning = (second == 0x83) & (third >= 0x9D)
        found |= (text[i] == 0xE2) & (general | adorning | (second == 0x81) | (second == 0xA0) & (third == 0x80))
        found |= (text[i] == 0xE3) & ((second == 0x80) & (third == 0x80) | (second == 0x85) & (third == 0xA4))
    return found


@kernel
def copy_seen(text, out):
    """Copy valid UTF-8 to `out`, which is at least as long, as `write_character` writes it; return the bytes
    written."""
    n = 0
    i = 0
    while i < len(text):
        lead = int(text[i])
        if lead < 0xC0:
            out[n] = lead
            n += 1
            i += 1
            continue
        size = 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
        point = lead & (0x7F >> size)
        for k in range(i + 1, min(i + size, len(text))):
            point = (point << 6) | (int(text[k]) & 0x3F)
        n = write_character(out, n, point)
        i += size
    return n


@inlined
def _is_single(text, i, end):
    """Return whether the word that begins at `i` is a single ASCII letter or digit."""
    return text[i] < 0x80 and text[i] != 0x5F and (i + 1 == end or CLASSES[text[i + 1]] != WORD)


@kernel
def _last_single(text, i, end):
    """Return the index of the last in a series of single letters and digits, at most eight bytes apart, from the one at
    `i` on."""
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
    """Return whether four letters from `i` on are separated by the same separator or punctuation byte."""
    between = text[i + 1]
    same = text[i + 3] == between and text[i + 5] == between
    letters = _is_letter(text[i]) & _is_letter(text[i + 2]) & _is_letter(text[i + 4]) & _is_letter(text[i + 6])
    return same and letters and CLASSES[between] != WORD and between != 10 and between != 13


@kernel
def join_letters(text, out):
    """Copy a text to `out`, which is at least as long, with spaced-out letters joined; return the bytes written."""
    end = len(text)
    separates = np.full(0x80, -1, np.int64)  # for each byte, where the last passage begins in which it is removed
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
            removed = first < k < last and separates[text[k]] == first
            if not (removed and CLASSES[text[k - 1]] == WORD and CLASSES[text[k + 1]] == WORD):
                out[n] = text[k]
                n += 1
        i = last + 1
    return n
