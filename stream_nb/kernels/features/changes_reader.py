"""Decodes what `changes.py` has encoded, and adds it to a table at the cost of about two cache misses per feature."""

# pyright: basic

import numpy as np

from stream_nb.kernels.cpu import eight_bytes, prefetch
from stream_nb.kernels.features.changes import KEY_BYTES, width_of
from stream_nb.kernels.features.table import find_row, make_row
from stream_nb.kernels.jit import inlined, kernel
from stream_nb.kernels.layout import COUNT, NAME, Size
from stream_nb.kernels.swar import key_of_text

_MOST_COUNT = 1 << 40
_AHEAD = 16
_LONGEST = 42  # bits of a number
_MOST_WORDS = 1 << 27
_WINDOW = np.uint64((1 << 56) - 1)  # both numbers of a pair
_32, _TOP = np.uint64(32), np.uint64(56)


@inlined
def _signed(number):
    return -((number + 1) >> 1) if number & 1 else number >> 1


@kernel
def _read_numbers(data):
    """Decode varints: 7 bits per byte, lowest first. Returns the numbers, and whether `data` is well-formed."""
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
def read_changes(keys, lengths, texts, bits, runs, gains, classes, hash_multipliers):
    """Decode changes. Returns the key of each feature, the length of each word's text, the words of each pair, the
    length of each run, the gains with a row for each class, and the largest absolute gain, which is -1 if the arrays
    are malformed or inconsistent."""
    most = keys.shape[0] // KEY_BYTES + lengths.shape[0]
    none = np.empty(0, np.uint64), np.empty(0, np.uint8), np.empty((0, 2), np.int32), np.empty(0, np.int64)
    nothing = np.empty((classes, 0), np.int64)
    run_lengths, are_numbers = _read_numbers(runs)
    numbers, are_numbers_too = _read_numbers(gains)
    limit, letters, total = 8 * bits.shape[0], 0, 0
    for i in range(lengths.shape[0]):
        letters += np.int64(lengths[i])
        are_numbers = are_numbers and lengths[i] > 0
    for k in range(run_lengths.shape[0]):
        total += run_lengths[k]
        if run_lengths[k] == 0 or total > most + limit // 2:
            return (*none, nothing, -1)
    fits = are_numbers and are_numbers_too and letters == texts.shape[0] and keys.shape[0] % KEY_BYTES == 0
    if not fits or numbers.shape[0] != classes * run_lengths.shape[0] or most > _MOST_WORDS:
        return (*none, nothing, -1)

    padded = np.zeros(bits.shape[0] + 8, np.uint8)
    padded[: bits.shape[0]] = bits
    hashes, word_lengths = np.empty(max(total, most), np.uint64), np.zeros(most, np.uint8)
    n_words, at, key, n_texts, start = 0, 0, 0, 0, 0
    while key < keys.shape[0] or n_texts < lengths.shape[0]:
        if at >= limit:
            return (*none, nothing, -1)
        kind = (np.int64(padded[at >> 3]) | np.int64(padded[(at >> 3) + 1]) << 8) >> (at & 7)
        has_text = kind & 1
        at += 1 + has_text
        if has_text == 1:
            if n_texts == lengths.shape[0]:
                return (*none, nothing, -1)
            stop = start + np.int64(lengths[n_texts])
            word_lengths[n_words] = lengths[n_texts]
            hashes[n_words] = key_of_text(texts, start, stop, hash_multipliers)
            start = stop
            n_texts += 1
        if has_text == 0 or kind & 2:
            if key == keys.shape[0]:
                return (*none, nothing, -1)
            lower = np.uint64(0)
            for k in range(KEY_BYTES - 1):
                lower |= np.uint64(keys[key + k]) << np.uint64(8 * k)
            hashes[n_words] = lower | np.uint64(keys[key + KEY_BYTES - 1]) << _TOP
            key += KEY_BYTES
        n_words += 1

    width = width_of(n_words)
    mask, step = (1 << width) - 1, np.int64(width)
    pairs = np.empty((max(total - n_words, 0), 2), np.int32)
    second, newest = 0, 0
    for i in range(pairs.shape[0]):
        if at >= limit:
            return (*none, nothing, -1)
        window = np.int64((eight_bytes(padded, at >> 3) >> np.uint64(at & 7)) & _WINDOW)
        jumps, known = window & 1, (window >> 1) & 1
        first = second + jumps * (((window >> 2) & mask) - second)  # without a branch, which would be unpredictable
        newest = max(newest, first + 1)
        second = newest + known * (((window >> (2 + jumps * step)) & mask) - newest)
        newest = max(newest, second + 1)
        if newest > n_words:
            return (*none, nothing, -1)
        at += 2 + (jumps + known) * step
        pairs[i, 0] = first
        pairs[i, 1] = second
        h = (hashes[first] * hash_multipliers[1] ^ hashes[second]) * hash_multipliers[2]
        hashes[n_words + i] = h ^ (h >> _32)

    largest = 0
    for k in range(numbers.shape[0]):
        numbers[k] = _signed(numbers[k])
        largest = max(largest, abs(numbers[k]))
    if n_words > total or not 0 <= limit - at < 8 or largest > _MOST_COUNT:
        return (*none, nothing, -1)
    amounts = numbers.reshape((classes, run_lengths.shape[0]))
    return hashes[:total], word_lengths[:n_words], pairs, run_lengths, amounts, largest


@kernel
def add_changes(
    hashes, lengths, texts, pairs, run_lengths, amounts, columns, sign, index, rows, arena, sizes
):  # fmt: skip
    """Add `sign` times decoded changes (`read_changes`) to a table that has room for them; row c of `amounts` goes to
    column columns[c] of the table."""
    n_words, total = lengths.shape[0], hashes.shape[0]
    row_ids = np.empty(n_words, np.int32)
    low = np.uint64(index.shape[0] - 1)
    # Features are prefetched only a little ahead, because the caches would evict many of thousands before their use.
    start, run, run_end, live = 0, -1, 0, 0
    usual = columns.shape[0] == 2 and rows.shape[1] == COUNT + 2  # two classes, as most models have: no inner loops
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
            # The row may lack the text, if earlier changes came from a model that already knew the word.
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
