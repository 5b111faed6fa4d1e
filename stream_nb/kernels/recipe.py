"""The recipe of MailNB: rows of counters -> scores, and scores -> what one label adds.

Formulas in `stream_nb.mail_nb`. Counters are in 1/256 of a message. Row c of `tallies` (int64[classes,
TALLIES]) belongs to class c: labels learned, sum of all its increments, then for words and for pairs the
features met in its messages and how many of those were new, then a histogram of the margins its labels were
learned at. `settings` (float64): smoothing, damping, shape, novelty, pair weight, band, slope of trust.
"""

import math

import numpy as np

from stream_nb.kernels.jit import inlined, kernel

LABELS, MASS, MET, NEW, BINS_FROM = 0, 1, 2, 3, 6
BINS = 32
TALLIES = BINS_FROM + BINS
SMOOTHING, DAMPING, SHAPE, NOVELTY, PAIR_WEIGHT, BAND, TRUST = 0, 1, 2, 3, 4, 5, 6
_UNIT = 256.0
_DOUBT_UNIT = 65536.0
_WARM_UP = 20
_FLOOR = 0.02
_CARE = 0.003


@inlined
def _log(units, smoothing, logs):
    """log(units / 256 + smoothing), looked up for counts of few mails: most words are rare."""
    if units < logs.shape[0]:
        return logs[units]
    return math.log(float(units) / _UNIT + smoothing)


@kernel
def small_logs(smoothing, logs):
    """Fill logs[units] for `_log`."""
    for units in range(logs.shape[0]):
        logs[units] = math.log(float(units) / _UNIT + smoothing)


@inlined
def _shaped(ratio, shape):
    """sign(w) |w|^shape; the square root serves the default 1.5, four times as fast as the power."""
    if shape == 1.0:
        return ratio
    size = abs(ratio)
    if shape == 1.5:
        return ratio * math.sqrt(size)
    return math.copysign(math.pow(size, shape), ratio)


@inlined
def _novelty(tallies, kind, c, scale):
    """Log ratio of the share of new features in class c to that in the other classes together."""
    met, new = tallies[c, MET + 2 * kind], tallies[c, NEW + 2 * kind]
    met_rest, new_rest = -met, -new
    for d in range(tallies.shape[0]):
        met_rest += tallies[d, MET + 2 * kind]
        new_rest += tallies[d, NEW + 2 * kind]
    own = (float(max(new, 0)) / _UNIT + 1.0) / (float(max(met, 0)) / _UNIT + 2.0)
    rest = (float(max(new_rest, 0)) / _UNIT + 1.0) / (float(max(met_rest, 0)) / _UNIT + 2.0)
    return scale * math.log(own / rest)


@kernel
def recipe_score(rows, spans, n, counts, tallies, live, lead, settings, logs, scores, met, terms):
    """Fill scores[c] and met = (words, new words, pairs, new pairs); terms[i, c] too, if terms has rows.

    scores[c] is half the log-odds of class c against all the others together, so that of two classes the scores
    are opposite and their difference is the log-odds; of two only `lead` is worked out. All are 0 until two
    classes have been trained; a class not trained yet scores like the least of the others.
    """
    classes = tallies.shape[0]
    scores[:] = 0.0
    met[:] = 0
    explain = terms.shape[0] > 0
    mass, ready = 0, 0
    for c in range(classes):
        mass += tallies[c, MASS]
        ready += tallies[c, MASS] > 0
    smoothing, shape = settings[SMOOTHING], settings[SHAPE]
    first, last = (lead, lead + 1) if classes == 2 else (0, classes)
    if ready < 2:
        last = first
    scale = np.zeros(classes)
    fresh = np.zeros((2, classes))
    for c in range(first, last):
        all_own = float(tallies[c, MASS]) / _UNIT + smoothing * live
        all_rest = float(mass - tallies[c, MASS]) / _UNIT + smoothing * live
        scale[c] = math.log(all_own / all_rest) if tallies[c, MASS] > 0 else 0.0
        fresh[0, c] = _novelty(tallies, 0, c, settings[NOVELTY])
        fresh[1, c] = _novelty(tallies, 1, c, settings[NOVELTY])
    weight_sum = 0.0
    for i in range(n):
        row = rows[i]
        kind = 1 if spans[i, 2] < 0 else 0
        weight = settings[PAIR_WEIGHT] if kind else 1.0
        total = 0
        if row >= 0:
            for c in range(classes):
                total += max(counts[row, c], 0)
        met[2 * kind] += 1
        if total == 0:
            met[2 * kind + 1] += 1
            weight_sum += settings[NOVELTY] * weight
        else:
            weight_sum += weight
        for c in range(first, last):
            term = fresh[kind, c]
            if total != 0:
                own = max(counts[row, c], 0)
                ratio = _log(own, smoothing, logs) - _log(total - own, smoothing, logs)
                term = _shaped(ratio - scale[c], shape)
            term *= weight
            scores[c] += term
            if explain:
                terms[i, c] = term
    if ready < 2:
        return
    damp = 0.5 / math.pow(weight_sum + 1.0, settings[DAMPING])
    least = -1
    for c in range(first, last):
        scores[c] *= damp
        if explain:
            terms[:, c] *= damp
        if tallies[c, MASS] > 0 and (least < 0 or scores[c] < scores[least]):
            least = c
    for c in range(classes):
        if classes == 2 and c != lead:
            scores[c] = -scores[lead]
            if explain:
                terms[:, c] = -terms[:, lead]
        elif tallies[c, MASS] <= 0:
            scores[c] = scores[least]
            if explain:
                terms[:, c] = terms[:, least]


