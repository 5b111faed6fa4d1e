"""The score of a message by a model's own counts and a share of its starter's, and how large this share is.

The share is learned. A pool counts what the own counts alone and the starter alone predicted for past labels, as
`kernels.tabular.part_pool` does for the parts of a message; its arrays are in the workspace of a `PartPool`.
"""

# pyright: basic

import math

import numpy as np

from stream_nb.kernels.features.table import find_all
from stream_nb.kernels.jit import kernel
from stream_nb.kernels.layout import COUNT, POOL_BINS, STARTER_CELLS, UNIT, MailResult, MailTotal, Size, Slot
from stream_nb.kernels.mail_nb.score import read_scores, score_rows
from stream_nb.kernels.tabular.part_pool import BIN, pool_bin
from stream_nb.kernels.workspace import array1d, array2d, nested

SCORES = int(MailResult.SCORES)
MASS = int(MailTotal.MASS)
_PRIOR, _VARIANCE = 3.5, 4.0
_STEPS, _STRIDE = 10, 2.0
_LABELS = 200.0  # that all of a starter's counts are worth


@kernel
def starter_share(classes, workspace):
    """Return the share of a starter's counts to use, 0 to 1, by the labels so far.

    With m the margin of the labelled class by the own counts alone, and s that by the starter alone, a label is right
    with probability 1 / (1 + (classes - 1) exp(-a m - b s)). a and b maximize the likelihood of all labels, with normal
    priors of mean 3.5 and variance 4, by Newton's method from the means, in steps of at most 2. The share is
    min(b / a, 1), with b at least 0: a starter that predicts as well as the own counts, or better, is used in full.

    With a smaller variance for a, wrong labels, which contradict both, would be blamed on the starter. With variance 1
    for both, a starter whose labels are swapped costs twice as many errors.
    """
    pool, filled = array1d(workspace, Slot.POOL_COUNTS, np.int64), array1d(workspace, Slot.POOL_FILLED, np.int64)
    a, b = _PRIOR, _PRIOR
    for _ in range(_STEPS):
        ga, gb, hab = (_PRIOR - a) / _VARIANCE, (_PRIOR - b) / _VARIANCE, 0.0
        haa = hbb = 1.0 / _VARIANCE
        for cell in filled:
            if cell < 0:
                break
            if cell >= STARTER_CELLS:
                i, j = (cell - STARTER_CELLS) // POOL_BINS, (cell - STARTER_CELLS) % POOL_BINS
                m, s = (i - POOL_BINS // 2) * BIN, (j - POOL_BINS // 2) * BIN
                count = float(max(pool[cell], 0)) / UNIT
                p = 1.0 / (1.0 + max(classes - 1, 1) * math.exp(-a * m - b * s))
                gain, bend = count * (1.0 - p), count * p * (1.0 - p)
                ga += gain * m
                gb += gain * s
                haa += bend * m * m
                hbb += bend * s * s
                hab += bend * m * s
        det = haa * hbb - hab * hab
        a += min(max((hbb * ga - hab * gb) / det, -_STRIDE), _STRIDE)
        b += min(max((haa * gb - hab * ga) / det, -_STRIDE), _STRIDE)
        a, b = min(max(a, 0.1), 50.0), min(max(b, 0.0), 50.0)
    return min(b / a, 1.0)


@kernel
def score_with_starter(
    n, share, starter, starter_rows, columns, mass, rows, workspace, lead, positive, gathered, scores
):
    """Score the message scored last, with its n features, by the own counts and `share` / 256 of the starter's.

    Fills RESULT, and TERMS if that has rows, like `mail_score`; gathered[i, COUNT + c] with the combined counter of
    feature i in class c; and scores[:, c] with the scores of class c by the own counts alone, by the starter alone, and
    by both. `starter` is the workspace of the starter's statistics, columns[c] the number that class c has there (-1:
    none), and mass[c] the sum of its counters.
    """
    message, statistics = nested(workspace, Slot.MESSAGE), nested(workspace, Slot.STATISTICS)
    hashes, row_ids = array1d(message, Slot.HASHES, np.uint64), array1d(message, Slot.ROW_IDS, np.int64)
    token_spans, totals = array2d(message, Slot.TOKEN_SPANS, np.int32), array2d(statistics, Slot.TOTALS, np.int64)
    sizes = array1d(nested(statistics, Slot.TABLE), Slot.SIZES, np.int64)
    table = nested(starter, Slot.TABLE)
    index, starter_sizes = array1d(table, Slot.INDEX, np.uint32), array1d(table, Slot.SIZES, np.int64)
    result, settings = array1d(workspace, Slot.RESULT, np.float64), array1d(workspace, Slot.SETTINGS, np.float64)
    logs, terms = array2d(workspace, Slot.LOGS, np.float64), array2d(workspace, Slot.TERMS, np.float64)
    classes = totals.shape[0]
    found, indices = np.empty(n, np.int64), np.arange(n)
    find_all(hashes, n, index, starter_rows, found)
    for i in range(n):
        for c in range(classes):
            known = found[i] >= 0 and columns[c] >= 0
            gathered[i, COUNT + c] = starter_rows[found[i], COUNT + columns[c]] if known else 0
    sums = np.zeros_like(totals)
    sums[:, MASS] = mass
    scores[0] = result[SCORES:]
    live = starter_sizes[Size.LIVE]
    no_terms = np.zeros((0, 0))
    score_rows(indices, token_spans, n, gathered, sums, _LABELS, live, lead, positive, settings, logs, result, no_terms)
    scores[1] = result[SCORES:]
    for i in range(n):
        for c in range(COUNT, COUNT + classes):
            part = (np.int64(gathered[i, c]) * share + UNIT // 2) // UNIT
            gathered[i, c] = part + (np.int64(rows[row_ids[i], c]) if row_ids[i] >= 0 else 0)
    sums[:] = totals
    sums[:, MASS] += mass * share // UNIT
    live = sizes[Size.LIVE] + live * share // UNIT
    lent = _LABELS * share / UNIT
    score_rows(indices, token_spans, n, gathered, sums, lent, live, lead, positive, settings, logs, result, terms)
    scores[2] = result[SCORES:]
    read_scores(positive, classes, lead, result)


@kernel
def starter_cell(scores, order, column):
    """Return the cell of the pool for a label of class number `column` (-1: a new class)."""
    return STARTER_CELLS + pool_bin(scores[0], order, column) * POOL_BINS + pool_bin(scores[1], order, column)
