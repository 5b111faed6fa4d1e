"""Bytes -> distinct keyed features, in one pass.

Words are maximal runs of word bytes (0-9, a-z, A-Z folded, `_`, and every byte from 0x80); a run of one and
the same punctuation byte is a token named by that byte; everything else separates (recipe, section 2, step
1). The key of a token takes its bytes eight at a time, the last time less than eight: h = fold((h ^ eight) * factor),
the product of 128 bits folded to 64, from a start value of the part it stands in. A pair's key mixes the keys of its
two tokens, in order. Start values and factors are secret: who does not know them cannot look for words with one key.

Scripts written without spaces (Han, kana, Thai, Lao, Khmer, Burmese) would make one token of a sentence: a
run of such characters becomes overlapping pairs of characters instead, a single one itself.

Letters beyond ASCII are not folded: folding them changed no figure on mail (76 of 6,046 mails of `sa` differ).

Layout of `factors` (uint64[3]): of words, of the first word of a pair, of a pair.
Layout of `spans` (int32[:, 3]): a word is (start, length, part), a pair (first feature, second feature, -1).
"""

import numpy as np

from stream_nb.kernels import UNIT
from stream_nb.kernels.instructions import eight_bytes, folded_product, prefetch, trailing_zeros
from stream_nb.kernels.jit import fingerprint, inlined, kernel

_AHEAD = 16
_32 = np.uint64(32)


def _each(byte):
    """A byte eight times."""
    return np.uint64(byte * 0x0101010101010101)


_ONE, _TWO = np.uint64(1), np.uint64(2)
_TOP, _REST, _BLANK, _UNDERSCORE = _each(0x80), _each(0x7F), _each(0x20), _each(0x5F)
# Added to a byte below 0x80, these set its top bit from that character on.
_FROM_1, _FROM_0, _FROM_COLON = _each(0x80 - 1), _each(0x80 - ord("0")), _each(0x80 - ord("9") - 1)
_FROM_A, _FROM_BRACKET = _each(0x80 - ord("A")), _each(0x80 - ord("Z") - 1)
_FROM_a, _FROM_BRACE = _each(0x80 - ord("a")), _each(0x80 - ord("z") - 1)
_FIRST = np.array([(1 << 8 * size) - 1 for size in range(9)], np.uint64)
_SEPARATOR, _PUNCTUATION, _WORD = 0, 1, 2
_CLASSES = np.array(
    [_WORD if b >= 0x80 or chr(b).isalnum() or b == 0x5F else int(0x21 <= b <= 0x7E) for b in range(256)], np.uint8
)


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


@inlined
def _eight(data, i, end):
    """Eight bytes from `i` on, those from `end` on 0."""
    if i + 8 <= end:
        return eight_bytes(data, i)
    eight = np.uint64(0)
    for j in range(end - i):
        eight |= np.uint64(data[i + j]) << np.uint64(8 * j)
    return eight


@inlined
def _ends(eight):
    """The top bit of each byte that is no word byte, or may begin a character of a script without spaces."""
    low = eight & _REST
    folded = low | _BLANK
    letter = (folded + _FROM_a) & ~(folded + _FROM_BRACE)
    digit = (low + _FROM_0) & ~(low + _FROM_COLON)
    underscore = ~((low ^ _UNDERSCORE) + _FROM_1)
    beyond = ~((eight << _ONE) & (eight << _TWO))
    return ~(((letter | digit | underscore) & ~eight) | (beyond & eight)) & _TOP


@inlined
def _folded(eight):
    low = eight & _REST
    return eight | (((low + _FROM_A) & ~(low + _FROM_BRACKET) & ~eight & _TOP) >> _TWO)


@inlined
def _key(data, start, stop, fold, seed, factor):
    h = seed
    i = start
    while True:
        eight = _eight(data, i, stop)
        h = folded_product(h ^ (_folded(eight) if fold else eight), factor)
        i += 8
        if i > stop:
            return h


def _made(code):
    @kernel
    def scan_text(text, parts, factors, pairs, hashes, spans, times, seen, begin, index, cells):
        """Fill the distinct features of a text, in order of first appearance; returns how many there are.

        The first part starts at `begin`; row p of `parts` is (end in text, hash start value, ...). Features past the
        end of `hashes` are not seen; `seen` has a power of two of slots, more than four times as many. `times` counts
        how often each came, if it has rows.

        Scanning waits for no memory, finding for little else: what `table.find_all` will read for these features, of
        the table with this index (of no slots: none), is fetched meanwhile.

        What is done with a key stands four times in this file: a function that takes these arrays costs more than it
        does.
        """
        code  # noqa: B018
        warm, low = index.shape[0] > 0, np.uint64(max(index.shape[0] - 1, 0))
        room = hashes.shape[0]
        stop = begin if parts.shape[0] == 0 else np.int64(parts[parts.shape[0] - 1, 0])
        mask = _slots(min(2 * (stop - begin), room)) - 1
        seen[: mask + 1] = -1
        counted = times.shape[0] > 0
        factor, pairer, closer = factors[0], factors[1], factors[2]
        last = np.uint64(0)
        n = 0
        previous = -1
        i = begin
        for part in range(parts.shape[0]):
            end = np.int64(parts[part, 0])
            seed = parts[part, 1]
            skip_single = False
            while i < end:
                byte = text[i]
                kind = _CLASSES[byte]
                if kind == _SEPARATOR:
                    i += 1
                    continue
                start = i
                width = 0
                if byte >= 0xE0:
                    width = _wide(text, i, end)
                if kind == _PUNCTUATION:
                    while i < end and text[i] == byte:
                        i += 1
                    stop = start + 1
                    h = folded_product(seed ^ np.uint64(byte), factor)
                elif width > 0:
                    i += width
                    second = 0
                    if i < end and text[i] >= 0xE0:
                        second = _wide(text, i, end)
                    if second == 0 and skip_single:
                        skip_single = False
                        continue
                    stop = i + second
                    skip_single = second > 0
                    h = _key(text, start, stop, False, seed, factor)
                else:
                    h = seed
                    run = 8
                    while run == 8:
                        eight = _eight(text, i, end)
                        ends = _ends(eight)
                        run = trailing_zeros(ends) >> 3
                        while run < 8 and i + run < end and text[i + run] >= 0xE0 and _wide(text, i + run, end) == 0:
                            ends &= ends - _ONE
                            run = trailing_zeros(ends) >> 3
                        h = folded_product(h ^ (_folded(eight) & _FIRST[run]), factor)
                        i += run
                    stop = i
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
    def scan_tokens(text, parts, factors, pairs, hashes, spans, times, seen, amounts):
        """As `scan_text` for tokens taken as they are, separated by zero bytes; token t counts amounts[t]."""
        code  # noqa: B018
        room = hashes.shape[0]
        mask = _slots(min(2 * amounts.shape[0], room)) - 1
        seen[: mask + 1] = -1
        counted = times.shape[0] > 0
        seed = parts[0, 1]
        n = 0
        previous = -1
        i = 0
        for token in range(amounts.shape[0]):
            start = i
            while i < len(text) and text[i] != 0:
                i += 1
            h = _key(text, start, i, False, seed, factors[0])
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
                h = (hashes[previous] * factors[1] ^ h) * factors[2]
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

    return scan_text, scan_tokens


scan_text, scan_tokens = _made(fingerprint(eight_bytes))
