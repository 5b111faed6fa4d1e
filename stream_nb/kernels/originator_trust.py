"""How far a label is believed that contradicts the model, by earlier labels of the same originator's mails."""

# pyright: basic

import math

from stream_nb.kernels.jit import inlined
from stream_nb.kernels.label_trust import CARE, FLOOR
from stream_nb.kernels.layout import OriginatorCount

MOST_RUN = 4.0
"""Labels in a row after which errors take no more."""

_CHANGES = 0.001  # of labels begin a change of mind
_FEW = 5  # labels of an originator, below which nothing is known of them
_WRONG, _LABELS = 4.0, 8.0  # of an originator, assumed for a change of mind before the first label
_TOLD_WRONG, _TOLD = 0.5, 8.0  # the same for doubt


@inlined
def _share(wrong, labels, flips):
    """A share of wrong labels: at least that of the source, and at most one half."""
    return min(max(wrong / labels, flips, CARE), 0.5)


@inlined
def originator_belief(right, flips, originator, column):
    """(how likely a label is right, how likely minds have changed), each 0 to 1, for a label of class number `column`
    that contradicts the model; `right` is how likely without its originator, `flips` the share of wrong labels of its
    source. `originator` (int64[RUNS + classes], laid out by `OriginatorCount`): the labels of its mails so far.

    Of n labels, k contradicted the model, and the last r of these, without another one between them, said the same as
    this label. Were these errors, at the rate e of the source or of the other labels, (k - r + 4) / (n - r + 8), that
    would happen by e^r; minds change with one label in a thousand: so they have changed with the odds 0.001 / e^r. A
    label that is the first or second such is believed no more than 1 - 2 (k - r + 1/2) / (n - r + 8) from n = 5 on:
    where labels of one list differ, they say little. An error that is believed for such a run takes more of the other
    class: (1 + r), r to 4, times as much.

    `python -m tests.benchmarks.robustness` measures it with list or sender; docs/figures.md has the figures. Tried and
    worse: runs of labels that do not contradict the model, too; odds of 0.01; one error in five assumed before the
    first label; counts of the last 16 to 32 labels only; how often labels of a list change instead of contradict.
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
        told_wrong = _share(other_wrong + _TOLD_WRONG, others + _TOLD, flips)
        believed = min(believed, max(1.0 - 2.0 * told_wrong, FLOOR))
    return believed, changed
