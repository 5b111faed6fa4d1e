"""How far a label that contradicts the model is believed, by earlier labels of the same originator's mails."""

# pyright: basic

import math

from stream_nb.kernels.jit import inlined
from stream_nb.kernels.layout import OriginatorCount
from stream_nb.kernels.mail_nb.label_trust import CARE, FLOOR

MOST_RUN = 4.0
"""Length of a run of labels from which on an error takes no more from the other class."""

_CHANGES = 0.001  # of labels begin a change of mind
_FEW = 5  # labels of an originator; fewer are not enough to judge by
_WRONG, _LABELS = 4.0, 8.0  # prior for a change of mind: 4 of 8 labels of an originator are wrong
_DOUBT_WRONG, _DOUBT_LABELS = 0.5, 8.0  # prior for doubt


@inlined
def _share(wrong, labels, flips):
    """Return the share of wrong labels, at least that of the source, and at most one half."""
    return min(max(wrong / labels, flips, CARE), 0.5)


@inlined
def originator_belief(right, flips, originator, column):
    """Return (how likely a label is right, how likely minds have changed), each 0 to 1. The label is for class number
    `column` and contradicts the model; `right` is how likely it is right regardless of the originator, `flips` the
    share of wrong labels of its source, `originator` (int64[RUNS + classes], laid out by `OriginatorCount`) the labels
    of the originator's mails so far.

    Of n labels, k contradicted the model, and the last r of these k all named the same class as this label. If they
    were errors, at the rate e of the source or of the other labels, (k - r + 4) / (n - r + 8), this would have the
    probability e^r. Minds change with one label in a thousand, so the odds that they have changed are 0.001 / e^r. From
    n = 5 on, the first and the second label of such a run are believed no more than 1 - 2 (k - r + 1/2) / (n - r + 8),
    because labels of one list that disagree say little. An error that is believed because of a run takes (1 + r) times
    as much from the other class, r up to 4.

    `python -m tests.benchmarks.robustness` measures it with list or sender; docs/figures.md has the figures. Tried and
    worse: runs that include labels that agree with the model; odds of 0.01; a prior of one error in five; counting only
    the last 16 to 32 labels; how often labels of a list change, instead of how often they contradict.
    """
    labels = max(originator[OriginatorCount.LABELS], 0)
    wrong = max(originator[OriginatorCount.CONTRADICTING], 0)
    run = max(originator[OriginatorCount.RUNS + column], 0)
    others, other_wrong = float(max(labels - run, 0)), float(max(wrong - run, 0))
    changed = 0.0
    if run > 0:
        error = _share(other_wrong + _WRONG, others + _LABELS, flips)
        changed = 1.0 / (1.0 + math.pow(error, float(run)) / _CHANGES)
    believed = max(right, changed)
    if run < 2 and labels >= _FEW:
        doubted = _share(other_wrong + _DOUBT_WRONG, others + _DOUBT_LABELS, flips)
        believed = min(believed, max(1.0 - 2.0 * doubted, FLOOR))
    return believed, changed
