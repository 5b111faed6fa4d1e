"""Which labels of mails that score as positive are wrong: how many ham score there is not how many were called ham.

Labels are taken for wrong by two histograms of scores alone, that of the labels of the positive class and that of all
others. Trust (`label_trust`) would not do: it doubts most the labels of just the ham that are lost.
"""

# pyright: basic

import math

from stream_nb.kernels.jit import kernel
from stream_nb.kernels.layout import BINS, WIDEST

_SURE = 2.0  # a score beyond which hardly a mail is of the other class
_SLOPE, _VARIANCE = 2.5, 4.0
_STEPS = 16


@kernel
def take_out_wrong(others, positives):
    """Leave in `others` what is likely right: labels of the positive class and of all others in bins of falling scores,
    float64[BINS], the first at WIDEST.

    As many labels are taken for wrong, a share e, as of mails scoring above 2 were labelled as of another class, or of
    mails below -2 as positive, whichever is less: errors of the model, or labels wrong one way only, are then counted
    as lost. Of mails of score s > 0 a share P = 1 / (1 + exp(a s - b)) is of another class, with a and b the maximum
    of the likelihood of the labels, (1-e) P + e (1-P) of them of another class, and normal priors (a: mean 2.5, b:
    mean 0, both of variance 4), by 16 steps of expectation and Newton. So labels count (1-e) P / ((1-e) P + e (1-P)).

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
                told = wrong * p / (wrong * p + (1.0 - wrong) * (1.0 - p))
                gain, bend = positives[k] * right + others[k] * told - labels * p, labels * p * (1.0 - p)
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
