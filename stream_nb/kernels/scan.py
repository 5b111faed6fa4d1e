"""Bytes -> distinct keyed features, in one pass.

Words are maximal runs of word bytes (0-9, a-z, A-Z folded, `_`, and every byte from 0x80); a run of one and
the same punctuation byte is a token named by that byte; everything else separates (recipe, section 2, step
1). The key of a token is a keyed polynomial over its bytes: h = (h + T[byte]) * P modulo 2^64, from a start
value of the part it stands in, then mixed. T holds the class of the byte in its two low bits, so that
folding, classifying and hashing are one load. A pair's key mixes the keys of its two tokens, in order.

Scripts written without spaces (Han, kana, Thai, Lao, Khmer, Burmese) would make one token of a sentence: a
run of such characters becomes overlapping pairs of characters instead, a single one itself.

Letters beyond ASCII are not folded: folding them changed no figure on mail (76 of 6,046 mails of `sa` differ).

Layout of `alphabet` (uint64[516]): 0-255 folded bytes, 256-511 bytes as they are, 512 P, 513-515 mixers.
Layout of `spans` (int32[:, 3]): a word is (start, length, part), a pair (first feature, second feature, -1).
"""

import numpy as np

from stream_nb.kernels import UNIT
from stream_nb.kernels.jit import inlined, kernel
from stream_nb.kernels.prefetch import prefetch

_SEPARATOR = np.uint64(0)
_PUNCTUATION = np.uint64(1)
_WORD = np.uint64(2)
_CLASS = np.uint64(3)
_AHEAD = 16
_32 = np.uint64(32)
_29 = np.uint64(29)


@kernel
def _wide(text, i, end):
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
def _slots(most):
    """Slots to tell `most` features apart, a quarter full at most: a short message after a long one clears only what
    it needs, and one slot that two features want costs more than clearing a hundred."""
    slots = 64
    while slots <= 4 * most:
        slots *= 2
    return slots


@inlined
def _warm(hashes, n, low, index, cells):
    """Fetch the slot of the index of feature n, and the row that the slot of an earlier one names."""
    prefetch(index, np.int64(hashes[n] & low))
    if n >= _AHEAD:
        prefetch(cells, np.int64(np.uint64(index[np.int64(hashes[n - _AHEAD] & low)]) & low) - 1)


