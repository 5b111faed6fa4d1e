"""Rows of counters -> the scores of `MailNB`.

Formulas in `stream_nb.mail_nb.model`. Counters are in 1/256 of a message. Row c of `totals` (int64[classes,
MAIL_TOTALS]) belongs to class c and is laid out by `MailTotal`; `result` (float64) by `MailResult`, `settings`
(float64) by `MailSetting`.
"""

# pyright: basic

import math

import numpy as np

from stream_nb.kernels.class_balance import class_bias, moderation, smoothing_step
from stream_nb.kernels.gram_layout import GRAM
from stream_nb.kernels.jit import inlined, kernel
from stream_nb.kernels.label_trust import believed_log_odds, careful_flip_rate, trained_mass
from stream_nb.kernels.layout import COUNT, UNIT, MailResult, MailSetting
from stream_nb.kernels.novelty import counting_new, novelty_term
from stream_nb.kernels.stretch import PIECES, best_stretch, pieces_of

SCORES = MailResult.SCORES
SMOOTHING, DAMPING, SHAPE, NOVELTY = MailSetting.SMOOTHING, MailSetting.DAMPING, MailSetting.SHAPE, MailSetting.NOVELTY
PAIR_WEIGHT, TRUST, BALANCE = MailSetting.PAIR_WEIGHT, MailSetting.TRUST, MailSetting.BALANCE
_FEW = 512  # two mails' worth of counts
_GRAMS = 0.2  # their share of the score; .15 and .35 are worse on whole mails


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
def _count(row_ids, token_spans, rows, classes, begin, end, sums):
    """sums[i] = what all classes have counted of feature i, 0 for a new one; how many pairs, new words and new pairs
    there are from `begin` to `end`.

    No branch here depends on the features, so that cache misses on their counters overlap.
    """
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
def _add_terms(row_ids, token_spans, rows, c, begin, end, sums, logs, added, scale, shape, weights, new, terms):
    """The terms of class number c from `begin` to `end`, added up: of features counted often, and of those counted in
    two mails or less. `weights` and, for new features, `new` hold what a word and a pair say; terms[i, c] too, if terms
    has rows."""
    explain, small = terms.shape[0] > 0, logs.shape[0]
    often, few = 0.0, 0.0
    for i in range(begin, end):
        pair, total = token_spans[i, 2] < 0, sums[i]
        own = max(np.int64(rows[max(row_ids[i], 0), COUNT + c]), 0)
        rest = max(total - own, 0)
        above, below = logs[min(own, small - 1)], logs[min(rest, small - 1)]
        if total >= small:
            above, below = math.log(float(own) / UNIT + added), math.log(float(rest) / UNIT + added)
        term = _shaped(above - below - scale, shape) * (weights[1] if pair else weights[0])
        term = (new[1] if pair else new[0]) if total == 0 else term
        rare = 0 < total <= _FEW
        few += term if rare else 0.0
        often += 0.0 if rare else term
        if explain:
            terms[i, c] = term
    return often, few


