"""The stretch of a mail that speaks most for a class, so that good words before or after a message do not hide it.

A mail's score is divided by a power of its length. So ham words that are added to a spam act twice: they count for ham,
and the words of the spam count less. Therefore a mail scores at least as much as each stretch of it, less

    0.7 + 0.4 log(W / w),    with w the weights of the stretch's features, W those of the mail's

because the best of many stretches scores higher than the whole mail by chance, too, the more so the smaller it is. Of a
result above 0 only a tenth counts, so that ham that quotes spam does not rank with spam.

`python -m tests.benchmarks.attacks` measures what it takes to hide a spam. Tried and worse: the best stretch less the
worst one; more or smaller pieces; the same penalty for all stretches; a result above 0 in full; less weight for strong
ham words.
"""

# pyright: basic

import math

import numpy as np

from stream_nb.kernels.features.table import first_gram
from stream_nb.kernels.jit import inlined, kernel

_PIECES = 6  # into which a mail is cut, at most; a stretch is one or more consecutive pieces
_LEAST = 75  # features per piece, at least
_PENALTY, _PENALTY_OF_LOG = 0.7, 0.4
_BEYOND = 0.1


@inlined
def section_bounds(token_spans, n):
    """Return where each section of a mail of n features begins, and n. The sections are its pieces (none if it is too
    short), the features in no piece, and its character n-grams. Words after the last pair are in no piece, because
    counted words have no order."""
    words = first_gram(token_spans, n)
    ordered = words
    while ordered > 0 and token_spans[ordered - 1, 2] >= 0:
        ordered -= 1
    pieces = min(ordered // _LEAST, _PIECES)
    if pieces < 2:
        pieces, ordered = 0, 0
    bounds = np.empty(pieces + 3, np.int64)
    for k in range(pieces):
        bounds[k] = ordered * k // pieces
    bounds[pieces], bounds[pieces + 1], bounds[pieces + 2] = ordered, words, n
    return bounds


@kernel
def best_stretch(sums, weights, pieces, half, damping, bias):
    """Return (score, first piece, end, factor, offset) of the best stretch of pieces, with score = factor x the sum of
    their `sums` + offset. A stretch has the damped terms `half` x sums / (weights + 1)^damping."""
    whole = 0.0
    for k in range(pieces):
        whole += weights[k]
    log_whole = math.log(whole + 1.0)
    best, first, end, factor, offset = -math.inf, 0, 0, 0.0, 0.0
    for begin in range(pieces):
        total, weight = 0.0, 0.0
        for last in range(begin, pieces):
            total += sums[last]
            weight += weights[last]
            log_weight = math.log(weight + 1.0)
            damp = half * math.exp(-damping * log_weight)
            added = bias - _PENALTY - _PENALTY_OF_LOG * (log_whole - log_weight)
            if total * damp + added > best:
                best, first, end, factor, offset = total * damp + added, begin, last + 1, damp, added
    if best > 0.0:
        best, factor, offset = _BEYOND * best, _BEYOND * factor, _BEYOND * offset
    return best, first, end, factor, offset
