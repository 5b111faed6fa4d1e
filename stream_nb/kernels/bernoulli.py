"""The Bernoulli model in one call: find the words of a message, score it, and read the verdict (see `textbook`)."""

import math

import numpy as np

from stream_nb.kernels.desk import line_at, sheet_at
from stream_nb.kernels.jit import fingerprint, kernel
from stream_nb.kernels.scan import scan_text
from stream_nb.kernels.table import COUNT, LIVE, USED, find_all
from stream_nb.kernels.textbook import (
    BY_ABSENT,
    BY_FOUND,
    BY_MEMO,
    BY_PRIOR,
    BY_TERMS,
    COMPUTED,
    IN_HISTOGRAMS,
    IN_ROWS,
    IN_SIZES,
    IN_TOTALS,
    JOINT,
    KNOWN,
    MESSAGE,
    MESSAGES,
    split,
    textbook_find,
    textbook_read,
    tidy_histogram,
)

ABSENT = 5
_ONE = 256.0


@kernel
def absent_sums(histograms, totals, live, smoothing, memo, out, absent):
    """absent[c] = sum over the vocabulary of log(1 - P(word | c)), how many words are left out of it, then what of
    this does not depend on other classes: the sum over the words of the class, how many they are, and as of when.

    A word that cannot be absent (smoothing 0, in every message) is left out.
    """
    mask = memo.shape[0] - 1
    classes = totals.shape[0]
    for c in range(classes):
        slots = histograms.shape[0] // classes
        histogram = histograms[c * slots : (c + 1) * slots]
        messages = totals[c, MESSAGES]
        if absent[c, 4] != histogram[0, 1]:
            coarse, fine = 0.0, 0.0
            certain, own, empty = 0, 0, 0
            for k in range(1, histogram[0, 0] + 1):
                words = histogram[k, 1]
                if words == 0:
                    empty += 1
                    continue
                own += words
                rest = messages - histogram[k, 0]
                value = float(rest) / _ONE + smoothing
                if value > 0.0:
                    slot = ((rest << 4) ^ (rest >> 8)) & mask
                    if memo[slot, 0] != rest:
                        memo[slot, 0] = rest
                        memo[slot, 1] = math.log(value)
                        out[COMPUTED] += 1
                    parts = split(float(words) * memo[slot, 1])
                    coarse += parts[0]
                    fine += parts[1]
                else:
                    certain += words
            absent[c, 1], absent[c, 2] = certain, coarse + fine
            absent[c, 3], absent[c, 4] = own, histogram[0, 1]
            if 2 * empty > histogram[0, 0]:
                tidy_histogram(histogram)
        total = absent[c, 2]
        count = float(messages) / _ONE
        if count + smoothing > 0.0:
            total += (live - absent[c, 3]) * math.log(count + smoothing)
            total -= (live - absent[c, 1]) * math.log(count + 2.0 * smoothing)
        absent[c, 0] = total


@kernel
def bernoulli_score(rows, n, cells, sizes, totals, smoothing, memo, absent, out, terms):
    """out[JOINT + c] = absent[c, 0] + sum over the words met of log P(word | c) - log(1 - P(word | c)), and what `out`
    knows of words; terms[i, c] too, if it has rows.

    With smoothing 0 a word that stands in every message of a class has no chance to be absent: the second logarithm is
    left out here as it is in absent[c, 0], and a message that lacks such a word has no chance.
    """
    some_empty = sizes[USED] > sizes[LIVE]  # rows without any count, as words never met
    mask = memo.shape[0] - 1
    explain = terms.shape[0] > 0
    known, computed = 0, 0
    for c in range(totals.shape[0]):
        messages = totals[c, MESSAGES]
        own = COUNT + 2 * c + MESSAGE
        coarse, fine, known, everywhere, possible = 0.0, 0.0, 0, 0, True
        for i in range(n):
            row = rows[i]
            if row < 0:
                continue
            if some_empty:
                counted = 0
                for column in range(COUNT, cells.shape[1]):
                    counted |= cells[row, column]
                if counted == 0:
                    continue
            known += 1
            with_word = max(int(cells[row, own]), 0)
            without = messages - with_word
            certain = float(without) / _ONE + smoothing <= 0.0
            term = 0.0
            for side in range(1 if certain else 2):
                units = without if side else with_word
                slot = ((units << 4) ^ (units >> 8)) & mask
                if memo[slot, 0] != units:
                    value = float(units) / _ONE + smoothing
                    memo[slot, 0] = units
                    memo[slot, 1] = math.log(value) if value > 0.0 else -math.inf
                    computed += 1
                term = term - memo[slot, 1] if side else memo[slot, 1]
            if certain:
                everywhere += 1
                if messages > 0:  # decay may leave a class with words and no message
                    term -= math.log(float(messages) / _ONE)
            if term > -math.inf:
                parts = split(term)
                coarse += parts[0]
                fine += parts[1]
            else:
                possible = False
            if explain:
                terms[i, c] = term
        possible = possible and absent[c, 1] == everywhere
        out[JOINT + c] = coarse + fine + absent[c, 0] if possible else -math.inf
    out[KNOWN] = known
    out[COMPUTED] += computed


def _made(code):
    @kernel
    def bernoulli_look(text, parts, n, find, cells, places, smoothing, own, positive):
        """Find what a message is, by what lies on the desk `own`; returns how many words it has.

        They are `n`, unless it is less than 0: then the text is scanned. With `find`, their rows are not known yet.
        """
        code  # noqa: B018
        n = textbook_find(text, parts, n, find, cells, places)
        totals, sizes = sheet_at(places, IN_TOTALS, np.int64), line_at(places, IN_SIZES, np.int64)
        memo, absent = sheet_at(own, BY_MEMO, np.float64), sheet_at(own, BY_ABSENT, np.float64)
        out, terms = line_at(own, BY_FOUND, np.float64), sheet_at(own, BY_TERMS, np.float64)
        absent_sums(
            sheet_at(places, IN_HISTOGRAMS, np.int64), totals, sizes[LIVE], smoothing, memo, out, absent
        )  # fmt: skip
        rows = line_at(places, IN_ROWS, np.int64)
        bernoulli_score(rows, n, cells, sizes, totals, smoothing, memo, absent, out, terms)
        textbook_read(totals, line_at(own, BY_PRIOR, np.float64), positive, out)
        return n

    return bernoulli_look


bernoulli_look = _made(fingerprint(line_at, scan_text, find_all, textbook_find))
