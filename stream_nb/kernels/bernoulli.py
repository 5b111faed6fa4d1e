"""The Bernoulli model in one call: find the words of a message, score it, and read the verdict (see `text_common`)."""

import math

import numpy as np

from stream_nb.kernels import UNIT
from stream_nb.kernels.jit import fingerprint, kernel
from stream_nb.kernels.table import COUNT, LIVE, USED, find_all
from stream_nb.kernels.text_common import (
    BY_ABSENT,
    BY_LOG_CACHE,
    BY_PRIOR,
    BY_RESULT,
    BY_TERMS,
    COMPUTED,
    IN_HISTOGRAMS,
    IN_ROW_IDS,
    IN_SIZES,
    IN_TOTALS,
    JOINT,
    KNOWN,
    MESSAGE,
    MESSAGES,
    text_find,
    text_posterior,
    tidy_histogram,
)
from stream_nb.kernels.tokenize import scan_text
from stream_nb.kernels.workspace import array1d, array2d

ABSENT = 5


@kernel
def absent_sums(histograms, totals, live, smoothing, log_cache, out, absent):
    """absent[c] = sum over the vocabulary of log(1 - P(word | c)), how many words are left out of it, then what of
    this does not depend on other classes: the sum over the words of the class, how many they are, and as of when.

    A word that cannot be absent (smoothing 0, in every message) is left out.
    """
    mask = log_cache.shape[0] - 1
    classes = totals.shape[0]
    for c in range(classes):
        slots = histograms.shape[0] // classes
        histogram = histograms[c * slots : (c + 1) * slots]
        messages = totals[c, MESSAGES]
        if absent[c, 4] != histogram[0, 1]:
            total = 0.0
            certain, own, empty = 0, 0, 0
            for k in range(1, histogram[0, 0] + 1):
                words = histogram[k, 1]
                if words == 0:
                    empty += 1
                    continue
                own += words
                rest = messages - histogram[k, 0]
                value = float(rest) / UNIT + smoothing
                if value > 0.0:
                    slot = ((rest << 4) ^ (rest >> 8)) & mask
                    if log_cache[slot, 0] != rest:
                        log_cache[slot, 0] = rest
                        log_cache[slot, 1] = math.log(value)
                        out[COMPUTED] += 1
                    total += float(words) * log_cache[slot, 1]
                else:
                    certain += words
            absent[c, 1], absent[c, 2], absent[c, 3], absent[c, 4] = certain, total, own, histogram[0, 1]
            if 2 * empty > histogram[0, 0]:
                tidy_histogram(histogram)
        total = absent[c, 2]
        count = float(messages) / UNIT
        if count + smoothing > 0.0:
            total += (live - absent[c, 3]) * math.log(count + smoothing)
            total -= (live - absent[c, 1]) * math.log(count + 2.0 * smoothing)
        absent[c, 0] = total


@kernel
def bernoulli_rows(row_ids, n, rows, sizes, totals, smoothing, log_cache, absent, out, terms):
    """out[JOINT + c] = absent[c, 0] + sum over the words met of log P(word | c) - log(1 - P(word | c)), and what `out`
    knows of words; terms[i, c] too, if it has rows.

    With smoothing 0 a word that stands in every message of a class has no chance to be absent: the second logarithm is
    left out here as it is in absent[c, 0], and a message that lacks such a word has no chance.
    """
    some_empty = sizes[USED] > sizes[LIVE]  # rows without any count, as words never met
    mask = log_cache.shape[0] - 1
    explain = terms.shape[0] > 0
    known, computed = 0, 0
    for c in range(totals.shape[0]):
        messages = totals[c, MESSAGES]
        own = COUNT + 2 * c + MESSAGE
        total, known, everywhere = 0.0, 0, 0
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
            without = messages - with_word
            certain = float(without) / UNIT + smoothing <= 0.0
            term = 0.0
            for side in range(1 if certain else 2):
                units = without if side else with_word
                slot = ((units << 4) ^ (units >> 8)) & mask
                if log_cache[slot, 0] != units:
                    value = float(units) / UNIT + smoothing
                    log_cache[slot, 0] = units
                    log_cache[slot, 1] = math.log(value) if value > 0.0 else -math.inf
                    computed += 1
                term = term - log_cache[slot, 1] if side else log_cache[slot, 1]
            if certain:
                everywhere += 1
                if messages > 0:  # decay may leave a class with words and no message
                    term -= math.log(float(messages) / UNIT)
            total += term
            if explain:
                terms[i, c] = term
        out[JOINT + c] = total + (absent[c, 0] if absent[c, 1] == everywhere else -math.inf)
    out[KNOWN] = known
    out[COMPUTED] += computed


def _made(code):
    @kernel
    def bernoulli_score(text, parts, n, find, rows, places, smoothing, own, positive):
        """Find what a message is, by what lies on the workspace `own`; returns how many words it has.

        They are `n`, unless it is less than 0: then the text is scanned. With `find`, their rows are not known yet.
        """
        code  # noqa: B018
        n = text_find(text, parts, n, find, rows, places)
        totals, sizes = array2d(places, IN_TOTALS, np.int64), array1d(places, IN_SIZES, np.int64)
        log_cache, absent = array2d(own, BY_LOG_CACHE, np.float64), array2d(own, BY_ABSENT, np.float64)
        out, terms = array1d(own, BY_RESULT, np.float64), array2d(own, BY_TERMS, np.float64)
        absent_sums(
            array2d(places, IN_HISTOGRAMS, np.int64), totals, sizes[LIVE], smoothing, log_cache, out, absent
        )  # fmt: skip
        row_ids = array1d(places, IN_ROW_IDS, np.int64)
        bernoulli_rows(row_ids, n, rows, sizes, totals, smoothing, log_cache, absent, out, terms)
        text_posterior(totals, array1d(own, BY_PRIOR, np.float64), positive, out)
        return n

    return bernoulli_score


bernoulli_score = _made(fingerprint(array1d, scan_text, find_all, text_find))
