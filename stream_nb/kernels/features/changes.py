"""What many updates change in a table, summed by feature and encoded as flat arrays for another table.

Access to a table of millions of rows is slow, so a sum is a small table of its own. `features.count_changes` describes
the format of the arrays; `changes_reader.py` adds them to a table.
"""

# pyright: basic

import numpy as np

from stream_nb.kernels.cpu import prefetch
from stream_nb.kernels.features.table import find_row, make_row, row_key
from stream_nb.kernels.jit import inlined, kernel
from stream_nb.kernels.layout import COUNT, NAME, Size
from stream_nb.kernels.swar import key_of_text

KEY_BYTES = 5
_NUMBER_BYTES, _GAIN_BYTES = 5, 10
_LOWER, _TOP = np.uint64(0xFFFFFFFF), np.uint64(56)


@kernel
def sum_update(
    hashes, token_spans, n, row_ids, rows, arena, own, rival, amounts, sum_index, sum_rows, sum_sizes
):  # fmt: skip
    """Add amounts[0] for a class, and amounts[1] for its rival, to the sums of the `n` features of a message that a
    table has just learned.

    The sums are a table in which a word's name is the offset of its text in the arena of the other table if the word is
    new there, else 0. Size.TEXT counts the bytes of these texts, Size.LIVE is unused. `own` is the class's column in
    the table and in the sums; `rival` is the same for the rival, (-1, -1) for none. The caller has made room for `n`
    rows and for these amounts.
    """
    sum_sizes[Size.LARGEST] += max(abs(amounts[0]), abs(amounts[1]))
    low = np.uint64(sum_index.shape[0] - 1)
    local = np.empty(n, np.int64)
    column, others_column = COUNT + own[0], COUNT + rival[0]
    for i in range(n):
        prefetch(sum_index, np.int64(hashes[i] & low))
    for i in range(n):
        prefetch(sum_rows, np.int64(np.uint64(sum_index[np.int64(hashes[i] & low)]) & low) - 1)
    for i in range(n):
        number = find_row(hashes[i], sum_index, sum_rows)
        if number < 0:
            number = make_row(hashes[i], -1 - number, sum_index, sum_rows, sum_sizes)
            if token_spans[i, 2] < 0:
                for k in range(2):
                    sum_rows[number, NAME + k] = np.int32(local[token_spans[i, k]] + 1)
            else:
                row = row_ids[i]
                others = 0
                for c in range(COUNT, rows.shape[1]):
                    if c != column and (rival[0] < 0 or c != others_column):
                        others |= rows[row, c]
                fresh = others == 0 and rows[row, column] == amounts[0]
                if rival[0] >= 0:
                    fresh = fresh and rows[row, others_column] == amounts[1]
                if fresh:
                    sum_rows[number, NAME] = rows[row, NAME]
                    sum_sizes[Size.TEXT] += np.int64(arena[np.int64(np.uint32(rows[row, NAME]))])
        local[i] = number
        sum_rows[number, COUNT + own[1]] += amounts[0]
        if rival[0] >= 0:
            sum_rows[number, COUNT + rival[1]] += amounts[1]


@inlined
def _put(data, at, number):
    """Write a non-negative number as a varint: 7 bits per byte, lowest first. Return where the next one begins."""
    while number >= 128:
        data[at] = np.uint8(128 | (number & 127))
        number >>= 7
        at += 1
    data[at] = np.uint8(number)
    return at + 1


@inlined
def _unsigned(number):
    return 2 * number if number >= 0 else -2 * number - 1


@inlined
def _put_bits(bits, at, number):
    """Write a non-negative number into zero bits from bit `at` on, lowest bit first."""
    number <<= at & 7
    byte = at >> 3
    while number > 0:
        bits[byte] = np.uint8(np.int64(bits[byte]) | (number & 255))
        number >>= 8
        byte += 1


@inlined
def width_of(words):
    """Return how many bits are needed to number `words` words."""
    width = 0
    while words > (1 << width):
        width += 1
    return width


