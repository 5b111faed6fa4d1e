"""What one model has learned, made small enough for others to start from."""

from __future__ import annotations

import numpy as np

from stream_nb.mail_nb.model import MailNB
from stream_nb.mail_nb.statistics import MailStatistics

_SHARE, _POWER = 0.5, 0.15


def starter(model: MailNB) -> MailNB:
    """A model of the same key that begins with what this one has counted of words and pairs, and has learned no label.

    A feature counted in n mails becomes 0.5 n^0.15 mails' worth, its share of each class as it was: so a few labels of
    one's own weigh more. These counts stay apart from the model's own, and a share of them is added when a mail is
    scored: as much as labels speak for (`MailStatistics.starter_share`), so that a starter of other mail, or one whose
    labels are the wrong way round, is soon left out. Numbers and categories are not in it.

    Learn on a copy, or merge it into a model with this key; what it adds can be taken back with `unmerge`.

    Measured on users left out, with starters of three others' mail (`python -m tests.benchmarks.starter`): errors of
    the first 200 mails, of those after 1,000, and (1-AUC)% of the latter are 5.7, 24.0, .0140; 11.1, 26.4, .0176
    without a starter; 13.4, 26.4, .0176 with one whose labels are the wrong way round.

    Tried, and worse, where this gave 5.4, 23.5, .0139: 0.3 n^(1/3) mails' worth (5.7, 24.0, .0146); that always,
    whatever labels say (5.6, 24.6, .0137, but 51 and 185 errors where labels are the wrong way round); a share without
    the fade (2 after 1,000 more for one user); the score of a starter, its counts in full, as a part of the score with
    a learned weight (5.1, 24.1, .0144, but 95 errors instead of 18 where all ham comes first, since own counts of one
    class have nothing to be compared with). The margins by the starter alone decide on the share nearly as well.

    Args:
        model: A trained model; it stays as it is, and what it began with itself is left out. One that knows fewer than
            two classes says nothing of a mail alone, so it cannot be judged: it gives an empty model.

    >>> experienced = MailNB()
    >>> experienced.learn_many(["free money now", "lunch at noon", "free offer"], ["spam", "ham", "spam"])
    >>> model = starter(experienced)
    >>> model.predict_one("money for lunch, free"), model.labels_learned
    ('spam', 0)
    >>> model.statistics.starter
    StarterSums(features=12, share=1.0)
    """
    start, shrunk = model.delta(), model.statistics.shrunk(_shrunk)
    counts = MailStatistics()
    counts.begin_with(shrunk if len(shrunk.classes) > 1 else None)
    start.attach(counts)
    return start


def _shrunk(mails: np.ndarray) -> np.ndarray:
    return _SHARE * np.power(mails, _POWER)
