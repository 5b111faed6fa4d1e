"""How far labels can be believed: the share of wrong ones among those of a source, as far as is known."""

# pyright: basic

import math

import numpy as np

from stream_nb.kernels.jit import inlined
from stream_nb.kernels.layout import BINS, DOUBT_UNIT, UNIT, MailTotal

WARM_UP = 20
"""Labels before one of them is doubted."""

CARE = 0.003
"""So small a share of wrong labels is none."""

_VARIANCE = 20.0  # of a score, times the labels that it is learned from, and two
_YOUNG = 10.0  # labels of a class after which a quarter of its allowance is left
FLOOR = 0.02
"""How much a label counts that nobody can believe."""

_MOST_WRONG = 0.25  # of all labels
_CHANGED = 0.001  # of labels that contradict a sure score: people change their minds, and new kinds of mail come


@inlined
def flip_rate(labels, doubt):
    """The share of wrong labels among `labels`, as far as is known: a tenth of a wrong label in 10 before the first.

    It has no bound at one half: a source that lies is known as one.
    """
    return max((0.1 + float(doubt) / DOUBT_UNIT) / (10.0 + float(labels)), 0.0)


@inlined
def trained_mass(totals, column):
    """The sum of all increments that labels of a class have brought, whatever others took back of it.

    Labels that are taken back after features were forgotten or halved take more than there is: below 0 it reads as 0.
    """
    return max(totals[column, MailTotal.MASS] + totals[column, MailTotal.TAKEN], 0)


@inlined
def careful_flip_rate(totals):
    """The share of wrong labels among labels of reliable sources, less CARE; 0 before the first 20."""
    reliable, doubted = 0, 0
    for c in range(totals.shape[0]):
        reliable += totals[c, MailTotal.RELIABLE]
        doubted += totals[c, MailTotal.DOUBTED]
    if reliable < WARM_UP * UNIT:
        return 0.0
    return max(flip_rate(float(reliable) / UNIT, doubted) - CARE, 0.0)


@inlined
def believed_log_odds(log_odds, flips, slope):
    """What `log_odds` from a label or two are worth when a share `flips` of labels is wrong.

    With P = 1 / (1 + exp(-slope log_odds)) for the class of a label, the class is right with (1-flips) P + flips (1-P):
    never more than log((1-flips) / flips) / slope, `log_odds` itself without flips, and nothing when half are wrong.
    """
    flips = min(flips, 0.5)
    fade = math.exp(-slope * abs(log_odds))
    sure = math.log((1.0 - flips + flips * fade) / ((1.0 - flips) * fade + flips)) / slope
    return math.copysign(sure, log_odds)


@inlined
def margin_bin(margin):
    """Where a margin belongs in the histogram of margins."""
    return np.int64(min(max(math.floor((margin + 4.0) * (BINS / 8.0)), 0), BINS - 1))


@inlined
def _allowance(column, margin, totals):
    """How likely a right label of the class has a margin of at most this one, by the labels it has had; 0 to 1.

    Of B labels believed so far, b had such a margin: (b + 1/2) / (B + 1). It counts less, the more labels the class has
    had, n, and none of it where the class has its share of all that is believed: (10 / (10 + n))^2 (1 - classes B / all
    B). What is known of mail says little about a class that comes late or is rare.
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
    """1 / (1 + exp(-slope m)), averaged over what the margin might have been after other labels as few as these.

    A margin that n labels have given is taken for normal of variance v = 20 / (n + 2):
    1 / (1 + exp(-slope m / sqrt(1 + pi / 8 slope^2 v))). With the fewer labels of both classes for n / 2, 20 % of one
    class told wrong cost up to half as much again. Source: MacKay, The evidence framework applied to classification
    networks (1992), for the average.
    """
    variance = _VARIANCE / (2.0 + float(max(learned, 0)))
    steep = slope / math.sqrt(1.0 + math.pi / 8.0 * slope * slope * variance)
    return 1.0 / (1.0 + math.exp(-min(max(steep * margin, -500.0), 500.0)))


@inlined
def _right(believed, flips):
    """The probability that a label is right which the model gives `believed`, and of whose source `flips` are wrong."""
    kept = believed * (1.0 - flips)
    return kept / max(kept + (1.0 - believed) * flips, 1e-300)


@inlined
def label_belief(margin, column, totals, learned, source, slope):
    """(how much a label counts, how likely it is wrong, how reliable its source is, how much the opposite label
    counts), each 0 to 1, for a label of margin `margin` for class number `column` (-1: a new one), when `learned`
    labels have come; `source` (int64[2]): labels and doubt of its source.

    The model says that the label is right with p = max(1 / (1 + exp(-slope m)), a, 0.001), m the margin and a the
    `_allowance` of its class: no score is so sure that people could not change their minds, or new kinds of mail come.
    The source is wrong in a share e of its labels, as far as is known (`flip_rate`), but not in so many that a quarter
    of all labels were wrong. So the label is right with q(e) = p(1-e) / (p(1-e) + (1-p) e), and counts q(e') (1 - 2e'),
    e' = max(0, e - CARE): the reliability of a source is 1 - 2e', so one that is wrong every other time says nothing.
    Of one that is wrong more often, the opposite counts, by the same formula with 1 - p and 1 - e. The doubt in the
    source is 1 - q(e), too, but with `_predictive` for the logistic function in p: a model is young when most of its
    surprises are its own errors, and a source that is blamed for these is not believed when a new kind of mail comes.
    Each label counts in full until 20 have come and two classes have been trained. What labels of the same originator
    said is taken in after that (`originator_trust`).

    `python -m tests.benchmarks.robustness` measures it; docs/figures.md has the figures. Where 2 of 100 labels are
    wrong besides, and mails name no originator, a changed mind is still doubted for longer than 50 mails. Tried and
    worse: no doubt before so many labels of a class and source, or doubt from the first label on; the histograms of
    both classes instead of the slope; a second model, of all labels; p of at least .005; `_predictive` for what a label
    counts, too; a class of doubted mails.
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
