"""How far labels can be believed: the share of wrong ones among those of a source, as far as is known."""

# pyright: basic

import math

from stream_nb.kernels.jit import inlined
from stream_nb.kernels.layout import DOUBT_UNIT

WARM_UP = 20
"""Labels before one of them is doubted."""

CARE = 0.003
"""So small a share of wrong labels is none."""


@inlined
def flip_rate(labels, doubt):
    """The share of wrong labels among `labels`, as far as is known: half a wrong label in 50 before the first."""
    return min(max((0.5 + float(doubt) / DOUBT_UNIT) / (50.0 + float(labels)), 0.0), 0.5)


@inlined
def believed_log_odds(log_odds, flips, slope):
    """What `log_odds` from a label or two are worth when a share `flips` of labels is wrong.

    With P = 1 / (1 + exp(-slope log_odds)) for the class of a label, the class is right with (1-flips) P + flips (1-P):
    never more than log((1-flips) / flips) / slope, and `log_odds` itself without flips.
    """
    fade = math.exp(-slope * abs(log_odds))
    sure = math.log((1.0 - flips + flips * fade) / ((1.0 - flips) * fade + flips)) / slope
    return math.copysign(sure, log_odds)
