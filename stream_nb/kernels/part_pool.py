"""What each part of a message alone predicted of past labels -> what it weighs beside the others.

The pool counts labels by the margins of the parts, in 1/256 of a message; its arrays are in the workspace of a
`PartPool`. POOL_FILLED begins with the cells of POOL_COUNTS that are not 0, in their order, and then -1. The cells from
STARTER_CELLS on are for a model and its starter (`kernels.starter`).
"""

# pyright: basic

import math

import numpy as np

from stream_nb.kernels.jit import inlined, kernel
from stream_nb.kernels.layout import FEATURE_ROOM, PARTS, POOL_BINS, STARTER_CELLS, UNIT, PartWeight, Place
from stream_nb.kernels.workspace import array1d

_PRIOR_WORDS, _PRIOR_FEATURES = 3.5, 0.5
_NEWTON = 5
BIN = 8.0 / (POOL_BINS - 1)
"""How wide a bin of margins is."""


@kernel
def list_filled(workspace):
    """Fill POOL_FILLED, and note that the weights are out of date."""
    pool, filled = array1d(workspace, Place.POOL_COUNTS, np.int64), array1d(workspace, Place.POOL_FILLED, np.int64)
    n = 0
    for cell in range(pool.shape[0]):
        if pool[cell] != 0:
            filled[n] = cell
            n += 1
    filled[n] = -1
    array1d(workspace, Place.PART_WEIGHTS, np.float64)[PartWeight.CLASSES] = 0.0


@kernel
def add_to_pool(cell, units, workspace):
    """Count a label in a cell, in 1/256 of a message; less than 0 takes it back."""
    pool = array1d(workspace, Place.POOL_COUNTS, np.int64)
    before = pool[cell]
    pool[cell] = before + units
    if before == 0 or before + units == 0:
        list_filled(workspace)
    array1d(workspace, Place.PART_WEIGHTS, np.float64)[PartWeight.CLASSES] = 0.0


@inlined
def pool_bin(scores, order, column):
    """The bin of the margin that the scores of a part give class number `column` (-1: one that is not there yet).

    A part's margin is its score of the class against the log of the mean of exp(score) of the others: against the best
    of many it would be below 0 for a part that is right more often than chance, and seldom quite right.
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
    """The place in the pool of a label: of class number `column` (-1: one that is not there yet)."""
    place = 0
    for p in range(PARTS):
        place = place * POOL_BINS + pool_bin(terms[FEATURE_ROOM + p], order, column)
    return place


@inlined
def _fill_odds(a, classes, odds):
    """odds[p, k]: by how much a margin of part p in bin k multiplies the odds against a label, with these slopes; those
    of words begin with the odds of a guess."""
    for part in range(PARTS):
        up = math.exp(a[part] * BIN)
        odds[part, POOL_BINS // 2] = max(classes - 1, 1) if part == 0 else 1.0
        for k in range(POOL_BINS // 2):
            odds[part, POOL_BINS // 2 - k - 1] = odds[part, POOL_BINS // 2 - k] * up
            odds[part, POOL_BINS // 2 + k + 1] = odds[part, POOL_BINS // 2 + k] / up


@kernel
def part_weights(classes, workspace):
    """PART_WEIGHTS, after they have been fitted if they are out of date: what numbers and categories weigh against
    words (1).

    POOL_COUNTS counts labels by the margins that the parts alone gave the labelled class, when it was learned (see
    `pool_cell`), each from -4 to 4 in POOL_BINS. With margins m the label is right with probability
    1 / (1 + (classes - 1) exp(-a m)), so that a part that says nothing leaves each class the same; a is the maximum of
    its likelihood over all labels, with normal priors of variance 1, by Newton's method from the prior's means: equal
    counts give equal bits. The weights are a over that of words, and not less than 0.
    """
    weights = array1d(workspace, Place.PART_WEIGHTS, np.float64)
    if weights[PartWeight.CLASSES] == classes:
        return weights
    pool, filled = array1d(workspace, Place.POOL_COUNTS, np.int64), array1d(workspace, Place.POOL_FILLED, np.int64)
    a = np.array([_PRIOR_WORDS, _PRIOR_FEATURES, _PRIOR_FEATURES])
    odds = np.empty((PARTS, POOL_BINS))
    for _ in range(_NEWTON):
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
        a[0] = min(max(a[0] + (c00 * g0 + c01 * g1 + c02 * g2) / det, 0.1), 50.0)
        a[1] = min(max(a[1] + (c01 * g0 + c11 * g1 + c12 * g2) / det, 0.0), 50.0)
        a[2] = min(max(a[2] + (c02 * g0 + c12 * g1 + c22 * g2) / det, 0.0), 50.0)
    weights[PartWeight.NUMBERS], weights[PartWeight.CATEGORIES] = a[1] / a[0], a[2] / a[0]
    weights[PartWeight.CLASSES] = classes
    return weights
