"""What the textbook models share: learning a message, and the result from the log-likelihoods of its words.

A row of `rows` holds, from COUNT on, for class c how often the word occurred (2c) and in how many messages (2c + 1),
both in 1/256. Row c of `totals` (int64[classes, 3]) is laid out by `layout.TextTotal`, `out` (float64) by
`layout.TextResult`.

`log_cache` (float64[2^k, 2]) caches log(count + smoothing) by count, so that a logarithm is computed again only when a
word's count changes; words with equal counts share it. It starts as nan, which equals no count. The lookup is written
out wherever it is used, because calling a function with an array in a loop over words costs more than the lookup.

A histogram (int64[2^k, 3]) counts the words of a class by the number of messages they occur in; words that the class
lacks are left out. Row k > 0 is a number of messages in 1/256 and its number of words, in order of appearance. Row 0 is
the number of rows in use and a version that changes with every update of the class. Column 2 is a hash index from
counts to rows, where 0 is an empty slot. The histograms of all classes are stacked.

The statistics are in a workspace of their own, in which those of the message and the table are nested; it is nested in
the workspace of each model that reads it. The rows of the table are an argument, because their type may widen.
"""

# pyright: basic

import math

import numpy as np

from stream_nb.kernels.features.table import find_all, has_room, insert_all
from stream_nb.kernels.features.tokenize import scan_text
from stream_nb.kernels.jit import inlined, kernel
from stream_nb.kernels.layout import COUNT, MOST_UNITS, UNIT, Size, Slot, TextResult, TextTotal
from stream_nb.kernels.workspace import array1d, array2d, nested

# Adding and subtracting these rounds to multiples of 2^-24 and of 2^-55.
_COARSE, _FINE = 1.5 * 2.0**28, 1.5 * 2.0**-3


@inlined
def split(term):
    """Split a finite term into (a, b), multiples of 2^-24 and of 2^-55, whose sums are exact in any order.

    So the order of words changes no bit (for sums below 2^28 over at most 2^22 words; beyond that they are rounded).
    """
    coarse = (term + _COARSE) - _COARSE
    return coarse, ((term - coarse) + _FINE) - _FINE


@inlined
def slot_of(units, mask):
    """Return the slot where the search for a count begins in a hash table of `mask` + 1 slots."""
    return ((units << 4) ^ (units >> 8)) & mask


@kernel
def text_posterior(totals, prior, positive, out):
    """Add the log priors to the log-likelihoods in out[TextResult.JOINT:], and fill `out` up to PROBABILITY.

    The prior weight of a class is prior[2 + c] + prior[0] times its messages; prior[1] is the sum of prior[2:].
    """
    classes = totals.shape[0]
    weights = prior[1]
    for c in range(classes):
        weights += prior[0] * (float(totals[c, TextTotal.MESSAGES]) / UNIT)
    top, rival, alone = -math.inf, -math.inf, False
    for c in range(classes):
        weight = prior[2 + c] + prior[0] * (float(totals[c, TextTotal.MESSAGES]) / UNIT)
        score = -math.inf
        if weight > 0.0:
            score = math.log(weight / weights)
        score += out[TextResult.JOINT + c]
        out[TextResult.JOINT + c] = score
        if c == 0 or score > top:
            top, alone = score, True
            out[TextResult.BEST] = c
        elif not score < top:
            alone = False
        if c != positive:
            rival = max(rival, score)
    if not alone:
        out[TextResult.BEST] = -1.0
    out[TextResult.LOG_ODDS], out[TextResult.PROBABILITY] = 0.0, 0.5
    if positive < 0 or classes < 2:
        return
    own = out[TextResult.JOINT + positive]
    if own != rival:
        out[TextResult.LOG_ODDS] = own - rival
    if math.isinf(top):
        winners = 0
        for c in range(classes):
            winners += out[TextResult.JOINT + c] == top
        out[TextResult.PROBABILITY] = 1.0 / winners if own == top else 0.0
        return
    total, lost = 0.0, 0.0  # rounding errors are summed and added last, so that the order of classes does not matter
    for c in range(classes):
        part = math.exp(out[TextResult.JOINT + c] - top)
        sum_ = total + part
        back = sum_ - total
        lost += (total - (sum_ - back)) + (part - back)
        total = sum_
    out[TextResult.PROBABILITY] = math.exp(own - top) / (total + lost)


@kernel
def compact_histogram(histogram):
    """Drop the counts that no word has, and rebuild the index."""
    mask = histogram.shape[0] - 1
    histogram[:, 2] = 0
    last = 0
    for k in range(1, histogram[0, 0] + 1):
        units, words = histogram[k, 0], histogram[k, 1]
        if words == 0:
            continue
        last += 1
        histogram[last, 0], histogram[last, 1] = units, words
        slot = slot_of(units, mask)
        while histogram[slot, 2] != 0:
            slot = (slot + 1) & mask
        histogram[slot, 2] = last
    for k in range(last + 1, histogram[0, 0] + 1):
        histogram[k, 1] = 0
    histogram[0, 0] = last