@kernel
def recipe_grade(scores, met, column, tallies, labels, doubt, settings, lesson):
    """Fill lesson (int64[11]): weight, then what `MailNB` calls tallies; labels, doubt: those of the source
    so far.

    The margin m of the label grades the increment: r = min(1, max(0, 1 - m / band)). The source flips a
    share eps of its labels, as far as is known; the label is right with q = p(1-e) / (p(1-e) + (1-p)e), p =
    1/(1+exp(-trust m)).
    """
    classes = tallies.shape[0]
    learned = 0
    for c in range(classes):
        learned += tallies[c, LABELS]
    best = -math.inf
    for c in range(classes):
        if c != column:
            best = max(best, scores[c])
    margin = 0.0
    if column >= 0 and best > -math.inf:
        margin = scores[column] - best
    right = 1.0
    surprise = 0.0
    if settings[TRUST] > 0.0 and labels >= _WARM_UP:
        believed = 1.0 / (1.0 + math.exp(-min(max(settings[TRUST] * margin, -500.0), 500.0)))
        flips = (0.5 + float(doubt) / _DOUBT_UNIT) / (50.0 + float(labels))
        flips = min(max(flips, 0.0), 0.5)
        kept = believed * (1.0 - flips)
        surprise = 1.0 - kept / (kept + (1.0 - believed) * flips)
        careful = max(0.0, flips - _CARE)
        if careful > 0.0:
            kept = believed * (1.0 - careful)
            right = max(kept / (kept + (1.0 - believed) * careful), _FLOOR)
    grade = 1.0
    if learned >= _WARM_UP:
        grade = min(1.0, max(0.0, 1.0 - margin / settings[BAND]))
    weight = np.int64(math.floor(_UNIT * grade * right + 0.5))
    share = np.int64(math.floor(_UNIT * right + 0.5))
    lesson[0] = weight
    lesson[1] = 1
    lesson[2] = weight * (met[0] + met[2])
    for k in range(4):
        lesson[3 + k] = share * met[k]
    lesson[7] = np.int64(min(max(math.floor((margin + 4.0) * (BINS / 8.0)), 0), BINS - 1))
    lesson[8] = share
    lesson[9] = 1
    lesson[10] = np.int64(math.floor(_DOUBT_UNIT * surprise + 0.5))


@kernel
def recipe_learn(rows, n, column, sign, lesson, counts, sizes, tallies):
    """Add `sign` times a lesson about a message of class `column`; with a weight, each feature has a row."""
    amount = sign * lesson[0]
    if amount != 0:
        width = counts.shape[1]
        live = 0
        for i in range(n):
            row = rows[i]
            others = False
            for c in range(width):
                others |= c != column and counts[row, c] != 0
            before = counts[row, column]
            counts[row, column] = before + amount
            if not others:
                live += np.int64(before + amount != 0) - np.int64(before != 0)
        sizes[1] += live
    for k in range(BINS_FROM):
        tallies[column, k] += sign * lesson[1 + k]
    tallies[column, BINS_FROM + lesson[7]] += sign * lesson[8]
