"""What many updates change in a table, feature by feature: summed into flat arrays here, added to another table there.

A table of millions of rows is slow to reach, so a sum has a small index of its own. See `features.count_changes`.
"""

# pyright: basic

import numpy as np

from stream_nb.kernels.cpu import prefetch
from stream_nb.kernels.jit import kernel
from stream_nb.kernels.layout import COUNT, NAME, Size
from stream_nb.kernels.table import find_row, make_row

_MOST_COUNT = 1 << 40
_32 = np.uint64(32)


@kernel
def sum_update(
    hashes, token_spans, n, row_ids, rows, arena, own, rival, amounts, state, index, keys, names, sums
):  # fmt: skip
    """Add amounts[0] in the column of a class, and amounts[1] in that of its rival, to the sums of each of `n` features
    of a message that a table has just learned.

    state[0] is how many features the sum has, state[1] how many bytes their texts. `index` (int32, a power of two of
    slots) holds feature + 1, 0 is empty; `keys` are the features' keys. `names` of a word are where its text begins in
    the table's arena, if the table had nothing of it before, else 0, and -1; of a pair the numbers of its words.
    sums[i, own[1]] is what feature i gains in the class, own[0] where the table counts it; `rival` is alike, (-1, -1)
    for none.
    The caller has made room for `n` more, in the index with half of it empty.
    """
    used = np.int64(state[0])
    low = np.uint64(index.shape[0] - 1)
    local = np.empty(n, np.int32)
    column, others_column = COUNT + own[0], COUNT + rival[0]
    for i in range(n):
        h = hashes[i]
        slot = np.int64(h & low)
        number = np.int64(index[slot]) - 1
        while number >= 0 and keys[number] != h:
            slot = (slot + 1) & np.int64(low)
            number = np.int64(index[slot]) - 1
        if number < 0:
            number = used
            used += 1
            index[slot] = number + 1
            keys[number] = h
            for c in range(sums.shape[1]):
                sums[number, c] = 0
            if token_spans[i, 2] < 0:
                names[number, 0] = local[token_spans[i, 0]]
                names[number, 1] = local[token_spans[i, 1]]
            else:
                row = row_ids[i]
                others = 0
                for c in range(COUNT, rows.shape[1]):
                    if c != column and (rival[0] < 0 or c != others_column):
                        others |= rows[row, c]
                fresh = others == 0 and rows[row, column] == amounts[0]
                if rival[0] >= 0:
                    fresh = fresh and rows[row, others_column] == amounts[1]
                names[number, 0] = np.int64(np.uint32(rows[row, NAME])) if fresh else 0
                state[1] += np.int64(arena[names[number, 0]])
                names[number, 1] = -1
        local[i] = number
        sums[number, own[1]] += amounts[0]
        if rival[0] >= 0:
            sums[number, rival[1]] += amounts[1]
    state[0] = used


@kernel
def list_changes(keys, names, sums, order, words, starts, pairs, gaps, counts, ends):
    """Write the features and what they gain in the form of `features.count_changes`; column order[c] becomes c.

    Returns how many are words, pairs and entries. `starts` becomes where the text of each word begins.
    """
    used = keys.shape[0]
    place = np.empty(used, np.int64)
    n_words = 0
    for i in range(used):
        if names[i, 1] < 0:
            place[i] = n_words
            words[n_words] = keys[i]
            starts[n_words] = names[i, 0]
            n_words += 1
    n_pairs, second, newest = 0, 0, 0
    for i in range(used):
        if names[i, 1] >= 0:
            place[i] = n_words + n_pairs
            first = place[names[i, 0]]
            pairs[n_pairs, 0] = first - second
            newest = max(newest, first + 1)
            second = place[names[i, 1]]
            pairs[n_pairs, 1] = newest - second
            newest = max(newest, second + 1)
            n_pairs += 1
    entries = 0
    for c in range(order.shape[0]):
        last = -1
        for step in range(2):  # words, then pairs
            for i in range(used):
                if (names[i, 1] >= 0) == (step == 1) and sums[i, order[c]] != 0:
                    gaps[entries] = place[i] - last
                    counts[entries] = sums[i, order[c]]
                    last = place[i]
                    entries += 1
        ends[c] = entries
    return n_words, n_pairs, entries


