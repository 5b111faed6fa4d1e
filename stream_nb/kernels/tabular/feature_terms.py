"""Named numbers and categories of a message -> log-likelihoods of the classes, from counts and exact moments.

A number is counted in its interval, one of 64 intervals per power of two. Its log-likelihood in class c has two parts,

    log P(window | c) + log p(x | window, c)

The window is the interval of x with as many neighbours on either side as are needed to hold sqrt(n) of the n values of
all classes. The first part is counted: (n_c + A q) / (N_c + A), where n_c of the N_c values of the class are in the
window, and q is the window's share of all values. The second part is the density of the class's normal distribution
within the window, relative to that of all classes. So the data decide: while they are few, or differ by less than an
interval, the window holds most of them, and the normal distribution dominates. With more data the windows shrink,
within them it says little, and distributions of any shape are followed. The value of a category is counted like a
window.

Counts are in 1/256 of a message. A negative count (unlearned before it was learned, or after it was forgotten) reads as
0.
"""

# pyright: basic

import math

import numpy as np

from stream_nb.kernels.jit import inlined, kernel
from stream_nb.kernels.layout import CATEGORY, NUMBER, UNIT, Slot
from stream_nb.kernels.tabular.exact_moments import READING, read_moments
from stream_nb.kernels.tabular.feature_counts import (
    COUNTS,
    HELD,
    INTERVAL,
    KIND,
    ROW,
    SLOT,
    START,
    USED,
    find_interval,
    interval_of,
    interval_start,
)
from stream_nb.kernels.tabular.number_layout import Moment
from stream_nb.kernels.workspace import array1d, array2d, nested

COUNT = int(Moment.COUNT)
_SHRINK = 2.0  # A above, in messages
_WIDTH = 1.0  # of a window, in square roots of n
_MOST_WITHIN = 3.0  # bound on the second part, in nats, because tails say no more than this
_LEAST_MASS = 1e-12
_HALF_ROOT = math.sqrt(0.5)


@inlined
def _mass(low, high, mean, std):
    """Return the probability of `low` to `high` under a normal distribution."""
    a, b = (low - mean) / std * _HALF_ROOT, (high - mean) / std * _HALF_ROOT
    if a > 0.0:
        a, b = -b, -a
    return 0.5 * (math.erfc(-b) - math.erfc(-a)) if b <= 0.0 else 1.0 - 0.5 * (math.erfc(b) + math.erfc(-a))


@inlined
def _shares(totals, total, window, terms, i):
    """Fill terms[i] with the log share of `window` in the counts of each class; return its share of all counts."""
    held = 0
    for c in range(window.shape[0]):
        held += window[c]
    q = float(held) / float(total)
    for c in range(window.shape[0]):
        own, all_own = float(window[c]) / UNIT, float(max(totals[c], 0)) / UNIT
        terms[i, c] = math.log((own + _SHRINK * q) / (all_own + _SHRINK))
    return q


@inlined
def _add_normal(x, low, high, window, q, totals, total, normals, order, densities, terms, i):
    """Add to terms[i] the log density of each class's normal distribution at `x` within the window, relative to the
    mean over the classes, weighted by their counts; add nothing if floats are too coarse to compute it.

    The variance of a class is shrunk towards that within all classes, with the weight of one message. Computations are
    in units of the largest deviation, so that squares stay within the range of floats.
    """
    mean = 0.0
    for c in order:
        mean += float(max(totals[c], 0)) / float(total) * normals[c, 0]
    unit = 0.0
    for c in order:
        if totals[c] > 0:
            unit = max(unit, normals[c, 1], abs(normals[c, 0] - mean))
    if not (0.0 < unit < math.inf) or not abs(x - mean) < math.inf:
        return
    within, spread = 0.0, 0.0
    for c in order:
        if totals[c] > 0:
            share, shift = float(totals[c]) / float(total), (normals[c, 0] - mean) / unit
            own = (normals[c, 1] / unit) ** 2
            within += share * own
            spread += share * (own + shift * shift)
    common = within if within > 0.0 else spread
    most = -math.inf
    for c in order:
        shift, variance = 0.0, spread
        if totals[c] > 0:
            n = float(totals[c]) / UNIT
            shift = (normals[c, 0] - mean) / unit
            variance = (n * (normals[c, 1] / unit) ** 2 + common) / (n + 1.0)
        std = math.sqrt(variance)
        mass = _mass((low - mean) / unit, (high - mean) / unit, shift, std)
        if not mass >= _LEAST_MASS:
            return
        z = ((x - mean) / unit - shift) / std
        densities[c] = -0.5 * z * z - math.log(std) - math.log(mass)
        most = max(most, densities[c])
    if most == -math.inf:
        return
    above, below = 0.0, 0.0
    for c in order:
        weight = float(window[c]) / UNIT + _SHRINK * q
        above += weight * math.exp(densities[c] - most)
        below += weight
    middle = most + math.log(above / below)
    for c in order:
        terms[i, c] += min(max(densities[c] - middle, -_MOST_WITHIN), _MOST_WITHIN)


