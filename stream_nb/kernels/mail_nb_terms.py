"""Rows of counters -> what each feature of a mail says of a class, added up by the sections of the mail.

The sections are the pieces of `stretch`, then what is in no piece, then the character n-grams. `settings` (float64) is
laid out by `MailSetting`, `result` (float64) by `MailResult`.
"""

# pyright: basic

import math
from typing import Any, NamedTuple

import numpy as np

from stream_nb.kernels.jit import inlined, kernel
from stream_nb.kernels.layout import COUNT, UNIT, MailResult

KNOWN, NEW, OFTEN, FEW = range(4)
"""Rows of `sections`: what known and new features weigh; the terms of features counted often, and of those counted in
two mails or less."""

_TWO_MAILS = 2 * UNIT


class Features(NamedTuple):
    """The features of a mail: their rows in the table, where they stand in the mail, the rows of the table, what all
    classes together have counted of each, and where each section begins and the last one ends."""

    row_ids: Any
    token_spans: Any
    rows: Any
    sums: Any
    bounds: Any


@inlined
def _count(features, classes, begin, end):
    """sums[i] = what all classes have counted of feature i, 0 for a new one; how many pairs, new words and new pairs
    there are from `begin` to `end`.

    No branch here depends on the features, so that cache misses on their counters overlap.
    """
    row_ids, token_spans, rows, sums = features.row_ids, features.token_spans, features.rows, features.sums
    pairs, new_words, new_pairs = 0, 0, 0
    for i in range(begin, end):
        row = max(row_ids[i], 0)
        total = 0
        for c in range(COUNT, COUNT + classes):
            total += max(np.int64(rows[row, c]), 0)
        total *= np.int64(row_ids[i] >= 0)
        sums[i] = total
        new, pair = np.int64(total == 0), np.int64(token_spans[i, 2] < 0)
        pairs += pair
        new_pairs += new & pair
        new_words += new & (1 - pair)
    return pairs, new_words, new_pairs


@inlined
def count_features(features, classes, pair_weight, sections, result):
    """Fill `sums`, KNOWN and NEW of each section, and `result` from WORDS to GRAMS."""
    bounds, grams = features.bounds, sections.shape[1] - 1
    result[MailResult.WORDS : MailResult.SCORES] = 0.0
    for k in range(grams + 1):
        size = bounds[k + 1] - bounds[k]
        pairs, new_words, new_pairs = _count(features, classes, bounds[k], bounds[k + 1])
        new = float(new_words) + pair_weight * float(new_pairs)
        sections[KNOWN, k], sections[NEW, k] = float(size - pairs) + pair_weight * float(pairs) - new, new
        if k == grams:
            result[MailResult.GRAMS] = size
        else:
            result[MailResult.WORDS] += size - pairs
            result[MailResult.NEW_WORDS] += new_words
            result[MailResult.PAIRS] += pairs
            result[MailResult.NEW_PAIRS] += new_pairs


@kernel
def small_logs(smoothing, logs):
    """logs[units] = log(units / UNIT + smoothing), to look up for counts of few mails: most words are rare."""
    for units in range(logs.shape[0]):
        logs[units] = math.log(float(units) / UNIT + smoothing)


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
def add_terms(features, c, begin, end, logs, smoothing, scale, shape, weights, new, terms):
    """The terms of class number c from `begin` to `end`, added up: (OFTEN, FEW); terms[i, c] too, if terms has rows.

    `weights` and, for new features, `new` hold what a word and a pair say; `logs` are those of `small_logs`.
    """
    row_ids, token_spans, rows, sums = features.row_ids, features.token_spans, features.rows, features.sums
    explain, small = terms.shape[0] > 0, logs.shape[0]
    often, few = 0.0, 0.0
    for i in range(begin, end):
        pair, total = token_spans[i, 2] < 0, sums[i]
        own = max(np.int64(rows[max(row_ids[i], 0), COUNT + c]), 0)
        rest = max(total - own, 0)
        above, below = logs[min(own, small - 1)], logs[min(rest, small - 1)]
        if total >= small:
            above, below = math.log(float(own) / UNIT + smoothing), math.log(float(rest) / UNIT + smoothing)
        term = _shaped(above - below - scale, shape) * (weights[1] if pair else weights[0])
        term = (new[1] if pair else new[0]) if total == 0 else term
        rare = 0 < total <= _TWO_MAILS
        few += term if rare else 0.0
        often += 0.0 if rare else term
        if explain:
            terms[i, c] = term
    return often, few


@inlined
def share_terms(sums, c, begin, end, factor, believed, terms):
    """Make terms[i, c] what feature i adds to the score: its term times `factor`, nothing outside `begin` to `end`;
    of the FEW a share is `believed`."""
    for i in range(sums.shape[0]):
        share = factor if begin <= i < end else 0.0
        terms[i, c] *= share * (believed if 0 < sums[i] <= _TWO_MAILS else 1.0)
