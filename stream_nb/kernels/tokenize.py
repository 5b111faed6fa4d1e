"""Bytes -> distinct keyed features, in one pass.

Words are maximal runs of word bytes (0-9, a-z, A-Z folded, `_`, and every byte from 0x80). A run of the same
punctuation byte is one token, named by that byte. All other bytes are separators. The key of a token (see `swar`)
starts from a value that depends on its part; the key of a pair mixes the keys of its two tokens, in order. Start values
and multipliers are secret, so that nobody else can construct words with equal keys.

In scripts without spaces (Han, kana, Thai, Lao, Khmer, Burmese) a sentence would be one token. Instead, a run of such
characters becomes overlapping pairs of characters, and a single character becomes a token.

Non-ASCII letters are not folded, because folding them changed no figure on mail (76 of 6,046 mails of `sa` differ).

Layout of `hash_multipliers` (uint64[4]): for words, for the first word of a pair, for a pair; the start value for names
of parts. Layout of `token_spans` (int32[:, 3]): a word is (start, length, part), a pair (first feature, second feature,
-1).
"""

# pyright: basic

import numpy as np

from stream_nb.kernels.cpu import folded_product, prefetch, trailing_zeros
from stream_nb.kernels.jit import inlined, kernel
from stream_nb.kernels.layout import UNIT
from stream_nb.kernels.swar import (
    CLASSES,
    FIRST,
    KEPT,
    PUNCTUATION,
    SEPARATOR,
    eight_until,
    key_of,
    lower,
    wide,
    word_ends,
)

_AHEAD = 16
_32 = np.uint64(32)
_ONE = np.uint64(1)


@inlined
def _slots(most):
    """Return the number of hash slots for `most` features, at most a quarter of them full.

    A short message clears only the slots that it needs. A collision costs more than clearing a hundred slots.
    """
    slots = 64
    while slots <= 4 * most:
        slots *= 2
    return slots


@kernel
def most_text(length, features, longest_prefix):
    """Return how many bytes of text a table stores at most for `features` features of a message of `length` bytes.

    In scripts without spaces each character is in two words. Each text has a length byte and may have a prefix.
    """
    return 2 * length + features * (1 + longest_prefix)


@kernel
def scan_text(text, parts, hash_multipliers, pairs, hashes, token_spans, counts, dedup_index, begin, index, rows):
    """Extract the distinct features of a text, in order of first appearance; return how many there are.

    The first part starts at `begin`; row p of `parts` is (end in text, hash start value, ...). Features that do not fit
    into `hashes` are ignored; `dedup_index` has more than four times as many slots, a power of two. If `counts` is not
    empty, it gets the number of occurrences of each feature.

    Scanning never waits for memory, but `table.find_all` waits for little else. Therefore the cache lines of `index`
    and `rows` that it will read for these features are prefetched here, unless `index` is empty.

    The handling of a key is written out four times in this file. An inlined function with arrays as arguments would
    cost more than its body, because numba reference counts them, at worst (it depends on their names) per feature.
    """
    warm, low = index.shape[0] > 0, np.uint64(max(index.shape[0] - 1, 0))
    room = hashes.shape[0]
    stop = begin if parts.shape[0] == 0 else np.int64(parts[parts.shape[0] - 1, 0])
    mask = _slots(min(2 * (stop - begin), room)) - 1
    dedup_index[: mask + 1] = -1
    counted = counts.shape[0] > 0
    factor, pairer, closer = hash_multipliers[0], hash_multipliers[1], hash_multipliers[2]
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
            kind = CLASSES[byte]
            if kind == SEPARATOR:
                i += 1
                continue
            start = i
            width = 0
            if byte >= 0xE0:
                width = wide(text, i, end)
            if kind == PUNCTUATION:
                while i < end and text[i] == byte:
                    i += 1
                stop = start + 1
                h = folded_product(seed ^ np.uint64(byte), factor)
            elif width > 0:
                i += width
                second = 0
                if i < end and text[i] >= 0xE0:
                    second = wide(text, i, end)
                if second == 0 and skip_single:
                    skip_single = False
                    continue
                stop = i + second
                skip_single = second > 0
                h = key_of(text, start, stop, seed, factor)
            else:
                h = seed
                run = 8
                while run == 8:
                    eight = eight_until(text, i, end)
                    ends = word_ends(eight)
                    run = trailing_zeros(ends) >> 3
                    while run < 8 and i + run < end and text[i + run] >= 0xE0 and wide(text, i + run, end) == 0:
                        ends &= ends - _ONE
                        run = trailing_zeros(ends) >> 3
                    h = folded_product(h ^ (lower(eight) & FIRST[run]), factor)
                    i += run
                stop = i
            h &= KEPT
            slot = np.int64(h & np.uint64(mask))
            while dedup_index[slot] >= 0 and hashes[dedup_index[slot]] != h:
                slot = (slot + 1) & mask
            at = np.int64(dedup_index[slot])
            if at < 0:
                if n == room:
                    return n
                dedup_index[slot] = at = n
                hashes[n] = h
                if warm:
                    prefetch(index, np.int64(hashes[n] & low))
                    if n >= _AHEAD:
                        slot = np.int64(hashes[n - _AHEAD] & low)
                        prefetch(rows, np.int64(np.uint64(index[slot]) & low) - 1)
                token_spans[n, 0] = start
                token_spans[n, 1] = stop - start
                token_spans[n, 2] = part
                if counted:
                    counts[n] = 0
                n += 1
            if counted:
                counts[at] += UNIT
            if pairs and previous >= 0:
                key = (last * pairer ^ h) * closer
                key ^= key >> _32
                slot = np.int64(key & np.uint64(mask))
                while dedup_index[slot] >= 0 and hashes[dedup_index[slot]] != key:
                    slot = (slot + 1) & mask
                pair = np.int64(dedup_index[slot])
                if pair < 0:
                    if n == room:
                        return n
                    dedup_index[slot] = pair = n
                    hashes[n] = key
                    if warm:
                        prefetch(index, np.int64(hashes[n] & low))
                        if n >= _AHEAD:
                            slot = np.int64(hashes[n - _AHEAD] & low)
                            prefetch(rows, np.int64(np.uint64(index[slot]) & low) - 1)
                    token_spans[n, 0] = previous
                    token_spans[n, 1] = at
                    token_spans[n, 2] = -1
                    if counted:
                        counts[n] = 0
                    n += 1
                if counted:
                    counts[pair] += UNIT
            previous, last = at, h
    return n