@kernel
def score_rows(row_ids, token_spans, n, rows, totals, lent, live, lead, positive, settings, logs, result, terms):
    """Fill `result` from WORDS on; terms[i, c] too, if terms has rows: the last row, terms[n], is the bias. A starter
    in `rows` lends so many labels.

    The score of class c is half its log-odds against all the others together, so that of two classes the scores
    are opposite and their difference is the log-odds; of two only `lead` is worked out. All are 0 until two
    classes have been trained; a class not trained yet scores like the least of the others.

    What is known from two mails' worth of labels or less stands and falls with those labels: the share of such
    features in the score is believed as far as labels of reliable sources are right.

    For class number `positive` (-1: none) a mail scores at least what its best stretch does, less a penalty.
    """
    classes = totals.shape[0]
    scores = result[SCORES:]
    scores[:] = 0.0
    explain = terms.shape[0] > 0
    smoothing, shape, damping = settings[SMOOTHING], settings[SHAPE], settings[DAMPING]
    novelty, pair_weight = settings[NOVELTY], settings[PAIR_WEIGHT]
    sums = np.empty(n, np.int64)
    first_gram = n
    while first_gram > 0 and token_spans[first_gram - 1, 2] >= GRAM:
        first_gram -= 1
    pairs, new_words, new_pairs = 0, 0, 0
    pieces, ordered = pieces_of(token_spans, first_gram)
    ends = np.empty(PIECES + 1, np.int64)  # the last piece, of what has no order or is too short, is in no stretch
    in_pieces = np.empty((4, PIECES + 1))
    weights_in, new_in, often_in, few_in = in_pieces[0], in_pieces[1], in_pieces[2], in_pieces[3]
    end = 0
    for k in range(pieces + 1):
        begin, end = end, first_gram if k == pieces else ordered * (k + 1) // pieces
        ends[k] = end
        found, found_words, found_pairs = _count(row_ids, token_spans, rows, classes, begin, end, sums)
        new_in[k] = float(found_words) + pair_weight * float(found_pairs)
        weights_in[k] = float(end - begin - found) + pair_weight * float(found) - new_in[k]
        pairs += found
        new_words += found_words
        new_pairs += found_pairs
    _, new_grams, _ = _count(row_ids, token_spans, rows, classes, first_gram, n, sums)
    words, grams = first_gram - pairs, n - first_gram
    result[MailResult.WORDS], result[MailResult.NEW_WORDS] = words, new_words
    result[MailResult.PAIRS], result[MailResult.NEW_PAIRS] = pairs, new_pairs
    result[MailResult.GRAMS] = grams
    mass, ready = 0, 0
    for c in range(classes):
        mass += trained_mass(totals, c)
        ready += trained_mass(totals, c) > 0
    if ready < 2:
        return
    known = float(words - new_words) + pair_weight * float(pairs - new_pairs)
    new_weight = float(new_words) + pair_weight * float(new_pairs)
    novelty *= counting_new(known, new_weight, totals)
    weight_sum = known + novelty * new_weight
    half, gram_weight = 0.5, 0.0
    if settings[BALANCE] > 0.0:
        half *= moderation(totals, lent)
    damp = half / math.pow(weight_sum + 1.0, damping)
    if grams > 0:
        gram_weight = math.pow((weight_sum + 1.0) / (float(grams - new_grams) + 1.0), damping) * _GRAMS / (1.0 - _GRAMS)
        damp *= 1.0 - _GRAMS
    flips = 0.0
    if settings[TRUST] > 0.0:
        flips = careful_flip_rate(totals)
    first, last = (lead, lead + 1) if classes == 2 else (0, classes)
    least = -1
    for c in range(first, last):
        own_mass = trained_mass(totals, c)
        if own_mass <= 0:
            continue
        bias, added, step = 0.0, smoothing, 0
        if settings[BALANCE] > 0.0:
            bias, step = class_bias(totals, c), smoothing_step(totals, c)
            added = math.ldexp(smoothing, -step)
        if math.isnan(logs[step, 0]):
            small_logs(added, logs[step])
        all_own = float(own_mass) / UNIT + added * live
        all_rest = float(mass - own_mass) / UNIT + added * live
        scale = math.log(all_own / all_rest)
        new = novelty_term(totals, 0, c, novelty), pair_weight * novelty_term(totals, 1, c, novelty)
        all_often, all_few = 0.0, 0.0
        begin = 0
        for k in range(pieces + 1):
            often_in[k], few_in[k] = _add_terms(
                row_ids, token_spans, rows, c, begin, ends[k], sums, logs[step], added, scale, shape,
                (1.0, pair_weight), new, terms,
            )  # fmt: skip
            all_often += often_in[k]
            all_few += few_in[k]
            begin = ends[k]
        often, few = _add_terms(
            row_ids, token_spans, rows, c, first_gram, n, sums, logs[step], added, scale, shape,
            (gram_weight, gram_weight), (0.0, 0.0), terms,
        )  # fmt: skip
        damped = 2.0 * damp * (all_few + few)
        kept = damped
        if flips > 0.0:
            kept = believed_log_odds(damped, flips, settings[TRUST])
        scores[c] = (all_often + often) * damp + 0.5 * kept + bias
        believed = kept / damped if kept != damped else 1.0
        from_piece, to_piece, factor, offset = 0, pieces, damp, bias
        if pieces > 0 and (c == positive or (classes == 2 and positive >= 0)):
            sign = 1.0 if c == positive else -1.0
            for k in range(pieces):
                often_in[k] = sign * (often_in[k] + believed * few_in[k])
                weights_in[k] += novelty * new_in[k]
            best = best_stretch(often_in, weights_in, pieces, half, damping, sign * bias)
            if best[0] > sign * scores[c]:
                scores[c] = sign * best[0]
                from_piece, to_piece, factor, offset = best[1], best[2] - 1, best[3], sign * best[4]
        if explain:
            first_used = 0 if from_piece == 0 else ends[from_piece - 1]
            last_used = n if to_piece == pieces else ends[to_piece]
            for i in range(n):
                share = factor if first_used <= i < last_used else 0.0
                terms[i, c] *= share * (believed if 0 < sums[i] <= _FEW else 1.0)
            terms[n, c] = offset
        if least < 0 or scores[c] < scores[least]:
            least = c
    for c in range(classes):
        if classes == 2 and c != lead:
            scores[c] = -scores[lead]
            if explain:
                terms[:, c] = -terms[:, lead]
        elif trained_mass(totals, c) <= 0:
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