@kernel
def write_changes(rows, order, arena, hash_multipliers):
    """Encode rows of a table as changes: `keys`, `lengths`, `texts`, `bits`, `runs` and `gains`. Class c is column
    order[c] of the rows; `arena` holds the texts."""
    used = rows.shape[0]
    ranked, rank = np.empty(used, np.int64), np.empty(used, np.int64)
    n_words = 0
    for row in range(used):
        n_words += np.int64(rows[row, NAME + 1] == 0)
    word, pair = 0, n_words
    for row in range(used):  # words, then pairs; without a branch, because they alternate unpredictably
        is_word = np.int64(rows[row, NAME + 1] == 0)
        rank[row] = word
        ranked[word if is_word else pair] = row
        word += is_word
        pair += 1 - is_word

    width, letters = width_of(n_words), 0
    for i in range(n_words):
        letters += np.int64(arena[np.int64(np.uint32(rows[ranked[i], NAME]))])
    keys, lengths = np.empty(KEY_BYTES * n_words, np.uint8), np.empty(n_words, np.uint8)
    texts = np.empty(letters, np.uint8)
    bits = np.zeros((2 * n_words + (2 + 2 * width) * (used - n_words) + 7) // 8, np.uint8)
    end_keys, n_texts, end_texts, at = 0, 0, 0, 0
    for i in range(n_words):
        h = row_key(rows, ranked[i])
        start = np.int64(np.uint32(rows[ranked[i], NAME]))
        length = np.int64(arena[start])
        key_from_text = length > 0 and key_of_text(arena, start + 1, start + 1 + length, hash_multipliers) == h
        if length > 0:
            _put_bits(bits, at, 1 if key_from_text else 3)
            lengths[n_texts] = length
            for j in range(length):
                texts[end_texts + j] = arena[start + 1 + j]
            n_texts += 1
            end_texts += length
        at += 2 if length > 0 else 1
        if not key_from_text:
            lower, top = np.int64(h & _LOWER), np.int64(h >> _TOP)
            for k in range(KEY_BYTES - 1):
                keys[end_keys + k] = np.uint8((lower >> (8 * k)) & 255)
            keys[end_keys + KEY_BYTES - 1] = np.uint8(top)
            end_keys += KEY_BYTES

    second, newest = 0, 0
    for i in range(n_words, used):
        row = ranked[i]
        first = rank[np.int64(np.uint32(rows[row, NAME])) - 1]
        head, at = at, at + 2
        if first != second:
            _put_bits(bits, head, 1)
            _put_bits(bits, at, first)
            at += width
        newest = max(newest, first + 1)
        second = rank[np.int64(np.uint32(rows[row, NAME + 1])) - 1]
        if second != newest:
            _put_bits(bits, head + 1, 1)
            _put_bits(bits, at, second)
            at += width
        newest = max(newest, second + 1)

    runs, begins = np.empty(_NUMBER_BYTES * used, np.uint8), np.empty(used, np.int64)
    n_runs, end_runs, begin = 0, 0, 0
    for i in range(used):
        same = i > 0
        for c in range(order.shape[0]):
            same = same and rows[ranked[i], COUNT + order[c]] == rows[ranked[begin], COUNT + order[c]]
        if not same:
            if i > 0:
                end_runs = _put(runs, end_runs, i - begin)
            begins[n_runs] = ranked[i]
            n_runs += 1
            begin = i
    if used > 0:
        end_runs = _put(runs, end_runs, used - begin)
    gains = np.empty(_GAIN_BYTES * n_runs * order.shape[0], np.uint8)
    end_gains = 0
    for c in range(order.shape[0]):
        for k in range(n_runs):
            end_gains = _put(gains, end_gains, _unsigned(np.int64(rows[begins[k], COUNT + order[c]])))
    packed = bits[: (at + 7) // 8]
    return keys[:end_keys], lengths[:n_texts], texts, packed, runs[:end_runs], gains[:end_gains]
