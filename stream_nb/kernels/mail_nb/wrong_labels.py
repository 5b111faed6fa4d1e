"""How many labels of mails with a positive score are right: not all mail there that was labelled as ham is ham.

Wrong labels are estimated from two histograms of scores alone, one of labels of the positive class, one of all others.
Trust (`label_trust`) would not do, because it doubts most the labels of just the ham that is lost.
"""

# pyright: basic

import math

from stream_nb.kernels.jit import kernel
from stream_nb.kernels.layout import BINS, WIDEST

_SURE = 2.0  # hardly any mail with a score beyond this is of the other class
_SLOPE, _VARIANCE = 2.5, 4.0
_STEPS = 16


@kernel
def discount_wrong_labels(others, positives):
    """Reduce `others` to the labels that are likely right. `positives` and `others` (float64[BINS]) count the labels of
    the positive class and of all others in bins of falling scores, the first at WIDEST.

    The share e of wrong labels is estimated as that of other labels on mails that score above 2, or of positive labels
    on mails below -2, whichever is less. So errors of the model, or labels that are wrong in one direction only, still
    count as lost. Of mails with score s > 0, a share P = 1 / (1 + exp(a s - b)) is of another class, and so a share
    (1-e) P + e (1-P) of their labels. a and b maximize the likelihood of the labels with normal priors (a: mean 2.5, b:
    mean 0, both of variance 4), by 16 steps of expectation and Newton. A label of another class then counts
    (1-e) P / ((1-e) P + e (1-P)).

    Source: Bootkrajang and Kaban, Label-noise robust logistic regression (2012).
    """
    step = 2.0 * WIDEST / BINS
    edge = int((WIDEST - _SURE) / step)
    above, below = others[:edge].sum(), positives[BINS - edge :].sum()
    wrong = min(
        above / (above + positives[:edge].sum() + 1.0),
        below / (below + others[BINS - edge :].sum() + 1.0),
    )
    if wrong <= 0.0:
        return
    a, b = _SLOPE, 0.0
    for _ in range(_STEPS):
        slope_a, slope_b = (_SLOPE - a) / _VARIANCE, -b / _VARIANCE
        curve_aa, curve_ab, curve_bb = 1.0 / _VARIANCE, 0.0, 1.0 / _VARIANCE
        for k in range(BINS // 2):
            labels = others[k] + positives[k]
            if labels > 0.0:
                s = WIDEST - (k + 0.5) * step
                p = 1.0 / (1.0 + math.exp(b - a * s))  # of the positive class
                right = (1.0 - wrong) * p / ((1.0 - wrong) * p + wrong * (1.0 - p))
                mislabelled = wrong * p / (wrong * p + (1.0 - wrong) * (1.0 - p))
                gain, bend = positives[k] * right + others[k] * mislabelled - labels * p, labels * p * (1.0 - p)
                slope_a += gain * s
                slope_b -= gain
                curve_aa += bend * s * s
                curve_ab -= bend * s
                curve_bb += bend
        det = curve_aa * curve_bb - curve_ab * curve_ab
        a, b = (
            a + (curve_bb * slope_a - curve_ab * slope_b) / det,
            b + (curve_aa * slope_b - curve_ab * slope_a) / det,
        )
        a, b = min(max(a, 0.1), 50.0), min(max(b, -20.0), 20.0)
    for k in range(BINS // 2):
        p = 1.0 / (1.0 + math.exp(b - a * (WIDEST - (k + 0.5) * step)))
        others[k] *= (1.0 - wrong) * (1.0 - p) / ((1.0 - wrong) * (1.0 - p) + wrong * p)
