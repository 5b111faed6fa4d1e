"""The multinomial model in one call: find the words of a message, score it, and read the verdict (see `textbook`)."""

import math

import numpy as np

from stream_nb.kernels.desk import line_at, sheet_at
from stream_nb.kernels.jit import fingerprint, kernel
from stream_nb.kernels.scan import scan_text
from stream_nb.kernels.table import COUNT, LIVE, USED, find_all
from stream_nb.kernels.textbook import (
    BY_FOUND,
    BY_MEMO,
    BY_PRIOR,
    BY_TERMS,
    COMPUTED,
    IN_ROWS,
    IN_SIZES,
    IN_TIMES,
    IN_TOTALS,
    JOINT,
    KNOWN,
    TERM,
    split,
    textbook_find,
    textbook_read,
)

_ONE = 256.0
_TINY = 5e-324  # the sum of a class without words and without smoothing: never read


@kernel
def multinomial_score(rows, times, n, cells, sizes, totals, event, smoothing, smooth_unseen, memo, out, terms):
    """out[JOINT + c] = sum of times * log P(word | c), and what `out` knows of words; terms[i, c] too, if it has rows.

    `event` TERM takes occurrences, MESSAGE presence (every word once). A word never met adds nothing, or with
    `smooth_unseen` the probability of a count of 0.
    """
    live = sizes[LIVE]
    some_empty = sizes[USED] > live  # rows without any count, as words never met
    smooth_unseen = smooth_unseen and live > 0
    mask = memo.shape[0] - 1
    explain = terms.shape[0] > 0
    known, computed = 0, 0
    for c in range(totals.shape[0]):
        below = math.log(max(float(totals[c, event]) / _ONE + smoothing * live, _TINY))
        own = COUNT + 2 * c + event
        coarse, fine, known, possible = 0.0, 0.0, 0, True
        for i in range(n):
            row = rows[i]
            met = row >= 0
            if met and some_empty:
                counted = 0
                for column in range(COUNT, cells.shape[1]):
                    counted |= cells[row, column]
                met = counted != 0
            known += met
            if not met and not smooth_unseen:
                continue
            units = max(int(cells[row, own]), 0) if met else 0
            slot = ((units << 4) ^ (units >> 8)) & mask
            if memo[slot, 0] != units:
                value = float(units) / _ONE + smoothing
                memo[slot, 0] = units
                memo[slot, 1] = math.log(value) if value > 0.0 else -math.inf
                computed += 1
            often = float(times[i]) / _ONE if event == TERM else 1.0
            term = often * (memo[slot, 1] - below)
            if term > -math.inf:
                parts = split(term)
                coarse += parts[0]
                fine += parts[1]
            else:
                possible = False
            if explain:
                terms[i, c] = term
        out[JOINT + c] = coarse + fine if possible else -math.inf
    out[KNOWN] = known
    out[COMPUTED] += computed


def _made(code):
    @kernel
    def multinomial_look(text, parts, n, find, cells, places, event, smoothing, smooth_unseen, own, positive):
        """Find what a message is, by what lies on the desk `own`; returns how many words it has.

        They are `n`, unless it is less than 0: then the text is scanned. With `find`, their rows are not known yet.
        """
        code  # noqa: B018
        n = textbook_find(text, parts, n, find, cells, places)
        totals, memo = sheet_at(places, IN_TOTALS, np.int64), sheet_at(own, BY_MEMO, np.float64)
        out, terms = line_at(own, BY_FOUND, np.float64), sheet_at(own, BY_TERMS, np.float64)
        multinomial_score(
            line_at(places, IN_ROWS, np.int64), line_at(places, IN_TIMES, np.int64), n, cells,
            line_at(places, IN_SIZES, np.int64), totals, event, smoothing, smooth_unseen, memo, out, terms,
        )  # fmt: skip
        textbook_read(totals, line_at(own, BY_PRIOR, np.float64), positive, out)
        return n

    return multinomial_look


multinomial_look = _made(fingerprint(line_at, scan_text, find_all, textbook_find))