@kernel
def scan_text(text, parts, alphabet, pairs, hashes, spans, times, seen, begin, index, cells):
    """Fill the distinct features of a text, in order of first appearance; returns how many there are.

    The first part starts at `begin`; row p of `parts` is (end in text, hash start value, ...). Features past the end
    of `hashes` are not seen; `seen` has a power of two of slots, more than four times as many. `times` counts how
    often each came, if it has rows.

    Scanning waits for no memory, finding for little else: what `table.find_all` will read for these features, of the
    table with this index (of no slots: none), is fetched meanwhile.

    What is done with a key stands four times in this file: a function that takes these arrays costs more than it does.
    """
    warm, low = index.shape[0] > 0, np.uint64(max(index.shape[0] - 1, 0))
    room = hashes.shape[0]
    stop = begin if parts.shape[0] == 0 else np.int64(parts[parts.shape[0] - 1, 0])
    mask = _slots(min(2 * (stop - begin), room)) - 1
    seen[: mask + 1] = -1
    counted = times.shape[0] > 0
    multiplier, mixer, pairer, closer = alphabet[512], alphabet[513], alphabet[514], alphabet[515]
    last = np.uint64(0)
    n = 0
    previous = -1
    i = begin
    for part in range(parts.shape[0]):
        end = np.int64(parts[part, 0])
        seed = parts[part, 1]
        skip_single = False
        while i < end:
            letter = alphabet[text[i]]
            kind = letter & _CLASS
            if kind == _SEPARATOR:
                i += 1
                continue
            start = i
            if kind == _PUNCTUATION:
                byte = text[i]
                while i < end and text[i] == byte:
                    i += 1
                stop = start + 1
                h = (seed + letter) * multiplier
            else:
                width = 0
                if kind == _CLASS:
                    width = _wide(text, i, end)
                if width > 0:
                    i += width
                    second = 0
                    if i < end and alphabet[text[i]] & _CLASS == _CLASS:
                        second = _wide(text, i, end)
                    if second == 0 and skip_single:
                        skip_single = False
                        continue
                    stop = i + second
                    skip_single = second > 0
                    h = seed
                    for j in range(start, stop):
                        h = (h + alphabet[text[j]]) * multiplier
                else:
                    h = seed
                    while True:
                        h = (h + letter) * multiplier
                        i += 1
                        if i >= end:
                            break
                        letter = alphabet[text[i]]
                        kind = letter & _CLASS
                        if kind == _WORD:
                            continue
                        if kind != _CLASS or _wide(text, i, end) > 0:
                            break
                    stop = i
            h ^= h >> _32
            h *= mixer
            h ^= h >> _29
            slot = np.int64(h & np.uint64(mask))
            while seen[slot] >= 0 and hashes[seen[slot]] != h:
                slot = (slot + 1) & mask
            at = np.int64(seen[slot])
            if at < 0:
                if n == room:
                    return n
                seen[slot] = at = n
                hashes[n] = h
                if warm:
                    _warm(hashes, n, low, index, cells)
                spans[n, 0] = start
                spans[n, 1] = stop - start
                spans[n, 2] = part
                if counted:
                    times[n] = 0
                n += 1
            if counted:
                times[at] += UNIT
            if pairs and previous >= 0:
                key = (last * pairer ^ h) * closer
                key ^= key >> _32
                slot = np.int64(key & np.uint64(mask))
                while seen[slot] >= 0 and hashes[seen[slot]] != key:
                    slot = (slot + 1) & mask
                pair = np.int64(seen[slot])
                if pair < 0:
                    if n == room:
                        return n
                    seen[slot] = pair = n
                    hashes[n] = key
                    if warm:
                        _warm(hashes, n, low, index, cells)
                    spans[n, 0] = previous
                    spans[n, 1] = at
                    spans[n, 2] = -1
                    if counted:
                        times[n] = 0
                    n += 1
                if counted:
                    times[pair] += UNIT
            previous, last = at, h
    return n


@kernel
def scan_tokens(text, parts, alphabet, pairs, hashes, spans, times, seen, amounts):
    """As `scan_text` for tokens taken as they are, separated by zero bytes; token t counts amounts[t]."""
    room = hashes.shape[0]
    mask = _slots(min(2 * amounts.shape[0], room)) - 1
    seen[: mask + 1] = -1
    counted = times.shape[0] > 0
    seed = parts[0, 1]
    multiplier = alphabet[512]
    n = 0
    previous = -1
    i = 0
    for token in range(amounts.shape[0]):
        start = i
        h = seed
        while i < len(text) and text[i] != 0:
            h = (h + alphabet[256 + text[i]]) * multiplier
            i += 1
        h ^= h >> _32
        h *= alphabet[513]
        h ^= h >> _29
        slot = np.int64(h & np.uint64(mask))
        while seen[slot] >= 0 and hashes[seen[slot]] != h:
            slot = (slot + 1) & mask
        at = np.int64(seen[slot])
        if at < 0:
            if n == room:
                return n
            seen[slot] = at = n
            hashes[n] = h
            spans[n, 0] = start
            spans[n, 1] = i - start
            spans[n, 2] = 0
            if counted:
                times[n] = 0
            n += 1
        if counted:
            times[at] += amounts[token]
        if pairs and previous >= 0:
            h = (hashes[previous] * alphabet[514] ^ h) * alphabet[515]
            h ^= h >> _32
            slot = np.int64(h & np.uint64(mask))
            while seen[slot] >= 0 and hashes[seen[slot]] != h:
                slot = (slot + 1) & mask
            pair = np.int64(seen[slot])
            if pair < 0:
                if n == room:
                    return n
                seen[slot] = pair = n
                hashes[n] = h
                spans[n, 0] = previous
                spans[n, 1] = at
                spans[n, 2] = -1
                if counted:
                    times[n] = 0
                n += 1
            if counted:
                times[pair] += UNIT
        previous = at
        i += 1
    return n
