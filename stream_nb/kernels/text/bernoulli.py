"""The Bernoulli model in one call: find the words of a message, score it, compute the result (see `common.py`)."""

# pyright: basic

import math

import numpy as np

from stream_nb.kernels.jit import kernel
from stream_nb.kernels.layout import COUNT, UNIT, Absent, Size, Slot, TextResult, TextTotal
from stream_nb.kernels.text.common import compact_histogram, slot_of, split, text_find, text_posterior
from stream_nb.kernels.workspace import array1d, array2d, nested


@kernel
def absent_sums(histograms, totals, live, smoothing, log_cache, out, absent):
    """Fill absent[c] (see `layout.Absent`). Everything in it but SUM is independent of other classes, and cached.

    A word that cannot be absent (smoothing 0, in every message) is left out. If messages were unlearned after an
    eviction or a decay, a word may have less than 0 messages, or more than its class: here and in `bernoulli_rows`
    these read as 0 and as those of the class.
    """
    mask = log_cache.shape[0] - 1
    classes = totals.shape[0]
    for c in range(classes):
        slots = histograms.shape[0] // classes
        histogram = histograms[c * slots : (c + 1) * slots]
        messages = totals[c, TextTotal.MESSAGES]
        if absent[c, Absent.STATE] != histogram[0, 1]:
            coarse, fine = 0.0, 0.0
            certain, own, empty = 0, 0, 0
            for k in range(1, histogram[0, 0] + 1):
                words = histogram[k, 1]
                if words == 0:
                    empty += 1
                    continue
                own += words
                rest = max(messages - max(histogram[k, 0], 0), 0)
                value = float(rest) / UNIT + smoothing
                if value > 0.0:
                    slot = slot_of(rest, mask)
                    if log_cache[slot, 0] != rest:
                        log_cache[slot, 0] = rest
                        log_cache[slot, 1] = math.log(value)
                        out[TextResult.COMPUTED] += 1
                    parts = split(float(words) * log_cache[slot, 1])
                    coarse += parts[0]
                    fine += parts[1]
                else:
                    certain += words
            absent[c, Absent.CERTAIN], absent[c, Absent.OWN_SUM] = certain, coarse + fine
            absent[c, Absent.OWN_WORDS], absent[c, Absent.STATE] = own, histogram[0, 1]
            if 2 * empty > histogram[0, 0]:
                compact_histogram(histogram)
        total = absent[c, Absent.OWN_SUM]
        count = float(messages) / UNIT
        if count + smoothing > 0.0:
            total += (live - absent[c, Absent.OWN_WORDS]) * math.log(count + smoothing)
            total -= (live - absent[c, Absent.CERTAIN]) * math.log(count + 2.0 * smoothing)
        absent[c, Absent.SUM] = total


@kernel
def bernoulli_rows(row_ids, n, rows, sizes, totals, smoothing, log_cache, absent, out, terms):
    """Fill out[JOINT + c] with absent[c, SUM] + the sum of log P(word | c) - log(1 - P(word | c)) over the known words,
    KNOWN and COMPUTED of `out`, and terms[i, c], if it has rows.

    With smoothing 0, a word that occurs in every message of a class cannot be absent. The second logarithm is then left
    out here, as it is in absent[c, SUM], and a message without that word has probability 0.
    """
    some_empty = sizes[Size.USED] > sizes[Size.LIVE]  # rows without counts are treated like unknown words
    mask = log_cache.shape[0] - 1
    explain = terms.shape[0] > 0
    known, computed = 0, 0
    for c in range(totals.shape[0]):
        messages = totals[c, TextTotal.MESSAGES]
        own = COUNT + 2 * c + TextTotal.MESSAGE
        coarse, fine, known, everywhere, possible = 0.0, 0.0, 0, 0, True
        for i in range(n):
            row = row_ids[i]
            if row < 0:
                continue
            if some_empty:
                counted = 0
                for column in range(COUNT, rows.shape[1]):
                    counted |= rows[row, column]
                if counted == 0:
                    continue
            known += 1
            with_word = max(int(rows[row, own]), 0)
            without = max(messages - with_word, 0)
            certain = float(without) / UNIT + smoothing <= 0.0
            term = 0.0
            for side in range(1 if certain else 2):
                units = without if side else with_word
                slot = slot_of(units, mask)
                if log_cache[slot, 0] != units:
                    value = float(units) / UNIT + smoothing
                    log_cache[slot, 0] = units
                    log_cache[slot, 1] = math.log(value) if value > 0.0 else -math.inf
                    computed += 1
                term = term - log_cache[slot, 1] if side else log_cache[slot, 1]
            if certain:
                everywhere += 1
                if messages > 0:  # decay may leave a class with words but no messages
                    term -= math.log(float(messages) / UNIT)
            if term > -math.inf:
                parts = split(term)
                coarse += parts[0]
                fine += parts[1]
            else:
                possible = False
            if explain:
                terms[i, c] = term
        possible = possible and absent[c, Absent.CERTAIN] == everywhere
        out[TextResult.JOINT + c] = coarse + fine + absent[c, Absent.SUM] if possible else -math.inf
    out[TextResult.KNOWN] = known
    out[TextResult.COMPUTED] += computed


@kernel
def bernoulli_score(text, parts, n, find, rows, workspace, smoothing, positive):
    """Score a message: fill RESULT, and TERMS if that has rows. Returns how many words the message has.

    `n` is this number, or negative if the text is to be scanned. If `find`, the rows of the words are looked up.
    """
    statistics = nested(workspace, Slot.STATISTICS)
    n = text_find(text, parts, n, find, rows, statistics)
    totals, absent = array2d(statistics, Slot.TOTALS, np.int64), array2d(workspace, Slot.ABSENT, np.float64)
    sizes = array1d(nested(statistics, Slot.TABLE), Slot.SIZES, np.int64)
    log_cache, out = array2d(workspace, Slot.LOG_CACHE, np.float64), array1d(workspace, Slot.RESULT, np.float64)
    histograms = array2d(statistics, Slot.HISTOGRAMS, np.int64)
    absent_sums(histograms, totals, sizes[Size.LIVE], smoothing, log_cache, out, absent)
    row_ids = array1d(nested(statistics, Slot.MESSAGE), Slot.ROW_IDS, np.int64)
    terms = array2d(workspace, Slot.TERMS, np.float64)
    bernoulli_rows(row_ids, n, rows, sizes, totals, smoothing, log_cache, absent, out, terms)
    text_posterior(totals, array1d(workspace, Slot.PRIOR, np.float64), positive, out)
    return n
