"""Reading what `changes.py` has written, and adding it to a table at about the cost of two cache misses a feature."""

# pyright: basic

import numpy as np

from stream_nb.kernels.cpu import prefetch
from stream_nb.kernels.jit import inlined, kernel
from stream_nb.kernels.layout import COUNT, NAME, Size
from stream_nb.kernels.table import find_row, make_row

_MOST_COUNT = 1 << 40
_AHEAD = 16
_LONGEST = 42  # bits of a number
_32 = np.uint64(32)


@inlined
def _signed(number):
    return -((number + 1) >> 1) if number & 1 else number >> 1


@kernel
def _read_numbers(data):
    """The numbers that are written as bytes of 7 bits, the lowest first, and whether all bytes are such numbers."""
    numbers = np.empty(data.shape[0], np.int64)
    n, number, shift = 0, 0, 0
    for i in range(data.shape[0]):
        number |= (np.int64(data[i]) & 127) << shift
        shift += 7
        if data[i] < 128:
            numbers[n] = number
            n, number, shift = n + 1, 0, 0
        elif shift >= _LONGEST:
            return numbers[:0], False
    return numbers[:n], shift == 0


@kernel
def read_changes(n_words, lengths, texts, firsts, seconds, runs, gains, classes):
    """The words of each pair, the length of each run, what its features gain, a row for each class, and the largest of
    that, 0 or more; -1 where the arrays, which have `n_words` words, do not fit each other."""
    pairs, run_lengths, amounts = np.empty((0, 2), np.int32), np.empty(0, np.int64), np.empty((classes, 0), np.int64)
    letters = 0
    for i in range(lengths.shape[0]):
        letters += np.int64(lengths[i])
    if letters != texts.shape[0] or lengths.shape[0] != n_words:
        return pairs, run_lengths, amounts, -1

    steps, are_numbers = _read_numbers(firsts)
    distances, are_numbers_too = _read_numbers(seconds)
    if not (are_numbers and are_numbers_too) or steps.shape[0] != distances.shape[0]:
        return pairs, run_lengths, amounts, -1
    pairs = np.empty((steps.shape[0], 2), np.int32)
    second, newest = 0, 0
    for i in range(steps.shape[0]):
        first = second + _signed(steps[i])
        newest = max(newest, first + 1)
        second = newest - _signed(distances[i])
        newest = max(newest, second + 1)
        if first < 0 or second < 0 or newest > n_words:
            return pairs, run_lengths, amounts, -1
        pairs[i, 0] = first
        pairs[i, 1] = second

    run_lengths, are_numbers = _read_numbers(runs)
    left = n_words + pairs.shape[0]
    for k in range(run_lengths.shape[0]):
        left -= run_lengths[k]
        if run_lengths[k] == 0 or left < 0:
            return pairs, run_lengths, amounts, -1
    numbers, are_numbers_too = _read_numbers(gains)
    if left != 0 or not (are_numbers and are_numbers_too) or numbers.shape[0] != classes * run_lengths.shape[0]:
        return pairs, run_lengths, amounts, -1
    largest = 0
    for k in range(numbers.shape[0]):
        numbers[k] = _signed(numbers[k])
        largest = max(largest, abs(numbers[k]))
    amounts = numbers.reshape((classes, run_lengths.shape[0]))
    return pairs, run_lengths, amounts, largest if largest <= _MOST_COUNT else -1


@kernel
def add_changes(
    words, lengths, texts, pairs, run_lengths, amounts, columns, sign, hash_multipliers, index, rows, arena, sizes
):
    """Add `sign` times changes that fit each other (`read_changes`) to a table that has room for them; row c of
    `amounts` is for column columns[c] of the table."""
    n_words = words.shape[0]
    total = n_words + pairs.shape[0]
    hashes, row_ids = np.empty(total, np.uint64), np.empty(n_words, np.int32)
    low = np.uint64(index.shape[0] - 1)
    hashes[:n_words] = words
    for i in range(pairs.shape[0]):
        h = (words[pairs[i, 0]] * hash_multipliers[1] ^ words[pairs[i, 1]]) * hash_multipliers[2]
        hashes[n_words + i] = h ^ (h >> _32)

    # Each feature is fetched a little ahead: of thousands fetched at once, the caches have lost many by then.
    start, run, run_end, live = 0, -1, 0, 0
    usual = columns.shape[0] == 2 and rows.shape[1] == COUNT + 2  # what most models have is done without loops
    one, other = (COUNT + columns[0], COUNT + columns[1]) if usual else (0, 0)
    for i in range(total):
        prefetch(index, np.int64(hashes[min(i + 2 * _AHEAD, total - 1)] & low))
        prefetch(rows, np.int64(np.uint64(index[np.int64(hashes[min(i + _AHEAD, total - 1)] & low)]) & low) - 1)
        row = find_row(hashes[i], index, rows)
        if row < 0:
            row = make_row(hashes[i], -1 - row, index, rows, sizes)
            if i >= n_words:
                for k in range(2):
                    rows[row, NAME + k] = row_ids[pairs[i - n_words, k]] + 1
        if i < n_words:
            row_ids[i] = row
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
        if i == run_end:
            run += 1
            run_end += run_lengths[run]
        before, after = 0, 0
        if usual:
            before = rows[row, COUNT] | rows[row, COUNT + 1]
            rows[row, one] += sign * amounts[0, run]
            rows[row, other] += sign * amounts[1, run]
            after = rows[row, COUNT] | rows[row, COUNT + 1]
        else:
            for c in range(COUNT, rows.shape[1]):
                before |= rows[row, c]
            for c in range(columns.shape[0]):
                rows[row, COUNT + columns[c]] += sign * amounts[c, run]
            for c in range(COUNT, rows.shape[1]):
                after |= rows[row, c]
        live += np.int64(after != 0) - np.int64(before != 0)
    sizes[Size.LIVE] += live
