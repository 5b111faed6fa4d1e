"""What the textbook models share: what one message adds, and what is read off the log probabilities of its words.

Row r of `cells` holds, from COUNT on, for class c how often the word occurred (2c) and in how many messages
(2c + 1), both in 1/256; totals[c] (int64[classes, 3]) the sums of both over the table, and the number of messages.

`out` (float64) is what a message is found to be: the class with the greatest score (-1: none, or no single one),
log-odds and probability of the positive class, how many of its words the model has met, how many logarithms have ever
been computed for this `out`, then the joint log score of each class.

`memo` (float64[2^k, 2]) keeps log(count + smoothing) by count, so that a word's parameter is computed again only when
its counts change; equal counts share. It begins as nan, which equals no count. Its use stands written out: a function
that takes an array costs a loop over words more than the look-up does.

Row k > 0 of a histogram (int64[2^k, 3]) is a count of messages in 1/256, and the words with that count, in whatever
order the counts came; row 0 says how many rows there are, and names the state of the class: no two have the same.
Column 2 leads from the hash of a count to its row, 0 is none. Words without the class are not in it. The histograms of
all classes stand below each other.

The statistics lie on one desk (`desk.Desk`), in places named IN_; what a model reads them by on another, BY_. The cells
of the table come as they are, since their type may widen.
"""

import math

import numpy as np

from stream_nb.kernels.desk import line_at, sheet_at
from stream_nb.kernels.jit import fingerprint, inlined, kernel
from stream_nb.kernels.scan import scan_text
from stream_nb.kernels.table import COUNT, LARGEST, LIVE, find_all, has_room, insert_all

IN_FACTORS, IN_HASHES, IN_SPANS, IN_TIMES, IN_SEEN, IN_PREFIXES, IN_ROWS = range(7)
IN_INDEX, IN_ARENA, IN_SIZES, IN_TOTALS, IN_HISTOGRAMS = range(7, 12)
IN_PLACES = (
    *(np.uint64, np.uint64, np.int32, np.int64, np.int32, np.uint8, np.int64),
    *(np.uint32, np.uint8, np.int64, np.int64, np.int64),
)
BY_PRIOR, BY_MEMO, BY_ABSENT, BY_FOUND, BY_TERMS = range(5)
BY_PLACES = (np.float64, np.float64, np.float64, np.float64, np.float64)

TERM, MESSAGE, MESSAGES = 0, 1, 2
TOP, ODDS, CHANCE, KNOWN, COMPUTED, JOINT = 0, 1, 2, 3, 4, 5
_ONE = 256.0
# Added and taken away again, they leave multiples of 2^-24 and of 2^-55.
_COARSE, _FINE = 1.5 * 2.0**28, 1.5 * 2.0**-3


@inlined
def split(term):
    """A finite term as (a, b), multiples of 2^-24 and of 2^-55: sums of either are exact whatever the order.

    So the order of words shows in no bit (of sums below 2^28 over at most 2^22 words; beyond, they are rounded).
    """
    coarse = (term + _COARSE) - _COARSE
    return coarse, ((term - coarse) + _FINE) - _FINE


@kernel
def textbook_read(totals, prior, positive, out):
    """Add the log priors to the log likelihoods in out[JOINT:], and fill `out` up to CHANCE.

    A class weighs prior[2 + c] + prior[0] times its messages; prior[1] is the sum of what does not depend on messages.
    """
    classes = totals.shape[0]
    weights = prior[1]
    for c in range(classes):
        weights += prior[0] * (float(totals[c, MESSAGES]) / _ONE)
    top, rival, alone = -math.inf, -math.inf, False
    for c in range(classes):
        weight = prior[2 + c] + prior[0] * (float(totals[c, MESSAGES]) / _ONE)
        score = -math.inf
        if weight > 0.0:
            score = math.log(weight / weights)
        score += out[JOINT + c]
        out[JOINT + c] = score
        if c == 0 or score > top:
            top, alone = score, True
            out[TOP] = c
        elif not score < top:
            alone = False
        if c != positive:
            rival = max(rival, score)
    if not alone:
        out[TOP] = -1.0
    out[ODDS], out[CHANCE] = 0.0, 0.5
    if positive < 0 or classes < 2:
        return
    own = out[JOINT + positive]
    if own != rival:
        out[ODDS] = own - rival
    if math.isinf(top):
        winners = 0
        for c in range(classes):
            winners += out[JOINT + c] == top
        out[CHANCE] = 1.0 / winners if own == top else 0.0
        return
    total, lost = 0.0, 0.0  # what rounding loses is added last, so that the order of the classes does not show
    for c in range(classes):
        part = math.exp(out[JOINT + c] - top)
        sum_ = total + part
        back = sum_ - total
        lost += (total - (sum_ - back)) + (part - back)
        total = sum_
    out[CHANCE] = math.exp(own - (top + math.log(total + lost)))