@kernel
def scan_tokens(text, parts, hash_multipliers, pairs, hashes, token_spans, counts, dedup_index, amounts, begin, n):
    """Like `scan_text`, for unchanged tokens that are separated by zero bytes; token t has the count amounts[t].

    They are the last part, which starts at `begin`; the n features found before it are kept.
    """
    room = hashes.shape[0]
    mask = _slots(min(n + 2 * amounts.shape[0], room)) - 1
    dedup_index[: mask + 1] = -1
    for at in range(n):
        slot = np.int64(hashes[at] & np.uint64(mask))
        while dedup_index[slot] >= 0:
            slot = (slot + 1) & mask
        dedup_index[slot] = at
    counted = counts.shape[0] > 0
    part = parts.shape[0] - 1
    seed = parts[part, 1]
    previous = -1
    i = begin
    for token in range(amounts.shape[0]):
        start = i
        while i < len(text) and text[i] != 0:
            i += 1
        h = key_of(text, start, i, seed, hash_multipliers[0]) & KEPT
        slot = np.int64(h & np.uint64(mask))
        while dedup_index[slot] >= 0 and hashes[dedup_index[slot]] != h:
            slot = (slot + 1) & mask
        at = np.int64(dedup_index[slot])
        if at < 0:
            if n == room:
                return n
            dedup_index[slot] = at = n
            hashes[n] = h
            token_spans[n, 0] = start
            token_spans[n, 1] = i - start
            token_spans[n, 2] = part
            if counted:
                counts[n] = 0
            n += 1
        if counted:
            counts[at] += amounts[token]
        if pairs and previous >= 0:
            h = (hashes[previous] * hash_multipliers[1] ^ h) * hash_multipliers[2]
            h ^= h >> _32
            slot = np.int64(h & np.uint64(mask))
            while dedup_index[slot] >= 0 and hashes[dedup_index[slot]] != h:
                slot = (slot + 1) & mask
            pair = np.int64(dedup_index[slot])
            if pair < 0:
                if n == room:
                    return n
                dedup_index[slot] = pair = n
                hashes[n] = h
                token_spans[n, 0] = previous
                token_spans[n, 1] = at
                token_spans[n, 2] = -1
                if counted:
                    counts[n] = 0
                n += 1
            if counted:
                counts[pair] += UNIT
        previous = at
        i += 1
    return n
