"""Words that have become more common: newer mails against older ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from stream_nb.features.model import CountingNB
from stream_nb.parameter import checked_whole
from stream_nb.types import ClassName, Label, Mail

LEAST_MAILS = 4
LEAST_Z = 2.5


class Rise(NamedTuple):
    """A word that occurs in a share `before` of the older mails and a share `now` of the newer ones.

    `z` is the difference in standard errors (two-proportion test). `label` is the most frequent class of the newer
    mails with the word.
    """

    text: str
    z: float
    before: float
    now: float
    label: ClassName


def rising(model: CountingNB[Any], old: Sequence[Mail], new: Sequence[tuple[Mail, Label]], n: int = 25) -> list[Rise]:
    """The n words known to `model` whose share of mails rose most, by descending z.

    Words in fewer than `LEAST_MAILS` newer mails or with z below `LEAST_Z` are left out; [] if `old` or `new` is empty.

    Args:
        model: The model whose words are considered.
        old: Older mails.
        new: Newer mails with their classes.
        n: Maximum number of words, 0 or more; ValueError otherwise.

    >>> from stream_nb import MailNB
    >>> model = MailNB()
    >>> for text in ("lunch today", "offer today"):
    ...     model.learn_one(text, "ham")
    >>> [(rise.text, rise.now) for rise in rising(model, ["lunch today"] * 9, [("offer today", "spam")] * 9)]
    [('offer', 1.0)]
    """
    n = checked_whole("n", n, 0)
    if not old or not new:
        return []
    statistics = model.statistics
    room = statistics.features
    before, now = np.zeros(room), np.zeros(room)
    for mail in old:
        before[statistics.find(mail, pairs=False)] += 1
    labels: dict[int, Counter[ClassName]] = {}
    for mail, label in new:
        rows = statistics.find(mail, pairs=False)
        now[rows] += 1
        for row in rows.tolist():
            labels.setdefault(row, Counter())[label] += 1
    share = (before + now) / (len(old) + len(new))
    error = np.sqrt(np.maximum(share * (1.0 - share), 1e-300) * (1.0 / len(old) + 1.0 / len(new)))
    z = (now / len(new) - before / len(old)) / error
    # A word that occurs in every mail has no rise, and its standard error is 0.
    z[share >= 1.0] = 0.0
    rows = np.flatnonzero((now >= LEAST_MAILS) & (z >= LEAST_Z))
    rows = rows[np.argsort(-z[rows], kind="stable")[:n]]
    return [
        Rise(
            statistics.text(row),
            float(z[row]),
            float(before[row]) / len(old),
            float(now[row]) / len(new),
            labels[row].most_common(1)[0][0],
        )
        for row in rows.tolist()
    ]