@kernel
def tidy_histogram(histogram):
    """Drop the counts that no word has, and lead to the others."""
    mask = histogram.shape[0] - 1
    histogram[:, 2] = 0
    last = 0
    for k in range(1, histogram[0, 0] + 1):
        units, words = histogram[k, 0], histogram[k, 1]
        if words == 0:
            continue
        last += 1
        histogram[last, 0], histogram[last, 1] = units, words
        slot = ((units << 4) ^ (units >> 8)) & mask
        while histogram[slot, 2] != 0:
            slot = (slot + 1) & mask
        histogram[slot, 2] = last
    for k in range(last + 1, histogram[0, 0] + 1):
        histogram[k, 1] = 0
    histogram[0, 0] = last


def _made(code):
    @kernel
    def textbook_find(text, parts, n, find, cells, places):
        """Scan a text, if `n` is less than 0, and with `find` look its words up; returns how many it has."""
        code  # noqa: B018
        hashes, index = line_at(places, IN_HASHES, np.uint64), line_at(places, IN_INDEX, np.uint32)
        if n < 0:
            n = scan_text(
                text, parts, line_at(places, IN_FACTORS, np.uint64), False, hashes,
                sheet_at(places, IN_SPANS, np.int32), line_at(places, IN_TIMES, np.int64),
                line_at(places, IN_SEEN, np.int32), 0, index, cells,
            )  # fmt: skip
        if find:
            find_all(hashes, n, index, cells, line_at(places, IN_ROWS, np.int64))
        return n

    @kernel
    def textbook_learn(text, parts, n, longest_prefix, find, cells, places, c, sign):
        """Add (sign 1) or take back (sign -1) the message read, of class `c`; False when there is no room for it.

        With `find`, its rows are not known yet. The histogram of the class follows, where there are any.
        """
        code  # noqa: B018
        hashes, times = line_at(places, IN_HASHES, np.uint64), line_at(places, IN_TIMES, np.int64)
        index, arena = line_at(places, IN_INDEX, np.uint32), line_at(places, IN_ARENA, np.uint8)
        rows, sizes = line_at(places, IN_ROWS, np.int64), line_at(places, IN_SIZES, np.int64)
        totals, histograms = sheet_at(places, IN_TOTALS, np.int64), sheet_at(places, IN_HISTOGRAMS, np.int64)
        if find:
            find_all(hashes, n, index, cells, rows)
        largest = 256
        for i in range(n):
            largest = max(largest, times[i])
        if not has_room(n, len(text) + n * (1 + longest_prefix), largest, index, cells, arena, sizes):
            return False
        kept = histograms.shape[0] > 0
        slots = histograms.shape[0] // totals.shape[0]
        histogram = histograms[c * slots : (c + 1) * slots]
        mask = slots - 1
        if kept and 2 * (histogram[0, 0] + n) > mask:
            tidy_histogram(histogram)
            if 2 * (histogram[0, 0] + n) > mask:
                return False
        spans, prefixes = sheet_at(places, IN_SPANS, np.int32), line_at(places, IN_PREFIXES, np.uint8)
        insert_all(hashes, spans, n, text, parts, prefixes, rows, index, cells, arena, sizes)
        first = COUNT + 2 * c
        occurrences, live = 0, 0
        for i in range(n):
            row = rows[i]
            was, often = int(cells[row, first + 1]), int(cells[row, first])
            now, oftener = was + sign * 256, often + sign * times[i]
            cells[row, first], cells[row, first + 1] = oftener, now
            gained = int(oftener | now != 0) - int(often | was != 0)
            if gained != 0:
                others = 0
                for column in range(COUNT, cells.shape[1]):
                    if column != first and column != first + 1:
                        others |= cells[row, column]
                if others == 0:
                    live += gained
            occurrences += times[i]
            if kept:
                for by in range(-1, 2, 2):
                    units = was if by < 0 else now
                    if units == 0:
                        continue
                    slot = ((units << 4) ^ (units >> 8)) & mask
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
        sizes[LIVE] += live
        sizes[LARGEST] += largest
        totals[c, TERM] += sign * occurrences
        totals[c, MESSAGE] += sign * 256 * n
        totals[c, MESSAGES] += sign * 256
        return True

    return textbook_find, textbook_learn


textbook_find, textbook_learn = _made(fingerprint(line_at, scan_text, find_all))
