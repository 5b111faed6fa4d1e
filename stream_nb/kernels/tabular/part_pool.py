"""What each part of a message alone predicted for past labels -> the weight of the part.

The pool counts labels by the margins of the parts, in 1/256 of a message; its arrays are in the workspace of a
`PartPool`. POOL_FILLED lists the nonzero cells of POOL_COUNTS in order, then -1. The cells from STARTER_CELLS on are
for a model and its starter (`kernels.mail_nb.starter`).
"""

# pyright: basic

import math

import numpy as np

from stream_nb.kernels.jit import inlined, kernel
from stream_nb.kernels.layout import FEATURE_ROOM, PARTS, POOL_BINS, STARTER_CELLS, UNIT, PartWeight, Slot
from stream_nb.kernels.workspace import array1d

_PRIOR_WORDS, _PRIOR_FEATURES = 3.5, 0.5
_STEPS, _STRIDE = 10, 2.0
BIN = 8.0 / (POOL_BINS - 1)
"""The width of a bin of margins."""


@kernel
def list_filled(workspace):
    """Fill POOL_FILLED, and mark the weights as out of date."""
    pool, filled = array1d(workspace, Slot.POOL_COUNTS, np.int64), array1d(workspace, Slot.POOL_FILLED, np.int64)
    n = 0
    for cell in range(pool.shape[0]):
        if pool[cell] != 0:
            filled[n] = cell
            n += 1
    filled[n] = -1
    array1d(workspace, Slot.PART_WEIGHTS, np.float64)[PartWeight.CLASSES] = 0.0


@kernel
def add_to_pool(cell, units, workspace):
    """Add a label to a cell, in 1/256 of a message; negative `units` subtract it."""
    pool = array1d(workspace, Slot.POOL_COUNTS, np.int64)
    before = pool[cell]
    pool[cell] = before + units
    if before == 0 or before + units == 0:
        list_filled(workspace)
    array1d(workspace, Slot.PART_WEIGHTS, np.float64)[PartWeight.CLASSES] = 0.0


@inlined
def pool_bin(scores, order, column):
    """Return the bin of the margin of class number `column` (-1: a new class) by the scores of a part.

    The margin is the part's score of the class, less the log of the mean of exp(score) over the other classes. Against
    the best of many others, the margin of a part that is right only a little more often than chance would be negative.
    """
    classes = scores.shape[0]
    rival = -math.inf
    for c in range(classes):
        if c != column:
            rival = max(rival, scores[c])
    margin = 0.0
    if column >= 0 and rival > -math.inf:
        margin = scores[column] - rival
        if classes > 2:
            mass = 0.0
            for c in order:
                if c != column:
                    mass += math.exp(scores[c] - rival)
            margin -= math.log(mass / (classes - 1))
    k = math.floor(margin / BIN + 0.5) + POOL_BINS // 2
    return min(max(k, 0), POOL_BINS - 1)


@kernel
def pool_cell(terms, order, column):
    """Return the cell of the pool for a label of class number `column` (-1: a new class)."""
    cell = 0
    for p in range(PARTS):
        cell = cell * POOL_BINS + pool_bin(terms[FEATURE_ROOM + p], order, column)
    return cell


@inlined
def _fill_odds(a, classes, odds):
    """Fill odds[p, k] with the factor by which a margin of part p in bin k changes the odds against a label, for slopes
    `a`. The factors of words include the prior odds of a random guess."""
    for part in range(PARTS):
        up = math.exp(a[part] * BIN)
        odds[part, POOL_BINS // 2] = max(classes - 1, 1) if part == 0 else 1.0
        for k in range(POOL_BINS // 2):
            odds[part, POOL_BINS // 2 - k - 1] = odds[part, POOL_BINS // 2 - k] * up
            odds[part, POOL_BINS // 2 + k + 1] = odds[part, POOL_BINS // 2 + k] / up


@kernel
def part_weights(classes, workspace):
    """Return PART_WEIGHTS, the weights of numbers and categories relative to words (1); fit them if out of date.

    POOL_COUNTS counts labels by the margins of the labelled class by each part alone, at the time of learning (see
    `pool_cell`), each from -4 to 4 in POOL_BINS. Given margins m, a label is right with probability
    1 / (1 + (classes - 1) exp(-a m)), so that a part that says nothing makes all classes equally likely. The slopes a
    maximize the likelihood of all labels with normal priors of variance 1, by Newton's method from the means of the
    priors, so that equal counts give equal bits, in steps of at most 2: from so far off, a full step may lead beyond
    the maximum. A weight is the slope of its part over that of words, at least 0.
    """
    weights = array1d(workspace, Slot.PART_WEIGHTS, np.float64)
    if weights[PartWeight.CLASSES] == classes:
        return weights
    pool, filled = array1d(workspace, Slot.POOL_COUNTS, np.int64), array1d(workspace, Slot.POOL_FILLED, np.int64)
    a = np.array([_PRIOR_WORDS, _PRIOR_FEATURES, _PRIOR_FEATURES])
    odds = np.empty((PARTS, POOL_BINS))
    for _ in range(_STEPS):
        _fill_odds(a, classes, odds)
        g0, g1, g2 = _PRIOR_WORDS - a[0], _PRIOR_FEATURES - a[1], _PRIOR_FEATURES - a[2]
        h00, h11, h22, h01, h02, h12 = 1.0, 1.0, 1.0, 0.0, 0.0, 0.0
        for cell in filled:
            if cell < 0 or cell >= STARTER_CELLS:
                break
            i, j, k = cell // (POOL_BINS * POOL_BINS), cell // POOL_BINS % POOL_BINS, cell % POOL_BINS
            x, y, z = (i - POOL_BINS // 2) * BIN, (j - POOL_BINS // 2) * BIN, (k - POOL_BINS // 2) * BIN
            count = float(max(pool[cell], 0)) / UNIT
            p = 1.0 / (1.0 + odds[0, i] * odds[1, j] * odds[2, k])
            gain, bend = count * (1.0 - p), count * p * (1.0 - p)
            g0 += gain * x
            g1 += gain * y
            g2 += gain * z
            h00 += bend * x * x
            h11 += bend * y * y
            h22 += bend * z * z
            h01 += bend * x * y
            h02 += bend * x * z
            h12 += bend * y * z
        c00, c01, c02 = h11 * h22 - h12 * h12, h02 * h12 - h01 * h22, h01 * h12 - h02 * h11
        c11, c12, c22 = h00 * h22 - h02 * h02, h01 * h02 - h00 * h12, h00 * h11 - h01 * h01
        det = h00 * c00 + h01 * c01 + h02 * c02
        steps = (c00 * g0 + c01 * g1 + c02 * g2, c01 * g0 + c11 * g1 + c12 * g2, c02 * g0 + c12 * g1 + c22 * g2)
        for part in range(PARTS):
            step = min(max(steps[part] / det, -_STRIDE), _STRIDE)
            a[part] = min(max(a[part] + step, 0.1 if part == 0 else 0.0), 50.0)
    weights[PartWeight.NUMBERS], weights[PartWeight.CATEGORIES] = a[1] / a[0], a[2] / a[0]
    weights[PartWeight.CLASSES] = classes
    return weights
