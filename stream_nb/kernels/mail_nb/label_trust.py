"""How far a label can be believed, by the estimated share of wrong labels of its source."""

# pyright: basic

import math

import numpy as np

from stream_nb.kernels.jit import inlined
from stream_nb.kernels.layout import BINS, DOUBT_UNIT, UNIT, WIDEST, MailTotal

WARM_UP = 20
"""Number of labels before the first one is doubted."""

CARE = 0.003
"""So small a share of wrong labels counts as none."""

_VARIANCE = 20.0  # of a score, times (labels it is learned from + 2)
_YOUNG = 10.0  # labels of a class at which a quarter of its allowance is left
FLOOR = 0.02
"""The least that a label counts, times the reliability of its source."""

_MOST_WRONG = 0.25  # of all labels, through one source
_CHANGED = 0.001  # of labels contradict a sure score, because people change their minds, or new kinds of mail appear


@inlined
def flip_rate(labels, doubt):
    """Estimate the share of wrong labels among `labels`; the prior is a tenth of a wrong label in 10.

    The share may exceed one half, so that a source that lies is recognized. `labels` may be below 0, if labels are
    unlearned under another source than they were learned under, or after decay.
    """
    return max((0.1 + float(doubt) / DOUBT_UNIT) / max(10.0 + float(labels), 1.0), 0.0)


@inlined
def trained_mass(totals, column):
    """Return the sum of all increments by labels of a class, regardless of what labels of other classes took from it.

    Unlearning a label after features were evicted or halved subtracts more than is left; a sum below 0 counts as 0.
    """
    return max(totals[column, MailTotal.MASS] + totals[column, MailTotal.TAKEN], 0)


@inlined
def careful_flip_rate(totals):
    """Return the share of wrong labels among labels of reliable sources, less CARE; 0 before there are 20."""
    reliable, doubted = 0, 0
    for c in range(totals.shape[0]):
        reliable += totals[c, MailTotal.RELIABLE]
        doubted += totals[c, MailTotal.DOUBTED]
    if reliable < WARM_UP * UNIT:
        return 0.0
    return max(flip_rate(float(reliable) / UNIT, doubted) - CARE, 0.0)


@inlined
def believed_log_odds(log_odds, flips, slope):
    """Return what `log_odds` from a label or two are worth if a share `flips` of labels is wrong.

    With P = 1 / (1 + exp(-slope log_odds)) for the class of a label, the class is right with probability
    (1-flips) P + flips (1-P). The log-odds of this, over slope, are at most log((1-flips) / flips) / slope. They are
    `log_odds` itself without flips, and 0 if half of the labels are wrong.
    """
    flips = min(flips, 0.5)
    fade = math.exp(-slope * abs(log_odds))
    sure = math.log((1.0 - flips + flips * fade) / ((1.0 - flips) * fade + flips)) / slope
    return math.copysign(sure, log_odds)


@inlined
def margin_bin(margin):
    """Return the bin of a margin in the histogram of margins."""
    return np.int64(min(max(math.floor((margin + WIDEST) * (BINS / (2.0 * WIDEST))), 0), BINS - 1))


@inlined
def _allowance(column, margin, totals):
    """Return how likely a right label of the class has at most this margin, judging by its past labels; 0 to 1.

    Of B labels of the class that were believed, b had such a margin: (b + 1/2) / (B + 1). This is multiplied by
    (10 / (10 + n))^2, which falls with the labels n of the class, and by 1 - classes B / all B, which is 0 if the class
    has its share of all believed labels. The reason is that a model knows little of a class that is rare or comes late.
    """
    if column < 0:
        return 0.5
    classes = totals.shape[0]
    last = margin_bin(margin)
    own, below, everything = 0, 0, 0
    for k in range(BINS):
        gain = totals[column, MailTotal.MARGINS + k]
        own += gain
        if k <= last:
            below += gain
        for c in range(classes):
            everything += totals[c, MailTotal.MARGINS + k]
    own, below = max(own, 0), max(below, 0)
    if everything <= 0:
        return 0.0
    missing = max(1.0 - float(classes) * float(own) / float(everything), 0.0)
    young = _YOUNG / (_YOUNG + float(max(totals[column, MailTotal.LABELS], 0)))
    return missing * young * young * (float(below) / UNIT + 0.5) / (float(own) / UNIT + 1.0)


