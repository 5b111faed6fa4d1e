"""Named numbers and categories of a message -> their counts and exact moments by class.

A number is counted in its interval, one of 64 intervals per power of two. Counts are in 1/256 of a message. They may be
negative, if a message is unlearned before it is learned, or after it was forgotten. Arrays are laid out by
`layout.FeatureId`, `number_layout.Span` and `number_layout.Cell`.
"""

# pyright: basic

import math

import numpy as np

from stream_nb.kernels.jit import inlined, kernel
from stream_nb.kernels.layout import CATEGORY, FeatureId, Slot
from stream_nb.kernels.tabular.exact_moments import add_rows, add_value
from stream_nb.kernels.tabular.number_layout import Cell, Span
from stream_nb.kernels.workspace import array1d, array2d, nested

KIND, SLOT, ROW = map(int, FeatureId)
START, USED, SPACE = map(int, Span)
INTERVAL, HELD, COUNTS = map(int, Cell)
_STEPS = 64
_SHIFT = 1100


@inlined
def interval_of(x):
    """Return the interval of a finite number; intervals have the order of the numbers, and 0 has an interval of its
    own."""
    if x == 0.0:
        return 0
    fraction, exponent = math.frexp(abs(x))
    step = (int(exponent) + _SHIFT) * _STEPS + int((2.0 * fraction - 1.0) * _STEPS)
    return step if x > 0.0 else -step


@kernel
def interval_start(interval):
    """Return the end of an interval that is nearer to zero; inf for the one beyond the largest float."""
    if interval == 0:
        return 0.0
    step = abs(interval)
    exponent = int(step // _STEPS) - _SHIFT - 1
    size = math.ldexp(1.0 + (step % _STEPS) / _STEPS, exponent) if exponent < 1024 else math.inf
    return size if interval > 0 else -size


@inlined
def find_interval(cells, begin, end, interval):
    """Return the index of an interval, or the index to insert it at, in the sorted cells from `begin` to `end`."""
    while begin < end:
        middle = (begin + end) >> 1
        if cells[middle, INTERVAL] < interval:
            begin = middle + 1
        else:
            end = middle
    return begin


@inlined
def _add_cell(interval, column, units, span, cells):
    """Add `units` to the count of an interval of a number; return False if there is no room for a new interval."""
    begin, end = span[START], span[START] + span[USED]
    at = find_interval(cells, begin, end, interval)
    if at == end or cells[at, INTERVAL] != interval:
        if span[USED] == span[SPACE]:
            return False
        flat, width = cells.reshape(-1), cells.shape[1]
        flat[(at + 1) * width : (end + 1) * width] = flat[at * width : end * width]
        cells[at] = 0
        cells[at, INTERVAL] = interval
        span[USED] += 1
    before = cells[at, COUNTS + column]
    cells[at, COUNTS + column] = before + units
    cells[at, HELD] += max(before + units, 0) - max(before, 0)
    return True


@kernel
def add_features(start, n, column, units, workspace):
    """Add `units`, in 1/256 of a message, to the counts of features `start` to n - 1 in a class; if negative, subtract.

    Returns how many features are done: fewer than n if there is no room for an interval of the next one.
    """
    ids = array2d(workspace, Slot.FEATURE_IDS, np.int64)
    xs = array1d(workspace, Slot.FEATURE_VALUES, np.float64)
    numbers = nested(workspace, Slot.NUMBERS)
    moments, normals = array2d(numbers, Slot.MOMENT_ROWS, np.int64), array2d(numbers, Slot.NORMALS, np.float64)
    spans, cells = array2d(numbers, Slot.SPANS, np.int64), array2d(numbers, Slot.CELLS, np.int64)
    values = array2d(nested(workspace, Slot.CATEGORIES), Slot.CATEGORY_COUNTS, np.int64)
    classes = values.shape[1]
    for i in range(start, n):
        slot = ids[i, SLOT]
        if ids[i, KIND] == CATEGORY:
            values[slot, column] += units
            values[ids[i, ROW], column] += units
            continue
        if not _add_cell(interval_of(xs[i]), column, units, spans[slot], cells):
            return i
        add_value(moments[slot * classes + column], xs[i], units)
        normals[slot * classes + column, 1] = -1.0
    return n


@kernel
def merge_cells(start, cells2, columns, sign, span, cells):
    """Add `sign` times the cells of a number in other statistics, from row `start` on; column c goes to columns[c].

    Returns how many rows are done: fewer than all if there is no room for the next one.
    """
    for k in range(start, cells2.shape[0]):
        for c in range(columns.shape[0]):
            if not _add_cell(cells2[k, INTERVAL], columns[c], sign * cells2[k, COUNTS + c], span, cells):
                return k
    return cells2.shape[0]


@kernel
def merge_moments(moments2, columns, sign, moments):
    """Add `sign` times the moments of a number in other statistics; column c goes to columns[c]."""
    for c in range(columns.shape[0]):
        add_rows(moments[columns[c]], moments2[c], sign)
