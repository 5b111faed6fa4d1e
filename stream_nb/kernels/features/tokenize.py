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

from typing import Any, NamedTuple

import numpy as np

from stream_nb.kernels.cpu import folded_product, prefetch, trailing_zeros
from stream_nb.kernels.jit import borrowing, inlined, kernel
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


class Distinct(NamedTuple):
    """The features of a message: key, location and number of occurrences of each (the last may be empty); a hash table
    of them; and the index and the rows of the table in which they will be looked up (empty: do not prefetch them)."""

    hashes: Any
    token_spans: Any
    counts: Any
    dedup_index: Any
    index: Any
    rows: Any


@inlined
def add_feature(features, n, mask, h, first, second, kind, amount):
    """Add `amount` to the count of the feature with key `h`; return its number, or -1 if it is new and has no room.

    A new feature gets the number `n` and the location (first, second, kind). Hash slots are mask + 1.

    Scanning never waits for memory, but `table.find_all` waits for little else. Therefore the cache lines of `index`
    and `rows` that it will read are prefetched here.
    """
    hashes, token_spans, counts, dedup_index, index, rows = features
    slot = np.int64(h & np.uint64(mask))
    while dedup_index[slot] >= 0 and hashes[dedup_index[slot]] != h:
        slot = (slot + 1) & mask
    at = np.int64(dedup_index[slot])
    if at < 0:
        if n == hashes.shape[0]:
            return -1
        dedup_index[slot] = at = n
        hashes[n] = h
        if index.shape[0] > 0:
            low = np.uint64(index.shape[0] - 1)
            prefetch(index, np.int64(h & low))
            if n >= _AHEAD:
                slot = np.int64(hashes[n - _AHEAD] & low)
                prefetch(rows, np.int64(np.uint64(index[slot]) & low) - 1)
        token_spans[n, 0] = first
        token_spans[n, 1] = second
        token_spans[n, 2] = kind
        if counts.shape[0] > 0:
            counts[n] = 0
    if counts.shape[0] > 0:
        counts[at] += amount
    return at


@kernel
def most_text(length, features, longest_prefix):
    """Return how many bytes of text a table stores at most for `features` features of a message of `length` bytes.

    In scripts without spaces each character is in two words. Each text has a length byte and may have a prefix.
    """
    return 2 * length + features * (1 + longest_prefix)


@inlined
def _pair_key(first, second, pairer, closer):
    """Return the key of a pair of words from their keys."""
    key = (first * pairer ^ second) * closer
    return key ^ key >> _32


@borrowing
def scan_text(text, parts, hash_multipliers, pairs, hashes, token_spans, counts, dedup_index, begin, index, rows):
    """Extract the distinct features of a text, in order of first appearance; return how many there are.

    The first part starts at `begin`; row p of `parts` is (end in text, hash start value, ...). Features that do not fit
    into `hashes` are ignored; `dedup_index` has more than four times as many slots, a power of two. If `counts` is not
    empty, it gets the number of occurrences of each feature.

    The cache lines of `index` and `rows` that hold these features are prefetched, unless `index` is empty.
    """
    features = Distinct(hashes, token_spans, counts, dedup_index, index, rows)
    room = hashes.shape[0]
    stop = begin if parts.shape[0] == 0 else np.int64(parts[parts.shape[0] - 1, 0])
    mask = _slots(min(2 * (stop - begin), room)) - 1
    dedup_index[: mask + 1] = -1
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
            at = add_feature(features, n, mask, h, start, stop - start, part, UNIT)
            if at < 0:
                return n
            if at == n:
                n += 1
            if pairs and previous >= 0:
                key = _pair_key(last, h, pairer, closer)
                pair = add_feature(features, n, mask, key, previous, at, -1, UNIT)
                if pair < 0:
                    return n
                if pair == n:
                    n += 1
            previous, last = at, h
    return n


@borrowing
def scan_tokens(
    text, parts, hash_multipliers, pairs, hashes, token_spans, counts, dedup_index, amounts, begin, n, index, rows
):
    """Like `scan_text`, for unchanged tokens that are separated by zero bytes; token t has the count amounts[t].

    They are the last part, which starts at `begin`; the n features found before it are kept.
    """
    features = Distinct(hashes, token_spans, counts, dedup_index, index, rows)
    mask = _slots(min(n + 2 * amounts.shape[0], hashes.shape[0])) - 1
    dedup_index[: mask + 1] = -1
    for at in range(n):
        slot = np.int64(hashes[at] & np.uint64(mask))
        while dedup_index[slot] >= 0:
            slot = (slot + 1) & mask
        dedup_index[slot] = at
    part = parts.shape[0] - 1
    seed = parts[part, 1]
    previous = -1
    i = begin
    for token in range(amounts.shape[0]):
        start = i
        while i < len(text) and text[i] != 0:
            i += 1
        h = key_of(text, start, i, seed, hash_multipliers[0]) & KEPT
        at = add_feature(features, n, mask, h, start, i - start, part, amounts[token])
        if at < 0:
            return n
        if at == n:
            n += 1
        if pairs and previous >= 0:
            key = _pair_key(hashes[previous], h, hash_multipliers[1], hash_multipliers[2])
            pair = add_feature(features, n, mask, key, previous, at, -1, UNIT)
            if pair < 0:
                return n
            if pair == n:
                n += 1
        previous = at
        i += 1
    return n
