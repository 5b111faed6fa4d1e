"""What one model has learned, made small enough for others to start from."""

from __future__ import annotations

import numpy as np

from stream_nb.mail_nb.model import MailNB
from stream_nb.mail_nb.statistics import MailStatistics

_SHARE, _POWER = 0.5, 0.15
_MESSAGES = 2.0


def starter(model: MailNB) -> MailNB:
    """A model of the same key that begins with what this one has counted, and has learned no label.

    A word or pair counted in n mails becomes 0.5 n^0.15 mails' worth, its share of each class as it was: so a few
    labels of one's own weigh more. These counts stay apart from the model's own, and a share of them is added when a
    mail is scored: as much as labels speak for (`MailStatistics.starter_share`), so that a starter of other mail, or
    one whose labels are the wrong way round, is soon left out.

    Of a number or category each class begins with at most two mails' worth, which lie where all did. They are counted
    with the model's own, which outweigh them.

    Learn on a copy, or merge it into a model with this key; what it adds can be taken back with `unmerge`.

    Measured on users left out, with starters of three others' mail (`python -m tests.benchmarks.starter`): errors of
    the first 200 mails, of those after 1,000, and (1-AUC)% of the latter are 5.7, 24.0, .0140; 11.1, 26.4, .0176
    without a starter; 13.4, 26.4, .0176 with one whose labels are the wrong way round. Tried and worse: 0.3 n^(1/3)
    mails' worth; all of it always, whatever labels say; a share that does not fade; the score of a starter as a part of
    the score with a learned weight, since own counts of one class have nothing to be compared with. Of numbers
    (`python -m tests.benchmarks.starter_numbers`) one mail's worth gains less, and ten that are labelled the wrong way
    round cost twice as many errors; what labels said of the weights of numbers changes nothing.

    Args:
        model: A trained model; it stays as it is, and what it began with itself is left out. One that knows fewer than
            two classes says nothing of a mail alone, so it cannot be judged: it gives an empty model.

    >>> experienced = MailNB()
    >>> experienced.learn_many(["free money now", "lunch at noon", "free offer"], ["spam", "ham", "spam"])
    >>> model = starter(experienced)
    >>> model.predict_one("money for lunch, free"), model.labels_learned
    ('spam', 0)
    >>> model.statistics.starter
    StarterSums(features=12, named=0, share=1.0)
    """
    start, shrunk = model.delta(), model.statistics.shrunk(_shrunk, _MESSAGES)
    counts = MailStatistics()
    if len(shrunk.classes) > 1:
        counts.begin_with(shrunk)
        counts.count_starter(1)
    start.attach(counts)
    return start


def _shrunk(mails: np.ndarray) -> np.ndarray:
    return _SHARE * np.power(mails, _POWER)
