"""What many updates change in a table, feature by feature: summed here, and written as flat arrays for another table.

A table of millions of rows is slow to reach, so a sum has a small index of its own. The form of the arrays is that of
`features.count_changes`; `changes_reader.py` adds them to a table.
"""

# pyright: basic

import numpy as np

from stream_nb.kernels.cpu import prefetch
from stream_nb.kernels.jit import inlined, kernel
from stream_nb.kernels.layout import CHANGE_KEY, CHANGE_NAME, CHANGE_SUMS, COUNT, NAME

_32 = np.uint64(32)
_FACTOR = np.uint64(0x9E3779B97F4A7C15)


@kernel
def sum_update(hashes, token_spans, n, row_ids, rows, arena, own, rival, amounts, state, index, entries):
    """Add amounts[0] in the column of a class, and amounts[1] in that of its rival, to the sums of each of `n` features
    of a message that a table has just learned.

    state[0] is how many features the sum has, state[1] how many bytes their texts. `index` (int32, a power of two of
    slots) holds feature + 1, 0 is empty. An entry (int64) has all of a feature in one cache line: CHANGE_KEY is its
    key; CHANGE_NAME is for a word where its text begins in the table's arena, if the table had nothing of it before,
    else 0, and for a pair -1 - (number of its first word << 32 | that of the second); CHANGE_SUMS + own[1] is what it
    gains in the class, own[0] where the table counts it; `rival` is alike, (-1, -1) for none.
    The caller has made room for `n` more, in the index with half of it empty.
    """
    used = np.int64(state[0])
    low = np.uint64(index.shape[0] - 1)
    local = np.empty(n, np.int64)
    column, others_column = COUNT + own[0], COUNT + rival[0]
    for i in range(n):
        prefetch(index, np.int64(hashes[i] & low))
    for i in range(n):
        prefetch(entries, np.int64(index[np.int64(hashes[i] & low)]) - 1)
    for i in range(n):
        key = np.int64(hashes[i])
        slot = np.int64(hashes[i] & low)
        number = np.int64(index[slot]) - 1
        while number >= 0 and entries[number, CHANGE_KEY] != key:
            slot = (slot + 1) & np.int64(low)
            number = np.int64(index[slot]) - 1
        if number < 0:
            number = used
            used += 1
            index[slot] = number + 1
            entries[number, CHANGE_KEY] = key
            for c in range(CHANGE_SUMS, entries.shape[1]):
                entries[number, c] = 0
            if token_spans[i, 2] < 0:
                entries[number, CHANGE_NAME] = -1 - (local[token_spans[i, 0]] << 32 | local[token_spans[i, 1]])
            else:
                row = row_ids[i]
                others = 0
                for c in range(COUNT, rows.shape[1]):
                    if c != column and (rival[0] < 0 or c != others_column):
                        others |= rows[row, c]
                fresh = others == 0 and rows[row, column] == amounts[0]
                if rival[0] >= 0:
                    fresh = fresh and rows[row, others_column] == amounts[1]
                text = np.int64(np.uint32(rows[row, NAME])) if fresh else 0
                entries[number, CHANGE_NAME] = text
                state[1] += np.int64(arena[text])
        local[i] = number
        entries[number, CHANGE_SUMS + own[1]] += amounts[0]
        if rival[0] >= 0:
            entries[number, CHANGE_SUMS + rival[1]] += amounts[1]
    state[0] = used


@kernel
def index_keys(entries, index):
    """Fill the empty `index` of a sum with the keys of its entries."""
    mask = np.int64(index.shape[0] - 1)
    for i in range(entries.shape[0]):
        slot = entries[i, CHANGE_KEY] & mask
        while index[slot] != 0:
            slot = (slot + 1) & mask
        index[slot] = i + 1


@inlined
def _put(data, at, number):
    """Write a number that is not negative as bytes of 7 bits, the lowest first; returns where the next one goes."""
    while number >= 128:
        data[at] = np.uint8(128 | (number & 127))
        number >>= 7
        at += 1
    data[at] = np.uint8(number)
    return at + 1


@kernel
def write_changes(entries, order, words, starts, pairs, amounts, runs):
    """Write the features and what they gain; column order[c] becomes c.

    Returns how many are the words, the bytes of `pairs`, the rows of `amounts`, and the bytes of `runs`. `starts`
    becomes where the text of each word begins. `pairs` and `runs` have room for ten bytes a feature.
    """
    used, columns = entries.shape[0], order.shape[0]
    place = np.empty(used, np.int64)
    n_words = 0
    for i in range(used):
        if entries[i, CHANGE_NAME] >= 0:
            place[i] = n_words
            words[n_words] = np.uint64(entries[i, CHANGE_KEY])
            starts[n_words] = entries[i, CHANGE_NAME]
            n_words += 1
    end_pairs, second, newest = 0, 0, 0
    for i in range(used):
        if entries[i, CHANGE_NAME] < 0:
            name = -1 - entries[i, CHANGE_NAME]
            first = place[name >> 32]
            step = first - second
            end_pairs = _put(pairs, end_pairs, 2 * step if step >= 0 else -2 * step - 1)
            newest = max(newest, first + 1)
            second = place[name & 0xFFFFFFFF]
            step = newest - second
            end_pairs = _put(pairs, end_pairs, 2 * step if step >= 0 else -2 * step - 1)
            newest = max(newest, second + 1)

    size = 16
    while size < 2 * used:
        size *= 2
    index = np.zeros(size, np.int32)
    n_amounts, end_runs, last, length = 0, 0, 0, 0
    for step in range(2):  # words, then pairs
        for i in range(used):
            if (entries[i, CHANGE_NAME] < 0) != (step == 1):
                continue
            number = last
            same = length > 0
            for c in range(columns):
                same = same and amounts[number, c] == entries[i, CHANGE_SUMS + order[c]]
            if not same:
                h = _FACTOR
                for c in range(columns):
                    h = (h ^ np.uint64(entries[i, CHANGE_SUMS + order[c]])) * _FACTOR
                    h ^= h >> _32
                slot = np.int64(h & np.uint64(size - 1))
                while not same:
                    number = np.int64(index[slot]) - 1
                    if number < 0:
                        number = n_amounts
                        n_amounts += 1
                        index[slot] = number + 1
                        for c in range(columns):
                            amounts[number, c] = entries[i, CHANGE_SUMS + order[c]]
                    same = True
                    for c in range(columns):
                        same = same and amounts[number, c] == entries[i, CHANGE_SUMS + order[c]]
                    slot = (slot + 1) & (size - 1)
                if length > 0:
                    end_runs = _put(runs, _put(runs, end_runs, last), length)
                last, length = number, 0
            length += 1
    if length > 0:
        end_runs = _put(runs, _put(runs, end_runs, last), length)
    return n_words, end_pairs, n_amounts, end_runs