@inlined
def _predictive(margin, learned, slope):
    """Return 1 / (1 + exp(-slope m)), averaged over the margins that other labels, equally few, might have given.

    A margin from n labels is taken as normal with variance v = 20 / (n + 2). The average is then
    1 / (1 + exp(-slope m / sqrt(1 + pi / 8 slope^2 v))). Tried and worse: the labels of the smaller class instead of
    n / 2 (wrong labels for 20 % of one class then cost up to half as much again). Source: MacKay, The evidence
    framework applied to classification networks (1992), for the average.
    """
    variance = _VARIANCE / (2.0 + float(max(learned, 0)))
    steep = slope / math.sqrt(1.0 + math.pi / 8.0 * slope * slope * variance)
    return 1.0 / (1.0 + math.exp(-min(max(steep * margin, -500.0), 500.0)))


@inlined
def _right(believed, flips):
    """Return the probability that a label is right. `believed` is this probability according to the model, `flips` the
    share of wrong labels of its source."""
    kept = believed * (1.0 - flips)
    return kept / max(kept + (1.0 - believed) * flips, 1e-300)


@inlined
def label_belief(margin, column, totals, learned, source, slope):
    """Return (how much a label counts, how likely it is wrong, how reliable its source is, how much the opposite label
    counts), each 0 to 1. The label has the margin `margin` and is for class number `column` (-1: a new class);
    `learned` is the number of labels so far, `source` (int64[2]) are labels and doubt of its source.

    For the model, the label is right with probability p = max(1 / (1 + exp(-slope m)), a, 0.001), where m is the margin
    and a the `_allowance` of its class. The bound 0.001 is there because people change their minds, and new kinds of
    mail appear. The source is wrong in a share e of its labels (`flip_rate`), limited so that one source cannot make
    more than a quarter of all labels wrong. So the label is right with probability q(e) = p(1-e) / (p(1-e) + (1-p) e),
    and it counts q(e') (1 - 2e'), with e' = max(0, e - CARE). The reliability of a source is 1 - 2e', so that a source
    that is wrong half of the time says nothing. For a source that is wrong more often, the opposite label counts, by
    the same formula with 1 - p and 1 - e. The doubt in the source is also 1 - q(e), but with `_predictive` instead of
    the logistic function in p, because most surprises of a young model are its own errors, and a source that is blamed
    for these would not be believed when a new kind of mail appears. Labels count in full until there are 20 and two
    classes have been trained. Labels of the same originator are considered after that (`originator_trust`).

    `python -m tests.benchmarks.robustness` measures it; docs/figures.md has the figures. If 2 of 100 labels are wrong
    and mails name no originator, a changed mind is still doubted for more than 50 mails. Tried and worse: no doubt
    before some number of labels of a class and source, or doubt from the first label on; the histograms of both classes
    instead of the slope; a second model of all labels; p of at least .005; `_predictive` also for how much a label
    counts; a class of doubted mails. Also tried, if mails name no originator: runs of labels by a mail's strongest word
    (46 and 37 instead of 1 and 3 hams of two half mislabelled kinds of Enron 1 are lost); by its two strongest words,
    the shorter run deciding (minds that change with 2 % flips cost 50, 25 and 18 of 50 mails instead of 50, 50 and 36,
    but on Enron 3 as many as without); belief while labels of a class contradict the model more often than before, by a
    cumulative sum (a third to two thirds fewer of these mails, but 4 to 60 instead of 1 to 8 hams of half mislabelled
    kinds, and with 20 % flips up to ten times the misranked pairs).
    """
    trained = 0
    for c in range(totals.shape[0]):
        trained += trained_mass(totals, c) > 0
    if slope <= 0.0 or trained < 2:
        return 1.0, 0.0, 1.0, 0.0
    sigmoid = 1.0 / (1.0 + math.exp(-min(max(slope * margin, -500.0), 500.0)))
    allowed = max(_allowance(column, margin, totals), _CHANGED)
    expected = max(_predictive(margin, learned, slope), allowed)
    bound = _MOST_WRONG * (float(max(learned, 0)) + 1.0) / (float(max(source[0], 0)) + 1.0)
    flips = min(flip_rate(source[0], source[1]), bound, 0.999)
    surprise = 1.0 - _right(expected, flips)
    careful = flips - CARE
    reliability = max(1.0 - 2.0 * max(careful, 0.0), 0.0)
    if learned < WARM_UP or careful <= 0.0:
        return 1.0, surprise, reliability, 0.0
    opposite = 0.0
    if flips > 0.5:
        opposite = max(_right(max(1.0 - sigmoid, _CHANGED), 1.0 - flips), FLOOR) * (2.0 * flips - 1.0)
    return max(_right(max(sigmoid, allowed), careful), FLOOR) * reliability, surprise, reliability, opposite
