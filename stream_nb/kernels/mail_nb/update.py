"""The scores of `MailNB` -> what one label adds to its counters, and adding it.

Formulas in `stream_nb.mail_nb.model`. Counters are in 1/256 of a message. Row c of `totals` (int64[classes,
MAIL_TOTALS]) belongs to class c and is laid out by `MailTotal`; `result` (float64) by `MailResult`, `settings`
(float64) by `MailSetting`, `update` (int64) by `MailUpdate`.
"""

# pyright: basic

import math

import numpy as np

from stream_nb.kernels.jit import inlined, kernel
from stream_nb.kernels.layout import (
    COUNT,
    DOUBT_UNIT,
    UNIT,
    MailResult,
    MailSetting,
    MailTotal,
    MailUpdate,
    OriginatorCount,
    Size,
)
from stream_nb.kernels.mail_nb.label_trust import WARM_UP, flip_rate, label_belief, margin_bin, trained_mass
from stream_nb.kernels.mail_nb.originator_trust import MOST_RUN, originator_belief

SCORES = MailResult.SCORES
BAND, TRUST = MailSetting.BAND, MailSetting.TRUST
_MOST_TAKEN = 4.0
_YOUNG = 150.0  # labels of a class at which an error takes half of the full amount from it


@inlined
def _taken(margin, column, rival, totals):
    """Return what a believed label of this margin takes from the rival's counters, in mails.

    Only an error takes anything: -m, at most 4 mails. A rival with n labels loses n / (n + 150) of that, because the
    errors of a young model come from knowing few words, not from a changed mind. A rival with a share s < 1 of the
    labels of the class loses only sqrt(s) of that, so that wrong labels do not wear down a rare class.

    Without trust nothing is taken, because (1-AUC) with 5 % flips would triple. Tried and worse: labels of margins up
    to 1 take, too; errors count 2 or 3 times instead of taking; N shrinks by what is taken.
    """
    if rival < 0 or margin >= 0.0 or trained_mass(totals, column) <= 0 or trained_mass(totals, rival) <= 0:
        return 0.0
    own, others = float(max(totals[column, MailTotal.LABELS], 0)), float(max(totals[rival, MailTotal.LABELS], 0))
    share = min((others + 1.0) / (own + 1.0), 1.0)
    return min(-margin, _MOST_TAKEN) * others / (others + _YOUNG) * math.sqrt(share)


@kernel
def grade_update(result, column, totals, source, originator, settings, update):
    """Fill `update` for a label. `source` (int64[2]) is labels and doubt of its source so far; `originator`
    (int64[RUNS + classes]) are the counts of the mail's originator, int64[0] if that is unknown.

    The margin m of the label grades the increment: r = min(1, max(0, 1 - m / band)). The increment is r g, where g is
    how far the label is believed (`label_belief`, `originator_belief`). With trust, the label also takes g times
    `_taken` from the features' counters in the best other class. With two classes, the opposite of a liar's label is
    learned as far as that is right, by the counters alone.
    """
    classes = totals.shape[0]
    learned, rival = 0, -1
    for c in range(classes):
        learned += totals[c, MailTotal.LABELS]
    best = -math.inf
    for c in range(classes):
        if c != column and result[SCORES + c] > best:
            best, rival = result[SCORES + c], c
    margin = 0.0
    if column >= 0 and best > -math.inf:
        margin = result[SCORES + column] - best
    right, surprise, reliability, opposite = label_belief(margin, column, totals, learned, source, settings[TRUST])
    changed, run = 0.0, 0.0
    if originator.shape[0] > 0 and column >= 0 and margin < 0.0 and learned >= WARM_UP and settings[TRUST] > 0.0:
        flips = flip_rate(source[0], source[1])
        right, changed = originator_belief(right, flips, originator, column)
        surprise *= 1.0 - changed
        run = min(max(float(originator[OriginatorCount.RUNS + column]), 0.0), MOST_RUN)
    grade, taken = 1.0, 0.0
    if learned >= WARM_UP:
        grade = min(1.0, max(0.0, 1.0 - margin / settings[BAND]))
        if column >= 0 and settings[TRUST] > 0.0:
            taken = right * _taken(margin, column, rival, totals) * (1.0 + changed * run)
            if opposite > 0.0 and classes == 2:
                taken = -opposite * min(1.0, max(0.0, 1.0 + margin / settings[BAND]))
    weight = np.int64(math.floor(UNIT * grade * right + 0.5))
    share = np.int64(math.floor(UNIT * right + 0.5))
    update[MailUpdate.WEIGHT] = weight
    update[MailUpdate.LABELS] = 1
    features = np.int64(result[MailResult.WORDS] + result[MailResult.PAIRS] + result[MailResult.GRAMS])
    update[MailUpdate.MASS] = weight * features
    for k in range(4):
        update[MailUpdate.WORDS_MET + k] = share * np.int64(result[MailResult.WORDS + k])
    update[MailUpdate.RELIABLE] = np.int64(math.floor(UNIT * reliability + 0.5))
    update[MailUpdate.DOUBTED] = np.int64(math.floor(DOUBT_UNIT * reliability * surprise + 0.5))
    update[MailUpdate.BIN] = margin_bin(margin)
    update[MailUpdate.BIN_GAIN] = share
    update[MailUpdate.ALL_GAIN] = UNIT if best > -math.inf else 0
    update[MailUpdate.SOURCE_LABELS] = 1
    update[MailUpdate.SOURCE_DOUBT] = np.int64(math.floor(DOUBT_UNIT * surprise + 0.5))
    update[MailUpdate.TAKEN] = np.int64(math.floor(UNIT * taken + 0.5))
    update[MailUpdate.RIVAL] = rival if update[MailUpdate.TAKEN] != 0 else -1


@inlined
def _add_to_rows(row_ids, n, column, amount, rows, sizes):
    """Add `amount` to the counters of a message's features for one class."""
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


@kernel
def add_update(row_ids, n, column, sign, update, rows, sizes, totals, source):
    """Add `sign` times an update from a message of class `column`. If it changes counters, each feature has a row."""
    weight, taken, rival = update[MailUpdate.WEIGHT], update[MailUpdate.TAKEN], update[MailUpdate.RIVAL]
    if weight != 0:
        _add_to_rows(row_ids, n, column, sign * weight, rows, sizes)
    if taken != 0:
        _add_to_rows(row_ids, n, rival, -sign * taken, rows, sizes)
        totals[rival, MailTotal.MASS] -= sign * taken * n
        totals[rival, MailTotal.TAKEN] += sign * taken * n
    sizes[Size.LARGEST] += max(weight, abs(taken))
    for k in range(MailUpdate.BIN):
        totals[column, k] += sign * update[k]
    totals[column, MailTotal.MARGINS + update[MailUpdate.BIN]] += sign * update[MailUpdate.BIN_GAIN]
    totals[column, MailTotal.ALL_MARGINS + update[MailUpdate.BIN]] += sign * update[MailUpdate.ALL_GAIN]
    source[0] += sign * update[MailUpdate.SOURCE_LABELS]
    source[1] += sign * update[MailUpdate.SOURCE_DOUBT]
