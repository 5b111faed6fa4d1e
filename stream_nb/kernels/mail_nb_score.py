"""The recipe of MailNB: rows of counters -> scores, and scores -> what one label adds.

Formulas in `stream_nb.mail_nb.model`. Counters are in 1/256 of a message. Row c of `tallies` (int64[classes,
TALLIES]) belongs to class c: labels learned, sum of all its increments, then for words and for pairs the
features met in its messages and how many of those were new, then a histogram of the margins its labels were
learned at. `settings` (float64): smoothing, damping, shape, novelty, pair weight, band, slope of trust.

`out` (float64) is what a message is found to be: the class with the best score (-1: none, or a tie), log-odds and
probability of the positive class, slope and shift of the calibration, words, new words, pairs, new pairs, then the
score of each class.
"""

import math

import numpy as np

from stream_nb.kernels import UNIT
from stream_nb.kernels.calibration import BINS
from stream_nb.kernels.jit import inlined, kernel
from stream_nb.kernels.table import COUNT, LARGEST, LIVE

LABELS, MASS, MET, NEW, BINS_FROM = 0, 1, 2, 3, 6
TALLIES = BINS_FROM + BINS
BEST, LOG_ODDS, PROBABILITY, SLOPE, SHIFT, WORDS, SCORES = 0, 1, 2, 3, 4, 5, 9
SMOOTHING, DAMPING, SHAPE, NOVELTY, PAIR_WEIGHT, BAND, TRUST = 0, 1, 2, 3, 4, 5, 6
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

    With P = 1 / (1 + exp(-slope log_odds)) for the class told, the class is right with (1-flips) P + flips (1-P):
    never more than log((1-flips) / flips) / slope, and `log_odds` itself without flips.
    """
    fade = math.exp(-slope * abs(log_odds))
    sure = math.log((1.0 - flips + flips * fade) / ((1.0 - flips) * fade + flips)) / slope
    return math.copysign(sure, log_odds)


@inlined
def _novelty(tallies, kind, c, scale):
    """Log ratio of the share of new features in class c to that in the other classes together."""
    met, new = tallies[c, MET + 2 * kind], tallies[c, NEW + 2 * kind]
    met_rest, new_rest = -met, -new
    for d in range(tallies.shape[0]):
        met_rest += tallies[d, MET + 2 * kind]
        new_rest += tallies[d, NEW + 2 * kind]
    own = (float(max(new, 0)) / UNIT + 1.0) / (float(max(met, 0)) / UNIT + 2.0)
    rest = (float(max(new_rest, 0)) / UNIT + 1.0) / (float(max(met_rest, 0)) / UNIT + 2.0)
    return scale * math.log(own / rest)


@kernel
def score_rows(row_ids, token_spans, n, rows, tallies, live, lead, pooled, settings, logs, out, terms):
    """Fill `out` from WORDS on; terms[i, c] too, if terms has rows.

    The score of class c is half its log-odds against all the others together, so that of two classes the scores
    are opposite and their difference is the log-odds; of two only `lead` is worked out. All are 0 until two
    classes have been trained; a class not trained yet scores like the least of the others.

    What is known from two mails' worth of labels or less stands and falls with those labels: the share of such
    features in the score is believed as far as labels are right, by what `pooled` (int64[2]: labels and doubt of
    all sources together) says of them.
    """
    classes = tallies.shape[0]
    scores = out[SCORES:]
    scores[:] = 0.0
    explain = terms.shape[0] > 0
    smoothing, shape = settings[SMOOTHING], settings[SHAPE]
    novelty, pair_weight = settings[NOVELTY], settings[PAIR_WEIGHT]
    small = logs.shape[0]
    totals = np.empty(n, np.int64)
    pairs, new_words, new_pairs = 0, 0, 0
    # No branch here depends on the features, so that cache misses on their counters overlap.
    for i in range(n):
        row = max(row_ids[i], 0)
        total = 0
        for c in range(COUNT, COUNT + classes):
            total += max(np.int64(rows[row, c]), 0)
        total *= np.int64(row_ids[i] >= 0)
        totals[i] = total
        new, pair = np.int64(total == 0), np.int64(token_spans[i, 2] < 0)
        pairs += pair
        new_pairs += new & pair
        new_words += new & (1 - pair)
    out[WORDS], out[WORDS + 1], out[WORDS + 2], out[WORDS + 3] = n - pairs, new_words, pairs, new_pairs
    mass, ready = 0, 0
    for c in range(classes):
        mass += tallies[c, MASS]
        ready += tallies[c, MASS] > 0
    if ready < 2:
        return
    weight_sum = float(n - pairs - new_words) + novelty * new_words
    weight_sum += pair_weight * (float(pairs - new_pairs) + novelty * new_pairs)
    damp = 0.5 / math.pow(weight_sum + 1.0, settings[DAMPING])
    flips = 0.0
    if settings[TRUST] > 0.0 and pooled[0] >= _WARM_UP:
        flips = max(0.0, _flip_rate(pooled[0], pooled[1]) - _CARE)
    first, last = (lead, lead + 1) if classes == 2 else (0, classes)
    least = -1
    for c in range(first, last):
        if tallies[c, MASS] <= 0:
            continue
        all_own = float(tallies[c, MASS]) / UNIT + smoothing * live
        all_rest = float(mass - tallies[c, MASS]) / UNIT + smoothing * live
        scale = math.log(all_own / all_rest)
        new_word, new_pair = _novelty(tallies, 0, c, novelty), pair_weight * _novelty(tallies, 1, c, novelty)
        often, few = 0.0, 0.0
        for i in range(n):
            pair = token_spans[i, 2] < 0
            total = totals[i]
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
                if 0 < totals[i] <= _FEW:
                    terms[i, c] *= kept / told
        if least < 0 or scores[c] < scores[least]:
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
def read_scores(column, classes, lead, out):
    """Fill the class with the best score, and log-odds and probability of class number `column`, from the rest of
    `out`."""
    top, ties, rival = -math.inf, 0, -math.inf
    for c in range(classes):
        score = out[SCORES + c]
        if score == top:
            ties += 1
        elif score > top:
            top, ties = score, 0
            out[BEST] = c
        if c != column:
            rival = max(rival, score)
    if ties > 0 or classes == 0:
        out[BEST] = -1.0
    out[LOG_ODDS], out[PROBABILITY] = 0.0, 0.5
    if column >= 0 and classes > 1:
        out[LOG_ODDS] = out[SCORES + column] - rival
        shift = out[SHIFT]
        if classes == 2 and column != lead:
            shift = -shift
        z = min(max(out[SLOPE] * out[LOG_ODDS] + shift, -700.0), 700.0)
        out[PROBABILITY] = 1.0 / (1.0 + math.exp(-z))


@kernel
def grade_update(out, column, tallies, source, settings, update):
    """Fill update (int64[11]): weight, then what `MailNB` calls tallies; source (int64[2]): labels and doubt of
    their source so far.

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
    classes = tallies.shape[0]
    learned = 0
    for c in range(classes):
        learned += tallies[c, LABELS]
    best = -math.inf
    for c in range(classes):
        if c != column:
            best = max(best, out[SCORES + c])
    margin = 0.0
    if column >= 0 and best > -math.inf:
        margin = out[SCORES + column] - best
    right = 1.0
    surprise = 0.0
    enough = column >= 0 and tallies[column, LABELS] >= _CLASS_WARM_UP and source[0] >= _WARM_UP
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
    update[0] = weight
    update[1] = 1
    update[2] = weight * np.int64(out[WORDS] + out[WORDS + 2])
    for k in range(4):
        update[3 + k] = share * np.int64(out[WORDS + k])
    update[7] = np.int64(min(max(math.floor((margin + 4.0) * (BINS / 8.0)), 0), BINS - 1))
    update[8] = share
    update[9] = 1
    update[10] = np.int64(math.floor(_DOUBT_UNIT * surprise + 0.5))


@kernel
def add_update(row_ids, n, column, sign, update, rows, sizes, tallies, source, pooled):
    """Add `sign` times a update about a message of class `column`; with a weight, each feature has a row."""
    amount = sign * update[0]
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
        sizes[LIVE] += live
        sizes[LARGEST] += update[0]
    for k in range(BINS_FROM):
        tallies[column, k] += sign * update[1 + k]
    tallies[column, BINS_FROM + update[7]] += sign * update[8]
    for k in range(2):
        source[k] += sign * update[9 + k]
        pooled[k] += sign * update[9 + k]
