"""Keyed feature -> row of counters, by open addressing.

`index` (uint32, a power of two) holds row + 1 in its low bits, as many as its own size has, and bits of the
key above them, so that a probe rarely touches a wrong row; 0 is empty. The rows are dense: keys (uint64),
counts (int32 or int64, one column a counter), names (uint32[:, 2]: a word is (offset of its text, 0), a
pair (row of the first word + 1, row of the second + 1); nothing known is (0, 0)). A text in `arena` is a
length byte and that many bytes.

`sizes` (int64[3]): rows used, rows with any count that is not zero, bytes of arena used.
"""

import numpy as np

from stream_nb.kernels.jit import inlined, kernel

USED, LIVE, TEXT = 0, 1, 2
LONGEST_TEXT = 255
_32 = np.uint64(32)


@inlined
def _find(h, index, keys):
    """Row of key `h`, or minus one minus the empty slot where it would go."""
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
            if keys[row] == h:
                return row
        slot = (slot + 1) & mask


@inlined
def _put(h, row, slot, index):
    low = np.uint64(index.shape[0] - 1)
    index[slot] = np.uint32(((h >> _32) & ~low) | np.uint64(row + 1))


@kernel
def find_all(hashes, n, index, keys, counts, rows):
    """rows[i] = row of feature i, or -1. The number that comes back means nothing.

    Two loops without branches touch first the slots and then the likely rows of all features: their cache misses
    overlap, where those of the search proper would wait for each other. (Half the time of a lookup in a table of a
    quarter of a million features.)
    """
    low = np.uint64(index.shape[0] - 1)
    for i in range(n):
        rows[i] = np.int64(np.uint64(index[np.int64(hashes[i] & low)]) & low)
    touched = np.uint64(0)
    for i in range(n):
        row = max(rows[i] - 1, 0)
        touched ^= keys[row]
        if counts.shape[1] > 0:
            touched ^= np.uint64(counts[row, 0] & 1)
    for i in range(n):
        rows[i] = max(_find(hashes[i], index, keys), -1)
    return touched


@kernel
def reindex(used, index, keys):
    """Fill the empty `index` with the first `used` rows."""
    mask = index.shape[0] - 1
    for row in range(used):
        slot = np.int64(keys[row] & np.uint64(mask))
        while index[slot] != 0:
            slot = (slot + 1) & mask
        _put(keys[row], row, slot, index)


@inlined
def _insert(h, index, keys, sizes):
    """Row of key `h`, made at the end if there is none."""
    row = _find(h, index, keys)
    if row < 0:
        slot = -1 - row
        row = sizes[USED]
        sizes[USED] = row + 1
        keys[row] = h
        _put(h, row, slot, index)
    return row


@kernel
def insert_all(hashes, spans, n, text, parts, prefixes, rows, index, keys, names, arena, sizes):
    """Give every feature that has none a row, with its text; the caller has made room.

    Row p of `parts`: end, hash start, then start and length in `prefixes` of what precedes the words' text,
    then 1 where texts are folded to lower case.
    """
    for i in range(n):
        if rows[i] >= 0:
            continue
        row = _insert(hashes[i], index, keys, sizes)
        rows[i] = row
        part = spans[i, 2]
        if part < 0:
            names[row, 0] = rows[spans[i, 0]] + 1
            names[row, 1] = rows[spans[i, 1]] + 1
            continue
        at = sizes[TEXT]
        names[row, 0] = at
        names[row, 1] = 0
        before = np.int64(parts[part, 2])
        length = min(np.int64(parts[part, 3]), LONGEST_TEXT)
        for j in range(length):
            arena[at + 1 + j] = prefixes[before + j]
        fold = parts[part, 4] != np.uint64(0)
        more = min(np.int64(spans[i, 1]), LONGEST_TEXT - length)
        for j in range(more):
            byte = text[spans[i, 0] + j]
            if fold and 65 <= byte <= 90:
                byte += 32
            arena[at + 1 + length + j] = byte
        arena[at] = length + more
        sizes[TEXT] = at + 1 + length + more


@kernel
def merge_rows(
    keys2, counts2, names2, used2, arena2, columns, sign, to, index, keys, counts, names, arena, sizes
):
    """Add `sign` times the rows of a second table; its column c goes to columns[c]. `to` (int64[used2])
    becomes row -> row.

    Words come first in a second pass over pairs, since a pair is named by the rows of its words.
    """
    width = counts.shape[1]
    for step in range(2):
        for row2 in range(used2):
            if (names2[row2, 1] != 0) != (step == 1):
                continue
            fresh = sizes[USED]
            row = _insert(keys2[row2], index, keys, sizes)
            to[row2] = row
            if row == fresh:
                if step == 1:
                    names[row, 0] = to[np.int64(names2[row2, 0]) - 1] + 1
                    names[row, 1] = to[np.int64(names2[row2, 1]) - 1] + 1
                elif names2[row2, 0] != 0:
                    at2 = np.int64(names2[row2, 0])
                    at = sizes[TEXT]
                    names[row, 0] = at
                    for j in range(np.int64(arena2[at2]) + 1):
                        arena[at + j] = arena2[at2 + j]
                    sizes[TEXT] = at + 1 + np.int64(arena2[at2])
            before = False
            for c in range(width):
                before |= counts[row, c] != 0
            for c in range(columns.shape[0]):
                counts[row, columns[c]] += sign * counts2[row2, c]
            after = False
            for c in range(width):
                after |= counts[row, c] != 0
            sizes[LIVE] += np.int64(after) - np.int64(before)
