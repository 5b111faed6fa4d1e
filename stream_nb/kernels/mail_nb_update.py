"""The scores of `MailNB` -> what one label adds to its counters, and adding it.

Formulas in `stream_nb.mail_nb.model`. Counters are in 1/256 of a message. Row c of `totals` (int64[classes,
MAIL_TOTALS]) belongs to class c and is laid out by `MailTotal`; `result` (float64) by `MailResult`, `settings`
(float64) by `MailSetting`, `update` (int64) by `MailUpdate`.
"""

# pyright: basic

import math

import numpy as np

from stream_nb.kernels.jit import kernel
from stream_nb.kernels.label_trust import WARM_UP, label_belief, margin_bin
from stream_nb.kernels.layout import COUNT, DOUBT_UNIT, UNIT, MailResult, MailSetting, MailTotal, MailUpdate, Size

MASS, SCORES = MailTotal.MASS, MailResult.SCORES
BAND, TRUST = MailSetting.BAND, MailSetting.TRUST


@kernel
def grade_update(result, column, totals, source, settings, update):
    """Fill `update`; source (int64[2]): labels and doubt of its source so far.

    The margin m of the label grades the increment: r = min(1, max(0, 1 - m / band)). It counts by r g, g as
    `label_belief` finds it.
    """
    classes = totals.shape[0]
    learned = 0
    for c in range(classes):
        learned += totals[c, MailTotal.LABELS]
    best = -math.inf
    for c in range(classes):
        if c != column:
            best = max(best, result[SCORES + c])
    margin = 0.0
    if column >= 0 and best > -math.inf:
        margin = result[SCORES + column] - best
    right, surprise = label_belief(margin, column, totals, learned, source, settings[TRUST])
    grade = 1.0
    if learned >= WARM_UP:
        grade = min(1.0, max(0.0, 1.0 - margin / settings[BAND]))
    weight = np.int64(math.floor(UNIT * grade * right + 0.5))
    share = np.int64(math.floor(UNIT * right + 0.5))
    update[MailUpdate.WEIGHT] = weight
    update[MailUpdate.TOTALS + MailTotal.LABELS] = 1
    update[MailUpdate.TOTALS + MASS] = weight * np.int64(result[MailResult.WORDS] + result[MailResult.PAIRS])
    for k in range(4):
        update[MailUpdate.TOTALS + MailTotal.WORDS_MET + k] = share * np.int64(result[MailResult.WORDS + k])
    update[MailUpdate.BIN] = margin_bin(margin)
    update[MailUpdate.BIN_GAIN] = share
    update[MailUpdate.SOURCE] = 1
    update[MailUpdate.SOURCE + 1] = np.int64(math.floor(DOUBT_UNIT * surprise + 0.5))


@kernel
def add_update(row_ids, n, column, sign, update, rows, sizes, totals, source, all_sources):
    """Add `sign` times an update about a message of class `column`; with a weight, each feature has a row."""
    amount = sign * update[MailUpdate.WEIGHT]
    if amount != 0:
        own = COUNT + column
        live = 0
        for i in range(n):
            row = row_ids[i]
            others = 0
            for c in range(COUNT, rows.shape[1]):
                if c != own:
                    others |= rows[row, c]
            before = np.int64(rows[row, own])
            rows[row, own] = before + amount
            if others == 0:
                live += np.int64(before + amount != 0) - np.int64(before != 0)
        sizes[Size.LIVE] += live
        sizes[Size.LARGEST] += update[MailUpdate.WEIGHT]
    for k in range(MailTotal.MARGINS):
        totals[column, k] += sign * update[MailUpdate.TOTALS + k]
    totals[column, MailTotal.MARGINS + update[MailUpdate.BIN]] += sign * update[MailUpdate.BIN_GAIN]
    for k in range(2):
        source[k] += sign * update[MailUpdate.SOURCE + k]
        all_sources[k] += sign * update[MailUpdate.SOURCE + k]
