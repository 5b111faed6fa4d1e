"""Rows of counters -> the scores of `MailNB`, and scores -> what one label adds.

Formulas in `stream_nb.mail_nb.model`. Counters are in 1/256 of a message. Row c of `totals` (int64[classes,
MAIL_TOTALS]) belongs to class c and is laid out by `MailTotal`; `result` (float64) by `MailResult`, `settings`
(float64) by `MailSetting`, `update` (int64) by `MailUpdate`.
"""

# pyright: basic

import math

import numpy as np

from stream_nb.kernels.jit import inlined, kernel
from stream_nb.kernels.layout import BINS, COUNT, UNIT, MailResult, MailSetting, MailTotal, MailUpdate, Size

MASS, SCORES = MailTotal.MASS, MailResult.SCORES
SMOOTHING, DAMPING, SHAPE, NOVELTY = MailSetting.SMOOTHING, MailSetting.DAMPING, MailSetting.SHAPE, MailSetting.NOVELTY
PAIR_WEIGHT, BAND, TRUST = MailSetting.PAIR_WEIGHT, MailSetting.BAND, MailSetting.TRUST
_DOUBT_UNIT = 65536.0
_WARM_UP = 20
_CLASS_WARM_UP = 50  # labels of a class before one of them is doubted; see `recipe_grade`
_FLOOR = 0.02
_CARE = 0.003
_FEW = 512  # two mails' worth of counts


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
def _flip_rate(labels, doubt):
    """The share of wrong labels among `labels`, as far as is known: half a wrong label in 50 before the first."""
    return min(max((0.5 + float(doubt) / _DOUBT_UNIT) / (50.0 + float(labels)), 0.0), 0.5)


@inlined
def _believed(log_odds, flips, slope):
    """What `log_odds` from a label or two are worth when a share `flips` of labels is wrong.

    With P = 1 / (1 + exp(-slope log_odds)) for the class of a label, the class is right with (1-flips) P + flips (1-P):
    never more than log((1-flips) / flips) / slope, and `log_odds` itself without flips.
    """
    fade = math.exp(-slope * abs(log_odds))
    sure = math.log((1.0 - flips + flips * fade) / ((1.0 - flips) * fade + flips)) / slope
    return math.copysign(sure, log_odds)


@inlined
def _novelty(totals, kind, c, scale):
    """Log ratio of the share of new features in class c to that in the other classes together."""
    met, new = totals[c, MailTotal.WORDS_MET + 2 * kind], totals[c, MailTotal.NEW_WORDS + 2 * kind]
    met_rest, new_rest = -met, -new
    for d in range(totals.shape[0]):
        met_rest += totals[d, MailTotal.WORDS_MET + 2 * kind]
        new_rest += totals[d, MailTotal.NEW_WORDS + 2 * kind]
    own = (float(max(new, 0)) / UNIT + 1.0) / (float(max(met, 0)) / UNIT + 2.0)
    rest = (float(max(new_rest, 0)) / UNIT + 1.0) / (float(max(met_rest, 0)) / UNIT + 2.0)
    return scale * math.log(own / rest)


