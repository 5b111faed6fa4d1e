"""What makes up for classes of few labels: less smoothing where one class is rare, and a bias while labels are few."""

# pyright: basic

import math

import numpy as np

from stream_nb.kernels.jit import inlined
from stream_nb.kernels.label_trust import trained_mass
from stream_nb.kernels.layout import BINS, SMOOTHING_STEPS, UNIT, WIDEST, MailTotal

_FEW_LABELS = 20.0  # of the class with fewest, at which half of the bias is left
_UNKNOWN_LABELS = 5  # with a margin of 0, to steady the mean of a class
_MEAN_UNIT = float(1 << 20)  # means are added as integers, so that the order of classes changes no bit
_BINS_OF_ONE = BINS / (2.0 * WIDEST)


@inlined
def smoothing_step(totals, c):
    """How often smoothing is halved where class c is told from all others together: floor(log4(1 / r)) times, at most
    7, with r = (labels of the lesser side + 1) / (labels of the greater + 1). So it follows sqrt(r), by steps of which
    the logarithms can be kept.

    Pseudo-counts of the size that fits a common class are more than all that a rare one has.
    """
    own, rest = max(totals[c, MailTotal.LABELS], 0), 0
    for d in range(totals.shape[0]):
        if d != c:
            rest += max(totals[d, MailTotal.LABELS], 0)
    lesser, greater = min(own, rest) + 1, max(own, rest) + 1
    step = 0
    while step < SMOOTHING_STEPS - 1 and greater >= 4 * lesser:
        lesser *= 4
        step += 1
    return step


@inlined
def _mean_margin(totals, c):
    """The mean margin at which the labels of class c were learned, steadied by some of margin 0, in 1 / _MEAN_UNIT.

    Each counts as the lower end of its bin, so that a margin of 0 is 0.
    """
    labels, margins = _UNKNOWN_LABELS * UNIT, 0
    for k in range(BINS):
        labels += totals[c, MailTotal.MARGINS + k]
        margins += totals[c, MailTotal.MARGINS + k] * (k - BINS // 2)
    return np.int64(math.floor(_MEAN_UNIT * float(margins) / (_BINS_OF_ONE * float(max(labels, UNIT))) + 0.5))


@inlined
def class_bias(totals, c):
    """What is added to the score of class c: half of what the mean margin m_c of its labels lacks of the mean over all
    classes, by 20 / (20 + n), n the labels of the class with fewest.

    A class with few labels knows few of its words, and its mails are taken for those of a class that knows more. Of two
    classes this moves the log-odds by half the difference of the mean margins: to the middle of both classes' scores.
    """
    own, everything, classes, fewest = 0, 0, 0, 0
    for d in range(totals.shape[0]):
        if trained_mass(totals, d) > 0:
            mean = _mean_margin(totals, d)
            everything += mean
            classes += 1
            if d == c:
                own = mean
            labels = max(totals[d, MailTotal.LABELS], 0)
            fewest = labels if classes == 1 else min(fewest, labels)
    share = _FEW_LABELS / (_FEW_LABELS + float(fewest))
    return 0.5 * share * float(everything - classes * own) / (float(classes) * _MEAN_UNIT)