@kernel
def index_keys(keys, index):
    """Fill the empty `index` of a sum with its keys."""
    mask = index.shape[0] - 1
    for i in range(keys.shape[0]):
        slot = np.int64(keys[i] & np.uint64(mask))
        while index[slot] != 0:
            slot = (slot + 1) & mask
        index[slot] = i + 1


@kernel
def add_changes(
    words, lengths, texts, pairs, gaps, counts, ends, columns, hash_multipliers, index, rows, arena, sizes
):  # fmt: skip
    """Add changes to a table that has room for them; False, and nothing is changed, when they do not fit each other.

    The arrays are those of `features.count_changes`, `pairs` as steps; entries of class c are for column columns[c].
    """
    letters = 0
    for i in range(lengths.shape[0]):
        letters += np.int64(lengths[i])
    if letters != texts.shape[0] or lengths.shape[0] != words.shape[0] or counts.shape[0] != gaps.shape[0]:
        return False
    total = words.shape[0] + pairs.shape[0]
    entry = 0
    for c in range(ends.shape[0]):
        if ends[c] < entry or ends[c] > gaps.shape[0]:
            return False
        at = -1
        for e in range(entry, ends[c]):
            at += np.int64(gaps[e])
            if gaps[e] < 1 or at >= total or counts[e] > _MOST_COUNT or counts[e] < -_MOST_COUNT:
                return False
        entry = ends[c]
    if entry != gaps.shape[0]:
        return False

    hashes, row_ids = np.empty(total, np.uint64), np.empty(total, np.int64)
    named = np.empty((pairs.shape[0], 2), np.int64)
    low = np.uint64(index.shape[0] - 1)
    for i in range(words.shape[0]):
        hashes[i] = words[i]
        prefetch(index, np.int64(words[i] & low))
    second, newest = 0, 0
    for i in range(pairs.shape[0]):
        first = second + pairs[i, 0]
        newest = max(newest, first + 1)
        second = newest - pairs[i, 1]
        newest = max(newest, second + 1)
        if first < 0 or second < 0 or newest > words.shape[0]:
            return False
        named[i, 0] = first
        named[i, 1] = second
        h = (words[first] * hash_multipliers[1] ^ words[second]) * hash_multipliers[2]
        h ^= h >> _32
        hashes[words.shape[0] + i] = h
        prefetch(index, np.int64(h & low))
    for i in range(total):
        prefetch(rows, np.int64(np.uint64(index[np.int64(hashes[i] & low)]) & low) - 1)

    start = 0
    for i in range(total):
        row = find_row(hashes[i], index, rows)
        if row < 0:
            row = make_row(hashes[i], -1 - row, index, rows, sizes)
            if i >= words.shape[0]:
                for k in range(2):
                    rows[row, NAME + k] = np.int32(row_ids[named[i - words.shape[0], k]] + 1)
        row_ids[i] = row
        if i < words.shape[0]:
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

    entry = 0
    live = 0
    for c in range(ends.shape[0]):
        own = COUNT + columns[c]
        at = -1
        for e in range(entry, ends[c]):
            at += np.int64(gaps[e])
            row = row_ids[at]
            others = 0
            for k in range(COUNT, rows.shape[1]):
                if k != own:
                    others |= rows[row, k]
            before = np.int64(rows[row, own])
            rows[row, own] = before + counts[e]
            if others == 0:
                live += np.int64(before + counts[e] != 0) - np.int64(before != 0)
        entry = ends[c]
    sizes[Size.LIVE] += live
    return True
