"""Named numbers and categories of a message -> log-likelihoods of the classes, from counts and exact moments.

A number is counted in its place: one of 64 steps within its power of two. Its log-likelihood in class c has two parts,

    log P(window | c) + log p(x | window, c)

The window is the place of x with its neighbours, on either side as many as it takes to hold sqrt(n) of the n values of
all classes. The first part is counted: (n_c + A q) / (N_c + A) for n_c of the N_c values of the class, where q is the
window's share of all values. The second is the density of the class's normal distribution within the window, against
that of all classes. So the data choose: while they are few, or differ by less than a step, the window holds most of
them and the normal distribution speaks; with more of them it says little within ever smaller windows, and any shape is
followed. A category's value is counted as a window is.

Counts are in 1/256 of a message, and below 0 (taken back before it came, or forgotten meanwhile) read as 0.
"""

# pyright: basic

import math

import numpy as np

from stream_nb.kernels.exact_moments import READING, add_rows, add_value, read_moments
from stream_nb.kernels.jit import inlined, kernel
from stream_nb.kernels.layout import FEATURE_ROOM, PARTS, POOL_BINS, UNIT, Cell, FeatureId, MailResult, Moment, Span
from stream_nb.kernels.mail_nb_score import read_scores

COUNT = int(Moment.COUNT)
KIND, SLOT, ROW = map(int, FeatureId)
START, USED, SPACE = map(int, Span)
SCORES = int(MailResult.SCORES)
PLACE, HELD, COUNTS = map(int, Cell)
_SHRINK = 2.0  # A above, in messages
_WIDTH = 1.0  # of a window, in square roots of n
_MOST_WITHIN = 3.0  # of the normal's share, in nats: tails say no more than this
_LEAST_MASS = 1e-12
_HALF_ROOT = math.sqrt(0.5)
_STEPS = 64
_SHIFT = 1100
_PRIOR_WORDS, _PRIOR_FEATURES = 3.5, 0.5
_NEWTON = 5
_BIN = 8.0 / (POOL_BINS - 1)


@inlined
def _place(x):
    """The place of a finite number, in the numbers' own order; 0 has one of its own."""
    if x == 0.0:
        return 0
    fraction, exponent = math.frexp(abs(x))
    step = (int(exponent) + _SHIFT) * _STEPS + int((2.0 * fraction - 1.0) * _STEPS)
    return step if x > 0.0 else -step