@kernel
def text_find(text, parts, n, find, rows, statistics):
    """Scan the text if `n` is negative, look its words up if `find`, and return how many words it has."""
    message, table = nested(statistics, Slot.MESSAGE), nested(statistics, Slot.TABLE)
    hashes, index = array1d(message, Slot.HASHES, np.uint64), array1d(table, Slot.INDEX, np.uint32)
    if n < 0:
        n = scan_text(
            text, parts, array1d(message, Slot.HASH_MULTIPLIERS, np.uint64), False, hashes,
            array2d(message, Slot.TOKEN_SPANS, np.int32), array1d(message, Slot.COUNTS, np.int64),
            array1d(message, Slot.DEDUP_INDEX, np.int32), 0, index, rows,
        )  # fmt: skip
    if find:
        find_all(hashes, n, index, rows, array1d(message, Slot.ROW_IDS, np.int64))
    return n


@kernel
def text_learn(text, parts, n, longest_prefix, find, rows, statistics, c, sign):
    """Add (sign 1) or subtract (-1) the current message in class `c`; return 1.

    Return 0 if the arrays have no room for it, and -1 if the class would have more than `MOST_UNITS` occurrences;
    nothing has changed then. If `find`, the rows of its words are looked up first. The histogram of the class is
    updated, if there is one.
    """
    message, table = nested(statistics, Slot.MESSAGE), nested(statistics, Slot.TABLE)
    hashes, counts = array1d(message, Slot.HASHES, np.uint64), array1d(message, Slot.COUNTS, np.int64)
    index, arena = array1d(table, Slot.INDEX, np.uint32), array1d(table, Slot.ARENA, np.uint8)
    row_ids, sizes = array1d(message, Slot.ROW_IDS, np.int64), array1d(table, Slot.SIZES, np.int64)
    totals = array2d(statistics, Slot.TOTALS, np.int64)
    histograms = array2d(statistics, Slot.HISTOGRAMS, np.int64)
    if find:
        find_all(hashes, n, index, rows, row_ids)
    largest, above = UNIT, float(totals[c, TextTotal.TERM])
    for i in range(n):
        largest = max(largest, counts[i])
        above += counts[i]
    if sign > 0 and above > MOST_UNITS:
        return -1
    if not has_room(len(text), n, longest_prefix, largest, index, rows, arena, sizes):
        return 0
    kept = histograms.shape[0] > 0
    slots = histograms.shape[0] // totals.shape[0]
    histogram = histograms[c * slots : (c + 1) * slots]
    mask = slots - 1
    if kept and 2 * (histogram[0, 0] + n) > mask:
        compact_histogram(histogram)
        if 2 * (histogram[0, 0] + n) > mask:
            return 0
    token_spans = array2d(message, Slot.TOKEN_SPANS, np.int32)
    prefixes = array1d(message, Slot.PREFIXES, np.uint8)
    insert_all(hashes, token_spans, n, text, parts, prefixes, row_ids, index, rows, arena, sizes)
    first = COUNT + 2 * c
    occurrences, live = 0, 0
    for i in range(n):
        row = row_ids[i]
        was, often = int(rows[row, first + 1]), int(rows[row, first])
        now, oftener = was + sign * UNIT, often + sign * counts[i]
        rows[row, first], rows[row, first + 1] = oftener, now
        gained = int(oftener | now != 0) - int(often | was != 0)
        if gained != 0:
            others = 0
            for column in range(COUNT, rows.shape[1]):
                if column != first and column != first + 1:
                    others |= rows[row, column]
            if others == 0:
                live += gained
        occurrences += counts[i]
        if kept:
            for by in range(-1, 2, 2):
                units = was if by < 0 else now
                if units == 0:
                    continue
                slot = slot_of(units, mask)
                k = histogram[slot, 2]
                while k != 0 and histogram[k, 0] != units:
                    slot = (slot + 1) & mask
                    k = histogram[slot, 2]
                if k == 0:
                    k = histogram[0, 0] + 1
                    histogram[0, 0] = histogram[slot, 2] = k
                    histogram[k, 0] = units
                histogram[k, 1] += by
    if kept:
        histogram[0, 1] += 1
    sizes[Size.LIVE] += live
    sizes[Size.LARGEST] = min(sizes[Size.LARGEST] + largest, MOST_UNITS)
    totals[c, TextTotal.TERM] += sign * occurrences
    totals[c, TextTotal.MESSAGE] += sign * UNIT * n
    totals[c, TextTotal.MESSAGES] += sign * UNIT
    return 1
