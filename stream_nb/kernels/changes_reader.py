"""Adding what `changes.py` has written to a table, at about the cost of two cache misses a feature."""

# pyright: basic

import numpy as np

from stream_nb.kernels.cpu import prefetch
from stream_nb.kernels.jit import inlined, kernel
from stream_nb.kernels.layout import COUNT, NAME, Size
from stream_nb.kernels.table import find_row, make_row

_MOST_COUNT = 1 << 40
_AHEAD = 16
_LONGEST = 35  # bits of a number
_32 = np.uint64(32)


@inlined
def _signed(number):
    return -((number + 1) >> 1) if number & 1 else number >> 1


@kernel
def read_numbers(data, numbers):
    """Read the numbers that are written as bytes of 7 bits, the lowest first; how many, -1 where they do not fit."""
    n, number, shift = 0, 0, 0
    for i in range(data.shape[0]):
        number |= (np.int64(data[i]) & 127) << shift
        shift += 7
        if shift > _LONGEST:
            return -1
        if data[i] < 128:
            if n == numbers.shape[0]:
                return -1
            numbers[n] = number
            n, number, shift = n + 1, 0, 0
    return n if shift == 0 else -1


@inlined
def _add_to_row(row, gains, columns):
    """Add to the counters of a row; 1 if it now has the only ones that are not zero, -1 if it had, else 0."""
    before, after = 0, 0
    if columns.shape[0] == 2 and row.shape[0] == COUNT + 2:  # what most models have is done without loops
        before = row[COUNT] | row[COUNT + 1]
        row[COUNT + columns[0]] += gains[0]
        row[COUNT + columns[1]] += gains[1]
        after = row[COUNT] | row[COUNT + 1]
    else:
        for c in range(COUNT, row.shape[0]):
            before |= row[c]
        for c in range(columns.shape[0]):
            row[COUNT + columns[c]] += gains[c]
        for c in range(COUNT, row.shape[0]):
            after |= row[c]
    return np.int64(after != 0) - np.int64(before != 0)


@kernel
def add_changes(words, lengths, texts, pairs, amounts, runs, columns, hash_multipliers, index, rows, arena, sizes):
    """Add changes to a table that has room for them; False, and nothing is changed, when they do not fit each other.

    The arrays are those of `features.count_changes`, `pairs` and `runs` as numbers; column c of `amounts` is for column
    columns[c] of the table.
    """
    letters = 0
    for i in range(lengths.shape[0]):
        letters += np.int64(lengths[i])
    if letters != texts.shape[0] or lengths.shape[0] != words.shape[0]:
        return False
    if pairs.shape[0] % 2 or runs.shape[0] % 2 or amounts.shape[1] != columns.shape[0]:
        return False
    for i in range(amounts.shape[0]):
        for c in range(amounts.shape[1]):
            if amounts[i, c] > _MOST_COUNT or amounts[i, c] < -_MOST_COUNT:
                return False
    n_words, n_pairs = words.shape[0], pairs.shape[0] // 2
    total, left = n_words + n_pairs, n_words + n_pairs
    for k in range(0, runs.shape[0], 2):
        left -= runs[k + 1]
        if runs[k] >= amounts.shape[0] or left < 0:
            return False
    if left != 0:
        return False

    hashes, row_ids = np.empty(total, np.uint64), np.empty(total, np.int64)
    low = np.uint64(index.shape[0] - 1)
    hashes[:n_words] = words
    named = np.empty((n_pairs, 2), np.int64)
    second, newest = 0, 0
    for i in range(n_pairs):
        first = second + _signed(pairs[2 * i])
        newest = max(newest, first + 1)
        second = newest - _signed(pairs[2 * i + 1])
        newest = max(newest, second + 1)
        if first < 0 or second < 0 or newest > n_words:
            return False
        named[i, 0] = first
        named[i, 1] = second
        h = (words[first] * hash_multipliers[1] ^ words[second]) * hash_multipliers[2]
        h ^= h >> _32
        hashes[n_words + i] = h

    # Each feature is fetched a little ahead: of thousands fetched at once, the caches have lost many by then.
    start = 0
    for i in range(total):
        prefetch(index, np.int64(hashes[min(i + 2 * _AHEAD, total - 1)] & low))
        prefetch(rows, np.int64(np.uint64(index[np.int64(hashes[min(i + _AHEAD, total - 1)] & low)]) & low) - 1)
        row = find_row(hashes[i], index, rows)
        if row < 0:
            row = make_row(hashes[i], -1 - row, index, rows, sizes)
            if i >= n_words:
                for k in range(2):
                    rows[row, NAME + k] = np.int32(row_ids[named[i - n_words, k]] + 1)
        row_ids[i] = row
        if i < n_words:
            length = np.int64(lengths[i])
            # A word may have come without its text before, from a model that had learned it elsewhere.
            if length > 0 and rows[row, NAME + 1] == 0 and arena[np.int64(np.uint32(rows[row, NAME]))] == 0:
                at = sizes[Size.TEXT]
                rows[row, NAME] = np.int32(np.uint32(at))
                arena[at] = length
                for j in range(length):
                    arena[at + 1 + j] = texts[start + j]
                sizes[Size.TEXT] = at + 1 + length
            start += length

    first, live = 0, 0
    for k in range(0, runs.shape[0], 2):
        gains = amounts[runs[k]]
        for i in range(first, first + runs[k + 1]):
            live += _add_to_row(rows[row_ids[i]], gains, columns)
        first += runs[k + 1]
    sizes[Size.LIVE] += live
    return True
