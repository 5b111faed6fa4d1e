"""The textbook models: rows of counters -> log probabilities, and the statistics one message adds.

Row r of `cells` holds, from COUNT on, for class c how often the word occurred (2c) and in how many messages
(2c + 1), both in 1/256. `memo_keys` and `memo` keep log(count + smoothing) by count, so that a word's parameter
is computed again only when its counts change; equal counts share.
"""

import math

import numpy as np

from stream_nb.kernels.jit import kernel
from stream_nb.kernels.table import COUNT, LARGEST, LIVE

TERM, MESSAGE = 0, 1
_ONE = 256.0
_TINY = 5e-324  # the sum of a class without words and without smoothing: never read


@kernel
def multinomial_score(
    rows, times, n, cells, event, totals, live, smoothing, smooth_unseen, memo_keys, memo, computed, out, terms
):
    """out[c] = sum of times * log P(word | c); returns how many features the model has met.

    `event` TERM takes occurrences, MESSAGE presence (every word once); totals[c, event] is the sum of that column
    in 1/256. A feature never met adds nothing, or with `smooth_unseen` the probability of a count of 0.
    """
    classes = out.shape[0]
    mask = memo.shape[0] - 1
    known, looked_up = 0, 0
    out[:] = 0.0
    below = np.empty(classes)
    for c in range(classes):
        below[c] = math.log(max(float(totals[c, event]) / _ONE + smoothing * live, _TINY))
    for i in range(n):
        row = max(rows[i], 0)
        counted = 0
        for column in range(COUNT, cells.shape[1]):
            counted |= cells[row, column]
        met = rows[i] >= 0 and counted != 0
        known += met
        if not met and (not smooth_unseen or live == 0):
            continue
        often = float(times[i]) / _ONE if event == TERM else 1.0
        for c in range(classes):
            units = max(np.int64(cells[row, COUNT + 2 * c + event]), 0) if met else 0
            slot = (units ^ (units >> 8)) & mask
            if memo_keys[slot] != units:
                value = float(units) / _ONE + smoothing
                memo[slot] = math.log(value) if value > 0.0 else -math.inf
                memo_keys[slot] = units
                looked_up += 1
            term = memo[slot]
            if term > -math.inf:
                term = often * (term - below[c])
            out[c] += term
            if terms.shape[0] > 0:
                terms[i, c] = term
    computed[0] += looked_up
    return known


@kernel
def bernoulli_score(
    rows, n, cells, messages, present_everywhere, smoothing, memo_keys, memo, computed, out, terms
):
    """out[c] = sum over the words met of log P(word | c) - log(1 - P(word | c)); returns how many were met.

    The sum over all absent words is the caller's. With smoothing 0 a word that stands in every message of a
    class has no chance to be absent: it is left out here, and counted in present_everywhere[c].
    """
    classes = messages.shape[0]
    mask = memo.shape[0] - 1
    known, looked_up = 0, 0
    out[:] = 0.0
    present_everywhere[:] = 0
    for i in range(n):
        row = max(rows[i], 0)
        counted = 0
        for column in range(COUNT, cells.shape[1]):
            counted |= cells[row, column]
        if rows[i] < 0 or counted == 0:
            continue
        known += 1
        for c in range(classes):
            units = max(np.int64(cells[row, COUNT + 2 * c + MESSAGE]), 0)
            rest = messages[c] - units
            certain = float(rest) / _ONE + smoothing <= 0.0
            term = 0.0
            for side in range(1 if certain else 2):
                units = rest if side else units
                slot = (units ^ (units >> 8)) & mask
                if memo_keys[slot] != units:
                    value = float(units) / _ONE + smoothing
                    memo[slot] = math.log(value) if value > 0.0 else -math.inf
                    memo_keys[slot] = units
                    looked_up += 1
                term = term - memo[slot] if side else memo[slot]
            if certain:
                present_everywhere[c] += 1
                term -= math.log(float(messages[c]) / _ONE)
            out[c] += term
            if terms.shape[0] > 0:
                terms[i, c] = term
    computed[0] += looked_up
    return known


@kernel
def absent_sum(units, words, messages, smoothing, live):
    """Sum over the vocabulary of log(1 - P(word | c)), from the histogram of a class.

    words[k] words stand in units[k] / 256 > 0 messages of the class each, all others in none. A word that
    cannot be absent (smoothing 0, in every message) is left out; the second result counts those.
    """
    total = 0.0
    certain = 0
    others = live
    for k in range(units.shape[0]):
        if words[k] == 0:
            continue
        others -= words[k]
        rest = float(messages - units[k]) / _ONE + smoothing
        if rest > 0.0:
            total += float(words[k]) * math.log(rest)
        else:
            certain += words[k]
    count = float(messages) / _ONE
    if count + smoothing > 0.0:
        total += float(others) * math.log(count + smoothing)
        total -= float(live - certain) * math.log(count + 2.0 * smoothing)
    return total, certain


@kernel
def _count(units, by, histogram, used):
    """Note that `by` more words stand in units / 256 messages; 0 is not kept."""
    if units == 0:
        return
    mask = histogram.shape[0] - 1
    slot = (units ^ (units >> 8)) & mask
    while histogram[slot, 0] != units:
        if histogram[slot, 0] == 0:
            histogram[slot, 0] = units
            used[0] += 1
            break
        slot = (slot + 1) & mask
    histogram[slot, 1] += by


@kernel
def fill_histogram(values, words, histogram, used):
    """Note words[k] words at each of `values`."""
    for k in range(values.shape[0]):
        _count(values[k], words[k], histogram, used)


@kernel
def textbook_add(rows, times, n, c, sign, cells, sizes, totals, histogram, used):
    """Add (sign 1) or take back (sign -1) a message of class `c`, all of whose features have rows.

    totals[c] becomes the sums over the table and the number of messages. `histogram` (int64[2^k, 2]: count in
    1/256, words with it) of the class follows; without rows it is not kept.
    """
    first = COUNT + 2 * c
    occurrences, live = 0, 0
    largest = np.int64(_ONE)
    for i in range(n):
        row = rows[i]
        others = 0
        for column in range(COUNT, cells.shape[1]):
            if column != first and column != first + 1:
                others |= cells[row, column]
        was, often = np.int64(cells[row, first + 1]), np.int64(cells[row, first])
        now = was + sign * 256
        cells[row, first] = often + sign * times[i]
        cells[row, first + 1] = now
        if others == 0:
            live += np.int64((often + sign * times[i]) | now != 0) - np.int64(often | was != 0)
        occurrences += times[i]
        largest = max(largest, times[i])
        if histogram.shape[0] > 0:
            _count(was, -1, histogram, used)
            _count(now, 1, histogram, used)
    sizes[LIVE] += live
    sizes[LARGEST] += largest
    totals[c, 0] += sign * occurrences
    totals[c, 1] += sign * 256 * n
    totals[c, 2] += sign * 256
