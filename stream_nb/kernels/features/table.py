"""Keyed feature -> the row of its counters, in a hash table with open addressing.

A slot of `index` (uint32, 2^k slots) holds row + 1 in its low k bits, and bits of the key above them, so that a probe
rarely reads a wrong row; 0 is an empty slot. The `rows` (int32, or int64 once a count requires it) are dense, and a row
fits into one or two cache lines: the two halves of the 64-bit key, two cells for the name, then the counters. The name
of a word is (offset of its text, 0), that of a pair (row of the first word + 1, row of the second + 1), and an unknown
name is (0, 0). A text in `arena` is a length byte, then the bytes of the text.

`sizes` (int64) is laid out by `layout.Size`.
"""

# pyright: basic

import numpy as np

from stream_nb.kernels.cpu import prefetch
from stream_nb.kernels.features.gram_layout import GRAM, GRAM_MARK, LONGEST_GRAM
from stream_nb.kernels.features.grams import write_gram
from stream_nb.kernels.features.tokenize import most_text
from stream_nb.kernels.jit import COMPILED, inlined, kernel
from stream_nb.kernels.layout import COUNT, NAME, Size

LONGEST_TEXT = 255
_AHEAD = 16
_32 = np.uint64(32)
_HALF = np.uint64(0xFFFFFFFF)


@inlined
def row_key(rows, row):
    return np.uint64(np.uint32(rows[row, 0])) | (np.uint64(np.uint32(rows[row, 1])) << _32)


@inlined
def find_row(h, index, rows):
    """Return the row of key `h`, or -1 - slot with the empty slot for it."""
    mask = index.shape[0] - 1
    low = np.uint64(mask)
    tag = (h >> _32) & ~low
    slot = np.int64(h & low)
    while True:
        entry = np.uint64(index[slot])
        if entry == np.uint64(0):
            return -1 - slot
        if entry & ~low == tag:
            row = np.int64(entry & low) - 1
            if row_key(rows, row) == h:
                return row
        slot = (slot + 1) & mask


@inlined
def _put(h, row, slot, index):
    low = np.uint64(index.shape[0] - 1)
    index[slot] = np.uint32(((h >> _32) & ~low) | np.uint64(row + 1))


@inlined
def make_row(h, slot, index, rows, sizes):
    """Append a row for a new key `h` and return it; the index refers to it from the first empty slot from `slot` on."""
    mask = index.shape[0] - 1
    while index[slot] != 0:
        slot = (slot + 1) & mask
    row = sizes[Size.USED]
    sizes[Size.USED] = row + 1
    rows[row, 0] = np.int32(np.uint32(h & _HALF))
    rows[row, 1] = np.int32(np.uint32(h >> _32))
    _put(h, row, slot, index)
    return row


@kernel
def find_all(hashes, n, index, rows, row_ids):
    """Fill row_ids[i] with the row of feature i, or with -1 - slot, where `slot` is the empty slot for it.

    The first loop tries only the first slot of each feature, without branches that depend on the features. The second
    loop looks up those whose first slot belongs to another feature.
    """
    low = np.uint64(index.shape[0] - 1)
    rest = np.empty(n, np.int64)
    left = 0
    for i in range(n):
        slot = np.int64(hashes[i] & low)
        entry = np.uint64(index[slot])
        taken = np.int64(entry != np.uint64(0))
        row = np.int64(entry & low) - 1
        fits = taken & np.int64(row_key(rows, max(row, 0)) == hashes[i])
        row_ids[i] = row if taken else -1 - slot
        rest[left] = i
        left += taken - fits
    for k in range(left):
        row_ids[rest[k]] = find_row(hashes[rest[k]], index, rows)


@kernel
def reindex(used, index, rows):
    """Fill the empty `index` with the first `used` rows."""
    mask = index.shape[0] - 1
    for row in range(used):
        prefetch(index, np.int64(row_key(rows, min(row + _AHEAD, used - 1)) & np.uint64(mask)))
        h = row_key(rows, row)
        slot = np.int64(h & np.uint64(mask))
        while index[slot] != 0:
            slot = (slot + 1) & mask
        _put(h, row, slot, index)


@kernel
def has_room(length, more, longest_prefix, weight, index, rows, arena, sizes):
    """Return whether `more` features of a message of `length` bytes fit, and all counters can grow by `weight`."""
    text = sizes[Size.TEXT] + most_text(length, more, longest_prefix)
    return text <= arena.shape[0] and has_rows(more, weight, index, rows, sizes)


@inlined
def has_rows(more, weight, index, rows, sizes):
    """Return whether there is room for `more` rows, and all counters can grow by `weight`."""
    used, fits = sizes[Size.USED] + more, rows.itemsize == 8 or sizes[Size.LARGEST] + weight < 2**31
    return used <= rows.shape[0] and used * 5 <= index.shape[0] * 4 and fits


@inlined
def first_gram(token_spans, n):
    """Return the index of the first character n-gram among n features; n-grams follow the words and pairs."""
    while n > 0 and token_spans[n - 1, 2] >= GRAM:
        n -= 1
    return n


