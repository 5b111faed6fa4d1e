"""Rows of counters -> the scores of `MailNB`.

Formulas in `stream_nb.mail_nb.model`. Counters are in 1/256 of a message. Row c of `totals` (int64[classes,
MAIL_TOTALS]) belongs to class c and is laid out by `MailTotal`; `result` (float64) by `MailResult`, `settings`
(float64) by `MailSetting`.
"""

# pyright: basic

import math

import numpy as np

from stream_nb.kernels.features.gram_layout import LONG_MAIL, SHORT_MAIL
from stream_nb.kernels.jit import inlined, kernel
from stream_nb.kernels.layout import UNIT, MailResult, MailSetting
from stream_nb.kernels.mail_nb.class_balance import class_biases, moderation, smoothing_step
from stream_nb.kernels.mail_nb.label_trust import believed_log_odds, careful_flip_rate, trained_mass
from stream_nb.kernels.mail_nb.novelty import counting_new, novelty_term
from stream_nb.kernels.mail_nb.stretch import best_stretch, section_bounds
from stream_nb.kernels.mail_nb.terms import (
    FEW,
    KNOWN,
    NEW,
    OFTEN,
    Features,
    add_terms,
    count_features,
    share_terms,
    small_logs,
)

SCORES = MailResult.SCORES
SMOOTHING, DAMPING, SHAPE, NOVELTY = MailSetting.SMOOTHING, MailSetting.DAMPING, MailSetting.SHAPE, MailSetting.NOVELTY
PAIR_WEIGHT, TRUST, BALANCE = MailSetting.PAIR_WEIGHT, MailSetting.TRUST, MailSetting.BALANCE
_GRAMS = 0.25  # share of n-grams in the score of a short message, if all its n-grams are known


@inlined
def _weights(totals, lent, settings, sections, result):
    """Return (weight of new features, half the moderation of scores, factor of all terms, weight of n-grams relative to
    words)."""
    damping, pair_weight = settings[DAMPING], settings[PAIR_WEIGHT]
    new = result[MailResult.NEW_WORDS] + pair_weight * result[MailResult.NEW_PAIRS]
    known = result[MailResult.WORDS] - result[MailResult.NEW_WORDS]
    known += pair_weight * (result[MailResult.PAIRS] - result[MailResult.NEW_PAIRS])
    novelty = settings[NOVELTY] * counting_new(known, new, totals)
    length = known + novelty * new + 1.0
    half = 0.5 * moderation(totals, lent) if settings[BALANCE] > 0.0 else 0.5
    damp = half / math.pow(length, damping)
    if result[MailResult.GRAMS] == 0.0:
        return novelty, half, damp, 0.0
    known_grams = sections[KNOWN, sections.shape[1] - 1]
    shortness = (LONG_MAIL - result[MailResult.WORDS] - result[MailResult.PAIRS]) / (LONG_MAIL - SHORT_MAIL)
    share = _GRAMS * min(shortness, 1.0) * known_grams / result[MailResult.GRAMS]
    gram_weight = math.pow(length / (known_grams + 1.0), damping) * share / (1.0 - share)
    return novelty, half, damp * (1.0 - share), gram_weight


@inlined
def _class_terms(features, totals, live, c, settings, logs, novelty, gram_weight, sections, terms):
    """Fill OFTEN and FEW of each section, and terms[:, c] if terms has rows, for class number c."""
    bounds, grams, pair_weight = features.bounds, sections.shape[1] - 1, settings[PAIR_WEIGHT]
    step = smoothing_step(totals, c) if settings[BALANCE] > 0.0 else 0
    smoothing = math.ldexp(settings[SMOOTHING], -step)
    if math.isnan(logs[step, 0]):
        small_logs(smoothing, logs[step])
    own, rest = trained_mass(totals, c), 0
    for d in range(totals.shape[0]):
        rest += trained_mass(totals, d) if d != c else 0
    scale = math.log((float(own) / UNIT + smoothing * live) / (float(rest) / UNIT + smoothing * live))
    new = novelty_term(totals, 0, c, novelty), pair_weight * novelty_term(totals, 1, c, novelty)
    for k in range(grams + 1):
        weights = (gram_weight, gram_weight) if k == grams else (1.0, pair_weight)
        sections[OFTEN, k], sections[FEW, k] = add_terms(
            features, c, bounds[k], bounds[k + 1], logs[step], smoothing, scale, settings[SHAPE], weights,
            (0.0, 0.0) if k == grams else new, terms,
        )  # fmt: skip


@kernel
def score_rows(row_ids, token_spans, n, rows, totals, lent, live, lead, positive, settings, logs, result, terms):
    """Fill `result` from WORDS on, and terms[i, c] if terms has rows; the last row, terms[n], is the bias. If `rows`
    include counts of a starter, these are worth `lent` labels.

    The score of class c is half its log-odds against all other classes together. With two classes, the scores are
    opposite and their difference is the log-odds; only that of `lead` is computed. All scores are 0 until two classes
    have been trained; a class that has not been trained gets the lowest score of the others.

    Features that are known from at most two mails' worth of labels depend on these few labels. Therefore their share of
    the score is believed only as far as labels of reliable sources are right.

    Class number `positive` (-1: none) scores at least as much as the best stretch of the mail, less a penalty.
    """
    classes, scores, explain = totals.shape[0], result[SCORES:], terms.shape[0] > 0
    scores[:] = 0.0
    bounds = section_bounds(token_spans, n)
    features = Features(row_ids, token_spans, rows, np.empty(n, np.int64), bounds)
    pieces, sections = bounds.shape[0] - 3, np.empty((4, bounds.shape[0] - 1))
    count_features(features, classes, settings[PAIR_WEIGHT], sections, result)
    ready = 0
    for c in range(classes):
        ready += trained_mass(totals, c) > 0
    if ready < 2:
        return
    novelty, half, damp, gram_weight = _weights(totals, lent, settings, sections, result)
    flips = careful_flip_rate(totals) if settings[TRUST] > 0.0 else 0.0
    biases = class_biases(totals, flips) if settings[BALANCE] > 0.0 else np.zeros(classes)
    least = -1
    for c in range(classes):
        if trained_mass(totals, c) <= 0 or (classes == 2 and c != lead):
            continue
        bias = biases[c]
        _class_terms(features, totals, live, c, settings, logs, novelty, gram_weight, sections, terms)
        often, few = 0.0, 0.0
        for k in range(sections.shape[1]):
            often += sections[OFTEN, k]
            few += sections[FEW, k]
        few *= 2.0 * damp
        kept = believed_log_odds(few, flips, settings[TRUST]) if flips > 0.0 else few
        believed = kept / few if kept != few else 1.0
        scores[c] = often * damp + 0.5 * kept + bias
        begin, end, factor, offset = 0, n, damp, bias
        if c == positive or (classes == 2 and positive >= 0):
            sign = 1.0 if c == positive else -1.0
            for k in range(pieces):
                sections[OFTEN, k] = sign * (sections[OFTEN, k] + believed * sections[FEW, k])
                sections[KNOWN, k] += novelty * sections[NEW, k]
            best = best_stretch(sections[OFTEN], sections[KNOWN], pieces, half, settings[DAMPING], sign * bias)
            if best[0] > sign * scores[c]:
                scores[c] = sign * best[0]
                begin, end, factor, offset = bounds[best[1]], bounds[best[2]], best[3], sign * best[4]
        if explain:
            share_terms(features.sums, c, begin, end, factor, believed, terms)
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
    """Fill the class with the best score, and log-odds and probability of class number `column`, from the scores and
    the calibration in `result`."""
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
