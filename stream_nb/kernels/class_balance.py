"""What makes up for few labels: less smoothing where one class is rare; while labels are few, a bias and lesser scores.

Tried and worse, while labels are few: more or less smoothing, shape, damping, pair weight, band or warm-up (what they
gain after 20 to 500 labels they lose on other streams, or in ranking); twice the novelty (0.4 to 0.9 more of balanced
accuracy after 20 labels, 0.2 to 0.7 after 100, but 3 to 5 % more pairs misranked).
"""

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
_WIDEST_BIN = int(1.5 * _BINS_OF_ONE)  # further from 0, a margin says nothing of where the cut belongs
_UNSURE = 40.0  # over the labels: variance of a score that is learned from these


@inlined
def moderation(totals, lent):
    """What scores are multiplied by after n labels: 1 / sqrt(1 + 40 / (n + 2)). A starter lends some of these.

    The same score says less, the fewer labels gave it. No mail is called otherwise for it, but those scored by a young
    model rank where they belong beside later ones. On Enron 1 to 3 and SpamAssassin, from ten beginnings each, (1-AUC)
    falls by 1 to 4 % where labels are in time or 20 to 500 mails late, shuffled by 6 %, and by a tenth on generated
    mail. Tried and worse: 100 for 40; the labels of the class with fewest for n; n / (n + 10) (1 % worse).
    Source: MacKay, The evidence framework applied to classification networks (1992), for the form.
    """
    labels = lent
    for c in range(totals.shape[0]):
        labels += max(float(totals[c, MailTotal.LABELS]), 0.0)
    return 1.0 / math.sqrt(1.0 + _UNSURE / (labels + 2.0))


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

    Each counts as the lower end of its bin, so that a margin of 0 is 0, and as -1.5 to 1.5: how sure a class is of
    mails that it knows well differs between classes, and does not move the cut between them.
    """
    labels, margins = _UNKNOWN_LABELS * UNIT, 0
    for k in range(BINS):
        labels += totals[c, MailTotal.MARGINS + k]
        margins += totals[c, MailTotal.MARGINS + k] * min(max(k - BINS // 2, -_WIDEST_BIN), _WIDEST_BIN)
    return np.int64(math.floor(_MEAN_UNIT * float(margins) / (_BINS_OF_ONE * float(max(labels, UNIT))) + 0.5))


@inlined
def class_bias(totals, c):
    """What is added to the score of class c: what the mean margin m_c of its labels, each within 1.5 of 0, lacks of the
    mean over all classes, by 20 / (20 + n), n the labels of the class with fewest.

    A class with few labels knows few of its words, and its mails are taken for those of a class that knows more. Of two
    classes this moves the log-odds by the difference of the mean margins. Half the difference of means of margins up to
    4 asks for more than the cut needs, since ham that is known well scores further from 0 than such spam does: the
    early mails then rank too high beside later ones, the worse, the later labels come.

    Tried and worse: no fade, or one by 50 / (50 + n) (it finds more after 100 labels, but where one class comes first,
    or is rare and 5 % of labels are wrong, up to twice as many pairs are misranked), also within 0.2 or 0.3 (a seventh
    more where a fifth of the ham is told wrong); margins within 1 or 2.

    By the best cut in hindsight for the balanced accuracy, this lacks 0.3 to 0.4 log(N' / N) for the class with N
    labels against N' of the other, after 20 labels as after 500. Tried: 0.1 log((N' + 1) / (N + 1)) in addition, but
    not for stretches, times `moderation` and k / (k + n + 60), k known and n new features of the mail, and the less,
    the more of the lesser class's labels are wrong (0 at a quarter). After 20, 50, 100, 500 labels 86.9, 91.3, 95.4,
    98.1 instead of 86.5, 91.0, 95.1, 97.9; 3 % fewer pairs of whole streams are misranked, 2 to 12 % fewer where one
    class is rare, 1 % more with 5 % of labels wrong; accuracy stands, but a tenth more ham is lost, and an eighth less
    spam missed. 0.14, for stretches too: 87.0, 91.4, 95.6, 98.2, and a quarter more ham lost of Enron 1 and 3. Without
    k / (k + n + 60), mail of which nothing is known is of the lesser class (95 % of words new: 12 to 15 % of ham lost
    instead of 9). Fading with labels, a cap on N' / N, the logarithm added to every known feature's term, inside the
    shape or outside: no better.
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
    return share * float(everything - classes * own) / (float(classes) * _MEAN_UNIT)
