"""The multinomial model in one call: find the words of a message, score it, read the verdict (see `text_common`)."""

import math

import numpy as np

from stream_nb.kernels import UNIT
from stream_nb.kernels.jit import fingerprint, kernel
from stream_nb.kernels.table import COUNT, LIVE, USED, find_all
from stream_nb.kernels.text_common import (
    BY_LOG_CACHE,
    BY_PRIOR,
    BY_RESULT,
    BY_TERMS,
    COMPUTED,
    IN_COUNTS,
    IN_ROW_IDS,
    IN_SIZES,
    IN_TOTALS,
    JOINT,
    KNOWN,
    TERM,
    text_find,
    text_posterior,
)
from stream_nb.kernels.tokenize import scan_text
from stream_nb.kernels.workspace import array1d, array2d

_TINY = 5e-324  # the sum of a class without words and without smoothing: never read


@kernel
def multinomial_rows(row_ids, counts, n, rows, sizes, totals, event, smoothing, smooth_unseen, log_cache, out, terms):
    """out[JOINT + c] = sum of counts * log P(word | c), and what `out` knows of words; terms[i, c] too, if it has rows.

    `event` TERM takes occurrences, MESSAGE presence (every word once). A word never met adds nothing, or with
    `smooth_unseen` the probability of a count of 0.
    """
    live = sizes[LIVE]
    some_empty = sizes[USED] > live  # rows without any count, as words never met
    smooth_unseen = smooth_unseen and live > 0
    mask = log_cache.shape[0] - 1
    explain = terms.shape[0] > 0
    known, computed = 0, 0
    for c in range(totals.shape[0]):
        below = math.log(max(float(totals[c, event]) / UNIT + smoothing * live, _TINY))
        own = COUNT + 2 * c + event
        total, known = 0.0, 0
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
            slot = ((units << 4) ^ (units >> 8)) & mask
            if log_cache[slot, 0] != units:
                value = float(units) / UNIT + smoothing
                log_cache[slot, 0] = units
                log_cache[slot, 1] = math.log(value) if value > 0.0 else -math.inf
                computed += 1
            often = float(counts[i]) / UNIT if event == TERM else 1.0
            term = often * (log_cache[slot, 1] - below)
            total += term
            if explain:
                terms[i, c] = term
        out[JOINT + c] = total
    out[KNOWN] = known
    out[COMPUTED] += computed


def _made(code):
    @kernel
    def multinomial_score(text, parts, n, find, rows, places, event, smoothing, smooth_unseen, own, positive):
        """Find what a message is, by what lies on the workspace `own`; returns how many words it has.

        They are `n`, unless it is less than 0: then the text is scanned. With `find`, their rows are not known yet.
        """
        code  # noqa: B018
        n = text_find(text, parts, n, find, rows, places)
        totals, log_cache = array2d(places, IN_TOTALS, np.int64), array2d(own, BY_LOG_CACHE, np.float64)
        out, terms = array1d(own, BY_RESULT, np.float64), array2d(own, BY_TERMS, np.float64)
        multinomial_rows(
            array1d(places, IN_ROW_IDS, np.int64), array1d(places, IN_COUNTS, np.int64), n, rows,
            array1d(places, IN_SIZES, np.int64), totals, event, smoothing, smooth_unseen, log_cache, out, terms,
        )  # fmt: skip
        text_posterior(totals, array1d(own, BY_PRIOR, np.float64), positive, out)
        return n

    return multinomial_score


multinomial_score = _made(fingerprint(array1d, scan_text, find_all, text_find))
