"""Rows of counters -> the terms of a mail's features for a class, summed by section of the mail.

The sections are the pieces of `stretch`, then the features in no piece, then the character n-grams. `settings`
(float64) is laid out by `MailSetting`, `result` (float64) by `MailResult`.
"""

# pyright: basic

import math
from typing import Any, NamedTuple

import numpy as np

from stream_nb.kernels.jit import inlined, kernel
from stream_nb.kernels.layout import COUNT, UNIT, MailResult

KNOWN, NEW, OFTEN, FEW = range(4)
"""Rows of `sections`: the weights of known and of new features; the sum of all terms but FEW, and of the terms of
features that were counted in at most two mails (FEW)."""

_TWO_MAILS = 2 * UNIT


class Features(NamedTuple):
    """The features of a mail: their rows in the table, their locations in the mail, the rows of the table, the count of
    each feature over all classes, and where each section begins and the last one ends."""

    row_ids: Any
    token_spans: Any
    rows: Any
    sums: Any
    bounds: Any


@inlined
def _count(features, classes, begin, end):
    """Fill sums[i] with the count of feature i over all classes, 0 for a new one. Returns the numbers of pairs, new
    words and new pairs from `begin` to `end`.

    No branch depends on the features, so that cache misses on their counters overlap.
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
    """Fill logs[units] with log(units / UNIT + smoothing), to be looked up for small counts: most words are rare."""
    for units in range(logs.shape[0]):
        logs[units] = math.log(float(units) / UNIT + smoothing)


@inlined
def _shaped(ratio, shape):
    """Return sign(w) |w|^shape. For the default shape 1.5, the square root is four times as fast as the power."""
    if shape == 1.0:
        return ratio
    size = abs(ratio)
    if shape == 1.5:
        return ratio * math.sqrt(size)
    return math.copysign(math.pow(size, shape), ratio)


@inlined
def add_terms(features, c, begin, end, logs, smoothing, scale, shape, weights, new, terms):
    """Return the sums (OFTEN, FEW) of the terms for class number c from `begin` to `end`; fill terms[i, c], too, if
    terms has rows.

    `weights` are those of a word and a pair, `new` the terms of a new word and a new pair; `small_logs` fills `logs`.
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
    """Turn terms[i, c] into what feature i adds to the score: its term times `factor`, times `believed` if it is one of
    the FEW; 0 outside of `begin` to `end`."""
    for i in range(sums.shape[0]):
        share = factor if begin <= i < end else 0.0
        terms[i, c] *= share * (believed if 0 < sums[i] <= _TWO_MAILS else 1.0)