@kernel
def place_start(place):
    """The end of a place that is nearer to zero."""
    if place == 0:
        return 0.0
    step = abs(place)
    size = math.ldexp(1.0 + (step % _STEPS) / _STEPS, int(step // _STEPS) - _SHIFT - 1)
    return size if place > 0 else -size


@inlined
def _find(cells, begin, end, place):
    """Where the place stands, or would stand, among those in rising order from `begin` to `end`."""
    while begin < end:
        middle = (begin + end) >> 1
        if cells[middle, PLACE] < place:
            begin = middle + 1
        else:
            end = middle
    return begin


@inlined
def _mass(low, high, mean, std):
    """The share of a normal distribution from `low` to `high`."""
    a, b = (low - mean) / std * _HALF_ROOT, (high - mean) / std * _HALF_ROOT
    if a > 0.0:
        a, b = -b, -a
    return 0.5 * (math.erfc(-b) - math.erfc(-a)) if b <= 0.0 else 1.0 - 0.5 * (math.erfc(b) + math.erfc(-a))


@inlined
def _shares(totals, total, window, terms, i):
    """terms[i] = log of the share of the counts `window` in each class; the share of all values that they hold."""
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
    """Add to terms[i] the log density of each class's normal distribution at `x` within the window, against the mean
    of the classes by their counts; nothing where floats cannot tell.

    The variance of a class is drawn to that within all classes by one message. All is worked out in units of the
    largest deviation, so that squares stay within the range of floats.
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


@kernel
def _feature_terms(ids, xs, n, order, moments, normals, spans, cells, values, terms):
    """Fill terms[i, c], the log-likelihood of feature i in class c; all 0 where nothing is known of it. Returns how
    many numbers and how many categories something is known of."""
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
        total = 0
        for c in range(classes):
            totals[c] = moments[slot, c, COUNT] if ids[i, KIND] == 0 else values[slot, c]
            total += max(totals[c], 0)
        if total <= 0:
            continue
        if ids[i, KIND] == 1:
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
            if normals[slot, c, 1] < 0.0:
                normals[slot, c, 0], normals[slot, c, 1] = read_moments(moments[slot, c], reading)
        x, begin, end = xs[i], spans[slot, START], spans[slot, START] + spans[slot, USED]
        place = _place(x)
        low = high = _find(cells, begin, end, place)
        first, last, held = -1, -1, 0
        if high < end and cells[high, PLACE] == place:
            if cells[high, HELD] > 0:
                first = last = high
                held = cells[high, HELD]
            high += 1
        wanted = max(np.int64(_WIDTH * math.sqrt(float(total) / UNIT) * UNIT), 1)
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
        if held == 0:
            continue
        window[:] = 0
        for k in range(first, last + 1):
            for c in range(classes):
                window[c] += max(cells[k, COUNTS + c], 0)
        numbers += 1
        q = _shares(totals, total, window, terms, i)
        if first == last and cells[first, PLACE] == 0:
            continue  # all of them are 0: there is nothing within
        lowest, highest = cells[first, PLACE], cells[last, PLACE]
        bottom = place_start(lowest) if lowest >= 0 else place_start(lowest - 1)
        top = place_start(highest) if highest <= 0 else place_start(highest + 1)
        _add_normal(
            x, min(bottom, x), max(top, x), window, q, totals, total, normals[slot], order, densities, terms, i
        )  # fmt: skip
    return numbers, categories


@inlined
def _add_cell(place, column, units, span, cells):
    """Count at a place of a number; False where a new place has no room."""
    begin, end = span[START], span[START] + span[USED]
    at = _find(cells, begin, end, place)
    if at == end or cells[at, PLACE] != place:
        if span[USED] == span[SPACE]:
            return False
        for k in range(end, at, -1):
            for c in range(cells.shape[1]):
                cells[k, c] = cells[k - 1, c]
        cells[at] = 0
        cells[at, PLACE] = place
        span[USED] += 1
    before = cells[at, COUNTS + column]
    cells[at, COUNTS + column] = before + units
    cells[at, HELD] += max(before + units, 0) - max(before, 0)
    return True


@kernel
def add_features(start, ids, xs, n, column, units, moments, normals, spans, cells, values):
    """Count features `start` to n - 1 in a class, in 1/256 of a message (less than 0: take back); returns how many are
    done, less than n where the next one's places have no room."""
    for i in range(start, n):
        slot = ids[i, SLOT]
        if ids[i, KIND] == 1:
            values[slot, column] += units
            values[ids[i, ROW], column] += units
            continue
        if not _add_cell(_place(xs[i]), column, units, spans[slot], cells):
            return i
        add_value(moments[slot, column], xs[i], units)
        normals[slot, column, 1] = -1.0
    return n


@kernel
def merge_cells(start, cells2, columns, sign, span, cells):
    """Add `sign` times the counts of a number's places in other statistics, from row `start` on; column c goes to
    columns[c]. Returns how many rows are done, fewer than all where the next has no room."""
    for k in range(start, cells2.shape[0]):
        for c in range(columns.shape[0]):
            if not _add_cell(cells2[k, PLACE], columns[c], sign * cells2[k, COUNTS + c], span, cells):
                return k
    return cells2.shape[0]


@kernel
def merge_moments(moments2, columns, sign, moments):
    """Add `sign` times the moments of a number in other statistics; column c goes to columns[c]."""
    for c in range(columns.shape[0]):
        add_rows(moments[columns[c]], moments2[c], sign)


@kernel
def part_weights(pool, filled):
    """The weights of numbers and of categories against that of words (1).

    `pool` counts labels by the margins that the parts alone gave the labelled class, when it was learned, each from -4
    to 4 in POOL_BINS; `filled` are its cells that are not 0. With margins m the label is right with probability
    1 / (1 + exp(-a m)); a is the maximum of its likelihood over all labels, with normal priors of variance 1, by
    Newton's method from the prior's means: equal counts give equal bits. The weights are a over that of words, and not
    less than 0.
    """
    a = np.array([_PRIOR_WORDS, _PRIOR_FEATURES, _PRIOR_FEATURES])
    odds = np.empty((PARTS, POOL_BINS))
    for _ in range(_NEWTON):
        for part in range(PARTS):
            for k in range(POOL_BINS):
                odds[part, k] = math.exp(-a[part] * (k - POOL_BINS // 2) * _BIN)
        g0, g1, g2 = _PRIOR_WORDS - a[0], _PRIOR_FEATURES - a[1], _PRIOR_FEATURES - a[2]
        h00, h11, h22, h01, h02, h12 = 1.0, 1.0, 1.0, 0.0, 0.0, 0.0
        for cell in filled:
            i, j, k = cell // (POOL_BINS * POOL_BINS), cell // POOL_BINS % POOL_BINS, cell % POOL_BINS
            x, y, z = (i - POOL_BINS // 2) * _BIN, (j - POOL_BINS // 2) * _BIN, (k - POOL_BINS // 2) * _BIN
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
    return a[1] / a[0], a[2] / a[0]


@kernel
def score_features(
    ids, xs, n, order, moments, normals, spans, cells, values, weight_numbers, weight_categories, damping, lead,
    positive, terms, result,
):  # fmt: skip
    """Add what numbers and categories say to what words gave in RESULT; terms[i, c] becomes the share of feature i in
    the score of class c, terms[FEATURE_ROOM + p, c] what part p alone (words, numbers, categories) gives class c.

    A part's score is the sum of its features' terms, less the mean over the classes, over (features + 1)^damping.
    ids[i] is laid out by `layout.FeatureId`, spans[slot] by `layout.Span`, rows of `cells` by `layout.Cell`;
    normals[slot, c] are mean and deviation, less than 0 where they are out of date; `order` is that of the classes by
    name.
    """
    scores = result[SCORES:]
    parts = terms[FEATURE_ROOM:]
    classes = scores.shape[0]
    for c in range(classes):
        parts[0, c] = scores[c]
        parts[1, c] = parts[2, c] = 0.0
    numbers, categories = _feature_terms(ids, xs, n, order, moments, normals, spans, cells, values, terms)
    if classes < 2:
        return
    damp_numbers, damp_categories = math.pow(numbers + 1.0, -damping), math.pow(categories + 1.0, -damping)
    for i in range(n):
        part = 1 + ids[i, KIND]
        damp = damp_numbers if part == 1 else damp_categories
        middle = 0.0
        if classes == 2:
            # the difference is taken, so that the order of the two changes no bit
            half = 0.5 * (terms[i, lead] - terms[i, 1 - lead])
            terms[i, lead], terms[i, 1 - lead] = half, -half
        else:
            for c in order:
                middle += terms[i, c] / classes
        for c in range(classes):
            term = (terms[i, c] - middle) * damp
            parts[part, c] += term
            terms[i, c] = term * (weight_numbers if part == 1 else weight_categories)
    for c in range(classes):
        scores[c] += weight_numbers * parts[1, c] + weight_categories * parts[2, c]
    read_scores(positive, classes, lead, result)


@kernel
def pool_cell(terms, column):
    """The place in the pool of a label: of class number `column` (-1: one that is not there yet)."""
    parts = terms[FEATURE_ROOM:]
    place = 0
    for p in range(PARTS):
        rival = -math.inf
        for c in range(parts.shape[1]):
            if c != column:
                rival = max(rival, parts[p, c])
        margin = 0.0
        if column >= 0 and rival > -math.inf:
            margin = parts[p, column] - rival
        k = math.floor(margin / _BIN + 0.5) + POOL_BINS // 2
        place = place * POOL_BINS + min(max(k, 0), POOL_BINS - 1)
    return place
