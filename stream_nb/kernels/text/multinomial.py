"""The multinomial model in one call: find the words of a message, score it, compute the result (see `common.py`)."""

# pyright: basic

import math

import numpy as np

from stream_nb.kernels.jit import kernel
from stream_nb.kernels.layout import COUNT, UNIT, Size, Slot, TextResult, TextTotal
from stream_nb.kernels.text.common import slot_of, split, text_find, text_posterior
from stream_nb.kernels.workspace import array1d, array2d, nested

_TINY = 5e-324  # avoids log(0) for a class without words and without smoothing; the logarithm is not used


@kernel
def multinomial_rows(row_ids, counts, n, rows, sizes, totals, event, smoothing, smooth_unseen, log_cache, out, terms):
    """Fill out[JOINT + c] with the sum of counts * log P(word | c), KNOWN and COMPUTED of `out`, and terms[i, c], if it
    has rows.

    `event` is TERM to count occurrences, MESSAGE to count each word once. An unknown word adds nothing, or with
    `smooth_unseen` the probability of a count of 0.
    """
    live = sizes[Size.LIVE]
    some_empty = sizes[Size.USED] > live  # rows without counts are treated like unknown words
    smooth_unseen = smooth_unseen and live > 0
    mask = log_cache.shape[0] - 1
    explain = terms.shape[0] > 0
    known, computed = 0, 0
    for c in range(totals.shape[0]):
        total = float(max(totals[c, event], 0)) / UNIT  # negative if messages with evicted words were unlearned
        below = math.log(max(total + smoothing * live, _TINY))
        own = COUNT + 2 * c + event
        coarse, fine, known, possible = 0.0, 0.0, 0, True
        for i in range(n):
            row = row_ids[i]
            met = row >= 0
            if met and some_empty:
                counted = 0
                for column in range(COUNT, rows.shape[1]):
                    counted |= rows[row, column]
                met = counted != 0
            known += met
            if not met and not smooth_unseen:
                continue
            units = max(int(rows[row, own]), 0) if met else 0
            slot = slot_of(units, mask)
            if log_cache[slot, 0] != units:
                value = float(units) / UNIT + smoothing
                log_cache[slot, 0] = units
                log_cache[slot, 1] = math.log(value) if value > 0.0 else -math.inf
                computed += 1
            often = float(counts[i]) / UNIT if event == TextTotal.TERM else 1.0
            term = often * (log_cache[slot, 1] - below)
            if term > -math.inf:
                parts = split(term)
                coarse += parts[0]
                fine += parts[1]
            else:
                possible = False
            if explain:
                terms[i, c] = term
        out[TextResult.JOINT + c] = coarse + fine if possible else -math.inf
    out[TextResult.KNOWN] = known
    out[TextResult.COMPUTED] += computed


@kernel
def multinomial_score(text, parts, n, find, rows, workspace, event, smoothing, smooth_unseen, positive):
    """Score a message: fill RESULT, and TERMS if that has rows. Returns how many words the message has.

    `n` is this number, or negative if the text is to be scanned. If `find`, the rows of the words are looked up.
    """
    statistics = nested(workspace, Slot.STATISTICS)
    n = text_find(text, parts, n, find, rows, statistics)
    message, table = nested(statistics, Slot.MESSAGE), nested(statistics, Slot.TABLE)
    totals, out = array2d(statistics, Slot.TOTALS, np.int64), array1d(workspace, Slot.RESULT, np.float64)
    multinomial_rows(
        array1d(message, Slot.ROW_IDS, np.int64), array1d(message, Slot.COUNTS, np.int64), n, rows,
        array1d(table, Slot.SIZES, np.int64), totals, event, smoothing, smooth_unseen,
        array2d(workspace, Slot.LOG_CACHE, np.float64), out, array2d(workspace, Slot.TERMS, np.float64),
    )  # fmt: skip
    text_posterior(totals, array1d(workspace, Slot.PRIOR, np.float64), positive, out)
    return n