@inlined
def _find_window(cells, begin, end, interval, wanted):
    """Return the first and the last of the cells around an interval, from `begin` to `end`, that together hold the
    wanted number of values, or all values if there are fewer; -1 and -1 if there are none."""
    low = high = find_interval(cells, begin, end, interval)
    first, last, held = -1, -1, 0
    if high < end and cells[high, INTERVAL] == interval:
        if cells[high, HELD] > 0:
            first = last = high
            held = cells[high, HELD]
        high += 1
    while held < wanted:
        while low > begin and cells[low - 1, HELD] == 0:
            low -= 1
        while high < end and cells[high, HELD] == 0:
            high += 1
        if low == begin and high == end:
            break
        if low > begin:
            low -= 1
            held += cells[low, HELD]
            first, last = low, max(last, low)
        if high < end:
            held += cells[high, HELD]
            first, last = first if first >= 0 else high, high
            high += 1
    return first, last


@inlined
def _ends(lowest, highest):
    """Return the numbers at which the intervals from `lowest` to `highest` begin and end."""
    bottom = interval_start(lowest) if lowest >= 0 else interval_start(lowest - 1)
    top = interval_start(highest) if highest <= 0 else interval_start(highest + 1)
    return bottom, top


@kernel
def feature_terms(n, order, workspace):
    """Fill FEATURE_TERMS[i, c] with the log-likelihood of feature i in class c, 0 for an unknown feature. Returns how
    many numbers and how many categories are known."""
    ids = array2d(workspace, Slot.FEATURE_IDS, np.int64)
    xs = array1d(workspace, Slot.FEATURE_VALUES, np.float64)
    terms = array2d(workspace, Slot.FEATURE_TERMS, np.float64)
    of_numbers = nested(workspace, Slot.NUMBERS)
    moments, normals = array2d(of_numbers, Slot.MOMENT_ROWS, np.int64), array2d(of_numbers, Slot.NORMALS, np.float64)
    spans, cells = array2d(of_numbers, Slot.SPANS, np.int64), array2d(of_numbers, Slot.CELLS, np.int64)
    values = array2d(nested(workspace, Slot.CATEGORIES), Slot.CATEGORY_COUNTS, np.int64)
    classes = values.shape[1]
    window = np.zeros(classes, np.int64)
    numbers, categories = 0, 0
    totals, densities = np.zeros(classes, np.int64), np.empty(classes)
    reading = np.empty((3, READING), np.int64)
    for i in range(n):
        terms[i, :] = 0.0
        slot = ids[i, SLOT]
        if slot < 0:
            continue
        total, row = 0, slot * classes
        for c in range(classes):
            totals[c] = moments[row + c, COUNT] if ids[i, KIND] == NUMBER else values[slot, c]
            total += max(totals[c], 0)
        if total <= 0:
            continue
        if ids[i, KIND] == CATEGORY:
            held = 0
            for c in range(classes):
                window[c] = max(values[ids[i, ROW], c], 0) if ids[i, ROW] >= 0 else 0
                held += window[c]
            if held == 0:
                continue
            _shares(totals, total, window, terms, i)
            categories += 1
            continue
        for c in range(classes):
            if normals[row + c, 1] < 0.0:
                normals[row + c, 0], normals[row + c, 1] = read_moments(moments[row + c], reading)
        x, begin, end = xs[i], spans[slot, START], spans[slot, START] + spans[slot, USED]
        wanted = max(np.int64(_WIDTH * math.sqrt(float(total) / UNIT) * UNIT), 1)
        first, last = _find_window(cells, begin, end, interval_of(x), wanted)
        if first < 0:
            continue
        window[:] = 0
        for k in range(first, last + 1):
            for c in range(classes):
                window[c] += max(cells[k, COUNTS + c], 0)
        numbers += 1
        q = _shares(totals, total, window, terms, i)
        if first == last and cells[first, INTERVAL] == 0:
            continue  # all values in the window are 0, so there is no second part
        bottom, top = _ends(cells[first, INTERVAL], cells[last, INTERVAL])
        own = normals[row : row + classes]
        _add_normal(x, min(bottom, x), max(top, x), window, q, totals, total, own, order, densities, terms, i)
    return numbers, categories