@kernel
def score_rows(row_ids, token_spans, n, rows, totals, live, lead, all_sources, settings, logs, result, terms):
    """Fill `result` from WORDS on; terms[i, c] too, if terms has rows.

    The score of class c is half its log-odds against all the others together, so that of two classes the scores
    are opposite and their difference is the log-odds; of two only `lead` is worked out. All are 0 until two
    classes have been trained; a class not trained yet scores like the least of the others.

    What is known from two mails' worth of labels or less stands and falls with those labels: the share of such
    features in the score is believed as far as labels are right, by what `all_sources` (int64[2]: labels and doubt of
    all sources together) says of them.
    """
    classes = totals.shape[0]
    scores = result[SCORES:]
    scores[:] = 0.0
    explain = terms.shape[0] > 0
    smoothing, shape = settings[SMOOTHING], settings[SHAPE]
    novelty, pair_weight = settings[NOVELTY], settings[PAIR_WEIGHT]
    small = logs.shape[0]
    sums = np.empty(n, np.int64)
    pairs, new_words, new_pairs = 0, 0, 0
    # No branch here depends on the features, so that cache misses on their counters overlap.
    for i in range(n):
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
    result[MailResult.WORDS], result[MailResult.NEW_WORDS] = n - pairs, new_words
    result[MailResult.PAIRS], result[MailResult.NEW_PAIRS] = pairs, new_pairs
    mass, ready = 0, 0
    for c in range(classes):
        mass += totals[c, MASS]
        ready += totals[c, MASS] > 0
    if ready < 2:
        return
    weight_sum = float(n - pairs - new_words) + novelty * new_words
    weight_sum += pair_weight * (float(pairs - new_pairs) + novelty * new_pairs)
    damp = 0.5 / math.pow(weight_sum + 1.0, settings[DAMPING])
    flips = 0.0
    if settings[TRUST] > 0.0 and all_sources[0] >= _WARM_UP:
        flips = max(0.0, _flip_rate(all_sources[0], all_sources[1]) - _CARE)
    first, last = (lead, lead + 1) if classes == 2 else (0, classes)
    least = -1
    for c in range(first, last):
        if totals[c, MASS] <= 0:
            continue
        all_own = float(totals[c, MASS]) / UNIT + smoothing * live
        all_rest = float(mass - totals[c, MASS]) / UNIT + smoothing * live
        scale = math.log(all_own / all_rest)
        new_word, new_pair = _novelty(totals, 0, c, novelty), pair_weight * _novelty(totals, 1, c, novelty)
        often, few = 0.0, 0.0
        for i in range(n):
            pair = token_spans[i, 2] < 0
            total = sums[i]
            own = max(np.int64(rows[max(row_ids[i], 0), COUNT + c]), 0)
            rest = max(total - own, 0)
            above, below = logs[min(own, small - 1)], logs[min(rest, small - 1)]
            if total >= small:
                above, below = math.log(float(own) / UNIT + smoothing), math.log(float(rest) / UNIT + smoothing)
            term = _shaped(above - below - scale, shape) * (pair_weight if pair else 1.0)
            new = new_pair if pair else new_word
            term = new if total == 0 else term
            rare = 0 < total <= _FEW
            few += term if rare else 0.0
            often += 0.0 if rare else term
            if explain:
                terms[i, c] = term * damp
        told = 2.0 * damp * few
        kept = told
        if flips > 0.0:
            kept = _believed(told, flips, settings[TRUST])
        scores[c] = often * damp + 0.5 * kept
        if explain and kept != told:
            for i in range(n):
                if 0 < sums[i] <= _FEW:
                    terms[i, c] *= kept / told
        if least < 0 or scores[c] < scores[least]:
            least = c
    for c in range(classes):
        if classes == 2 and c != lead:
            scores[c] = -scores[lead]
            if explain:
                terms[:, c] = -terms[:, lead]
        elif totals[c, MASS] <= 0:
            scores[c] = scores[least]
            if explain:
                terms[:, c] = terms[:, least]


@kernel
def read_scores(column, classes, lead, result):
    """Fill the class with the best score, and log-odds and probability of class number `column`, from the rest of
    `result`."""
    top, ties, rival = -math.inf, 0, -math.inf
    for c in range(classes):
        score = result[SCORES + c]
        if score == top:
            ties += 1
        elif score > top:
            top, ties = score, 0
            result[MailResult.BEST] = c
        if c != column:
            rival = max(rival, score)
    if ties > 0 or classes == 0:
        result[MailResult.BEST] = -1.0
    result[MailResult.LOG_ODDS], result[MailResult.PROBABILITY] = 0.0, 0.5
    if column >= 0 and classes > 1:
        result[MailResult.LOG_ODDS] = result[SCORES + column] - rival
        shift = result[MailResult.SHIFT]
        if classes == 2 and column != lead:
            shift = -shift
        z = min(max(result[MailResult.SLOPE] * result[MailResult.LOG_ODDS] + shift, -700.0), 700.0)
        result[MailResult.PROBABILITY] = 1.0 / (1.0 + math.exp(-z))


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
    enough = column >= 0 and totals[column, MailTotal.LABELS] >= _CLASS_WARM_UP and source[0] >= _WARM_UP
    if settings[TRUST] > 0.0 and enough:
        believed = 1.0 / (1.0 + math.exp(-min(max(settings[TRUST] * margin, -500.0), 500.0)))
        flips = _flip_rate(source[0], source[1])
        kept = believed * (1.0 - flips)
        surprise = 1.0 - kept / (kept + (1.0 - believed) * flips)
        careful = max(0.0, flips - _CARE)
        if careful > 0.0:
            kept = believed * (1.0 - careful)
            right = max(kept / (kept + (1.0 - believed) * careful), _FLOOR)
    grade = 1.0
    if learned >= _WARM_UP:
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
    update[MailUpdate.SOURCE + 1] = np.int64(math.floor(_DOUBT_UNIT * surprise + 0.5))


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