@kernel
def insert_all(hashes, token_spans, n, text, parts, prefixes, row_ids, index, rows, arena, sizes):
    """Insert a row with its text for every feature that `find_all` did not find; the caller has made room.

    Row p of `parts`: end, hash start value, start and length in `prefixes` of the prefix for texts of the part's words,
    and 1 if texts are folded to lower case, else 0.
    """
    words = first_gram(token_spans, n)
    for i in range(words):
        if row_ids[i] >= 0:
            continue
        row = make_row(hashes[i], -1 - row_ids[i], index, rows, sizes)
        row_ids[i] = row
        part = token_spans[i, 2]
        if part < 0:
            rows[row, NAME] = np.int32(row_ids[token_spans[i, 0]] + 1)
            rows[row, NAME + 1] = np.int32(row_ids[token_spans[i, 1]] + 1)
            continue
        at = sizes[Size.TEXT]
        rows[row, NAME] = np.int32(np.uint32(at))
        before = np.int64(parts[part, 2])
        length = min(np.int64(parts[part, 3]), LONGEST_TEXT)
        for j in range(length):
            arena[at + 1 + j] = prefixes[before + j]
        fold = parts[part, 4] != np.uint64(0)
        more = min(np.int64(token_spans[i, 1]), LONGEST_TEXT - length)
        start = np.int64(token_spans[i, 0])
        for j in range(more):
            byte = text[start + j]
            if fold and 65 <= byte <= 90:
                byte += 32
            arena[at + 1 + length + j] = byte
        arena[at] = length + more
        sizes[Size.TEXT] = at + 1 + length + more
    for i in range(words, n):
        if row_ids[i] >= 0:
            continue
        row = make_row(hashes[i], -1 - row_ids[i], index, rows, sizes)
        row_ids[i] = row
        part = token_spans[i, 2] - GRAM
        at = sizes[Size.TEXT]
        rows[row, NAME] = np.int32(np.uint32(at))
        before = np.int64(parts[part, 2])
        length = min(np.int64(parts[part, 3]), LONGEST_TEXT - LONGEST_GRAM)
        arena[at + 1] = GRAM_MARK
        for j in range(length):
            arena[at + 2 + j] = prefixes[before + j]
        stop = write_gram(token_spans[i, 0], token_spans[i, 1], arena, at + 2 + length)
        arena[at] = stop - at - 1
        sizes[Size.TEXT] = stop


@kernel
def copy_texts(texts, starts, lengths, to, targets):
    """Copy lengths[i] bytes at starts[i] of `texts` to targets[i] of `to`, for each i."""
    for i in range(lengths.shape[0]):
        for j in range(np.int64(lengths[i])):
            to[targets[i] + j] = texts[starts[i] + j]


@kernel
def merge_rows(rows2, used2, arena2, columns, sign, to, index, rows, arena, sizes):
    """Add `sign` times the rows of a second table; its column c goes to columns[c]. `to` (int64[used2]) is filled with
    the row for each row of the second table.

    The first pass adds words, the second adds pairs, because a pair is named by the rows of its words.
    """
    for step in range(2):
        for row2 in range(used2):
            if (rows2[row2, NAME + 1] != 0) != (step == 1):
                continue
            h = row_key(rows2, row2)
            row = find_row(h, index, rows)
            if row < 0:
                row = make_row(h, -1 - row, index, rows, sizes)
                if step == 1:
                    for k in range(NAME, COUNT):
                        rows[row, k] = np.int32(to[np.int64(np.uint32(rows2[row2, k])) - 1] + 1)
                elif rows2[row2, NAME] != 0:
                    at2 = np.int64(np.uint32(rows2[row2, NAME]))
                    at = sizes[Size.TEXT]
                    rows[row, NAME] = np.int32(np.uint32(at))
                    for j in range(np.int64(arena2[at2]) + 1):
                        arena[at + j] = arena2[at2 + j]
                    sizes[Size.TEXT] = at + 1 + np.int64(arena2[at2])
            to[row2] = row
            before = False
            for c in range(COUNT, rows.shape[1]):
                before |= rows[row, c] != 0
            for c in range(columns.shape[0]):
                rows[row, COUNT + columns[c]] += sign * rows2[row2, COUNT + c]
            after = False
            for c in range(COUNT, rows.shape[1]):
                after |= rows[row, c] != 0
            sizes[Size.LIVE] += np.int64(after) - np.int64(before)


def reindex_at_once(used, index, rows):
    """`reindex` for uncompiled use, without loops: sorting finds the slot of each key, its own or the next free one."""
    mask = index.shape[0] - 1
    halves = rows[:used, :2].astype(np.uint32).astype(np.uint64)
    keys = halves[:, 0] | (halves[:, 1] << _32)
    slots = (keys & np.uint64(mask)).astype(np.int64)
    order, step = np.argsort(slots, kind="stable"), np.arange(used)
    slots = np.maximum.accumulate(slots[order] - step) + step
    entries = (((keys >> _32) & ~np.uint64(mask)) | np.arange(1, used + 1, dtype=np.uint64)).astype(np.uint32)[order]
    fit = int(np.searchsorted(slots, mask, side="right"))
    index[slots[:fit]] = entries[:fit]
    index[np.flatnonzero(index == 0)[: used - fit]] = entries[fit:]


def copy_texts_at_once(texts, starts, lengths, to, targets):
    """`copy_texts` for uncompiled use, without a loop."""
    lengths = lengths.astype(np.int64)
    inside = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    to[np.repeat(targets, lengths) + inside] = texts[np.repeat(starts, lengths) + inside]


if not COMPILED:
    reindex, copy_texts = reindex_at_once, copy_texts_at_once
