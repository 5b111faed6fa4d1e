"""The scores of `MailNB` -> what one label adds to its counters, and adding it.

Formulas in `stream_nb.mail_nb.model`. Counters are in 1/256 of a message. Row c of `totals` (int64[classes,
MAIL_TOTALS]) belongs to class c and is laid out by `MailTotal`; `result` (float64) by `MailResult`, `settings`
(float64) by `MailSetting`, `update` (int64) by `MailUpdate`.
"""

# pyright: basic

import math

import numpy as np

from stream_nb.kernels.jit import kernel
from stream_nb.kernels.label_trust import CARE, WARM_UP, flip_rate
from stream_nb.kernels.layout import BINS, COUNT, DOUBT_UNIT, UNIT, MailResult, MailSetting, MailTotal, MailUpdate, Size

MASS, SCORES = MailTotal.MASS, MailResult.SCORES
BAND, TRUST = MailSetting.BAND, MailSetting.TRUST
_CLASS_WARM_UP = 50  # labels of a class before one of them is doubted; see `grade_update`
_FLOOR = 0.02


@kernel
def grade_update(result, column, totals, source, settings, update):
    """Fill `update`; source (int64[2]): labels and doubt of its source so far.

    The margin m of the label grades the increment: r = min(1, max(0, 1 - m / band)). The source flips a
    share eps of its labels, as far as is known; the label is right with q = p(1-e) / (p(1-e) + (1-p)e), p =
    1/(1+exp(-trust m)).

    It is doubted, and its source with it, once the source has given 20 labels and its class has had 50: all that is
    known of mail speaks against the first labels of a class that comes late, and doubted they would never be learned.
    Measured on Enron 1 to 3 and SpamAssassin (`tests/benchmarks/robustness.py`, mean of the four, geometric for
    1-AUC; all in percent), by the labels that a class has had before one is doubted:

    |                                  |    0 |   20 |   50 |  100 | trust off |
    |----------------------------------|------|------|------|------|-----------|
    | as they come: 1-AUC              | .036 | .036 | .036 | .036 |      .036 |
    | 500 ham first: spam missed       | 19.3 |  2.4 |  2.3 |  2.2 |       2.2 |
    | 500 spam first: ham lost         | 11.6 |  1.0 |  1.0 |   .9 |        .9 |
    | all ham first: spam missed       | 38.7 |  6.8 |  4.8 |  4.3 |       4.5 |
    | all spam first: ham lost         | 13.2 |  1.6 |  1.5 |  1.4 |       1.4 |
    | ham 1 in 31: ham lost            | 63.9 | 34.1 | 33.8 | 33.8 |      34.0 |
    | spam 1 in 31: spam missed        | 41.9 | 29.3 | 29.3 | 29.3 |      29.2 |
    | 5 % flips, as they come: 1-AUC   | .072 | .072 | .081 | .087 |      .386 |
    | flips, 500 ham first: missed     | 23.6 |  2.6 |  2.6 |  2.5 |       2.6 |
    | flips, 500 spam first: ham lost  | 13.6 |  1.4 |  1.3 |  1.2 |       1.8 |
    | flips, ham 1 in 31: ham lost     | 79.6 | 32.8 | 27.9 | 28.0 |      27.3 |
    | flips, spam 1 in 31: missed      | 48.2 | 30.3 | 20.5 | 18.3 |      18.8 |
    | flips, spam 1 in 31: ham lost    |   .3 |   .6 |  1.0 |  1.5 |       2.8 |

    So 20 is too few where a class comes very late or labels of a rare one are wrong, and 100 lets more wrong labels in.
    To ask for 50 labels of the source, too, cost where sources are many; to count the doubt in labels that are not
    doubted yet gained nothing.
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
    right = 1.0
    surprise = 0.0
    enough = column >= 0 and totals[column, MailTotal.LABELS] >= _CLASS_WARM_UP and source[0] >= WARM_UP
    if settings[TRUST] > 0.0 and enough:
        believed = 1.0 / (1.0 + math.exp(-min(max(settings[TRUST] * margin, -500.0), 500.0)))
        flips = flip_rate(source[0], source[1])
        kept = believed * (1.0 - flips)
        surprise = 1.0 - kept / (kept + (1.0 - believed) * flips)
        careful = max(0.0, flips - CARE)
        if careful > 0.0:
            kept = believed * (1.0 - careful)
            right = max(kept / (kept + (1.0 - believed) * careful), _FLOOR)
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
    update[MailUpdate.BIN] = np.int64(min(max(math.floor((margin + 4.0) * (BINS / 8.0)), 0), BINS - 1))
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
