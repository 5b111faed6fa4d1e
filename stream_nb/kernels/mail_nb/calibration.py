"""Platt's calibration, fitted to the histogram of the margins at which labels were learned.

Scores of `MailNB` are damped and shaped sums, not log-odds. P(class | s) = 1 / (1 + exp(-(a s + b))), where a and b
maximize the likelihood of all labels learned so far, with the margin that each had before it was learned. Normal priors
stabilize a young model: a has mean 3.5 and variance 1; b has mean 0 and, after n labels, precision 1 + 800 / (n + 20),
because the first labels' margins do not tell where the threshold belongs later. So a mail is rarely given the less
probable class, and the log loss after 20, 50 and 100 labels is 4, 2 and 1 % lower than with precision 1 (6 % higher if
only 1 mail in 31 is ham). Newton's method makes a fixed number of steps from the means of the priors, so that equal
statistics give equal bits. If a step goes far beyond the maximum of the likelihood (nearly all labels of one class, as
when a mailbox is read before its junk folder), it is halved until it does not, and more steps follow. The calibration
is two numbers, computed from 64 counts.

Source: J. Platt, Probabilistic outputs for support vector machines (1999).
"""

# pyright: basic

import math

import numpy as np

from stream_nb.kernels.jit import kernel
from stream_nb.kernels.layout import BINS, UNIT, WIDEST, MailTotal

PRIOR_SLOPE = 3.5
_STEPS, _MORE_STEPS = 5, 20
_HELD = 800.0
_BEYOND = 0.5  # the slope at the end of a step may be downwards, by at most this share of the rise at its start
_ROUNDING = 1e-6


@kernel
def calibrate(totals, lead):
    """Return (a, b) for the score of class `lead` of two classes; with more, for margins of any class, with b = 0.

    Row c of `totals` (int64[classes, MAIL_TOTALS]) belongs to class c and is laid out by `MailTotal`.
    """
    two = totals.shape[0] == 2
    step = 2.0 * WIDEST / BINS
    mine, theirs = np.empty(BINS), np.empty(BINS)
    for k in range(BINS):
        # Counts are pooled as integers first, so that the order of classes changes no bit.
        own, other = 0, 0
        for c in range(totals.shape[0]):
            if c == lead or not two:
                own += totals[c, MailTotal.MARGINS + k]
            else:
                other += totals[c, MailTotal.MARGINS + BINS - 1 - k]
        mine[k], theirs[k] = float(max(own, 0)) / UNIT, float(max(other, 0)) / UNIT
    held = 1.0 + _HELD / (20.0 + np.sum(mine) + np.sum(theirs))
    a, b = PRIOR_SLOPE, 0.0
    from_a, from_b, rise, steps, made = a, b, 0.0, _STEPS, 0
    while True:
        slope_a, slope_b = PRIOR_SLOPE - a, -held * b
        curve_aa, curve_ab, curve_bb = 1.0, 0.0, held
        # Margins are a step apart, so each exp(-(a s + b)) is the previous one times a constant factor.
        odds, factor = math.exp(a * (WIDEST - 0.5 * step) - b), math.exp(-a * step)
        for k in range(BINS):
            if mine[k] + theirs[k] > 0.0:
                s = (k + 0.5) * step - WIDEST
                p = 1.0 / (1.0 + odds)
                gain = mine[k] * (1.0 - p) - theirs[k] * p
                bend = (mine[k] + theirs[k]) * p * (1.0 - p)
                slope_a += gain * s
                curve_aa += bend * s * s
                if two:
                    slope_b += gain
                    curve_ab += bend * s
                    curve_bb += bend
            odds *= factor
        if slope_a * (a - from_a) + slope_b * (b - from_b) < -_BEYOND * rise - _ROUNDING:
            a, b, steps = 0.5 * (from_a + a), 0.5 * (from_b + b), _MORE_STEPS
            made, rise = made + 1, 0.5 * rise
            continue
        if made >= steps:
            return max(a, 0.1), b
        from_a, from_b = a, b
        made += 1
        det = curve_aa * curve_bb - curve_ab * curve_ab
        a, b = (
            a + (curve_bb * slope_a - curve_ab * slope_b) / det,
            b + (curve_aa * slope_b - curve_ab * slope_a) / det,
        )
        while abs(a) > 50.0 or abs(b) > 20.0:  # exp overflows beyond; another direction may lead down
            a, b, steps = 0.5 * (from_a + a), 0.5 * (from_b + b), _MORE_STEPS
        rise = slope_a * (a - from_a) + slope_b * (b - from_b)
