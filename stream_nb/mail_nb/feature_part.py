"""The numbers and categories of a mail: their contribution to its score, and learning from them."""

from __future__ import annotations

from typing import Any

import numpy as np

from stream_nb.kernels.layout import CATEGORY, NUMBER, UNIT, MailUpdate
from stream_nb.kernels.tabular.number_layout import Moment
from stream_nb.mail_nb.statistics import MailStatistics
from stream_nb.tabular.feature_table import Features, FeatureTable
from stream_nb.tabular.feature_text import feature_text
from stream_nb.types import ClassName, Label, Mail, Term, Update

POOL_CELL = MailUpdate.SOURCE_DOUBT + 1
"""Index in `Update.tallies` of two pool cells, that of the parts and that of the starter, each -1 for none. Only
updates of a mail with features or a model with a starter have them; other tallies end before."""

GRADIENTS = POOL_CELL + 2
"""Index in `Update.tallies` of the first gradient of the mail's numbers."""


def add_features(table: FeatureTable, x: Any, column: int, update: Update, sign: int) -> None:
    """Add `sign` times the part of an update that concerns features and a starter; `column` is the update's class."""
    gain = sign * update.tallies[MailUpdate.BIN_GAIN]
    for cell in update.tallies[POOL_CELL:GRADIENTS]:
        if cell >= 0:
            table.pool.add(cell, gain)
    if isinstance(x, Mail) and x.features:
        table.add(x.features, column, gain, update.tallies[GRADIENTS:], sign)


class FeaturePart:
    """Scores and learns the features of a mail for `MailEngine`. `damping` is that of `MailNB`.

    After `add_to_scores`, `known` and `unseen` are the numbers of features that have and have not been counted before.
    A category is known if its value is.
    """

    def __init__(self, statistics: MailStatistics) -> None:
        self.damping = 0.0
        self.known = self.unseen = 0
        self._statistics = statistics
        self._classes: tuple[ClassName, ...] | None = None
        self._order = np.zeros(0, np.int64)

    def add_to_scores(self, features: Features, result: np.ndarray, positive: int, lead: int) -> None:
        """Add the features' contribution to `result`, which has that of the words. `positive` and `lead` are columns.

        Raises:
            ValueError, TypeError: A value is not a finite number, string or boolean.
        """
        statistics, table = self._statistics, self._statistics.tabular
        if self._classes is not statistics.classes:
            self._classes = statistics.classes
            self._order = np.array([statistics.columns[label] for label in statistics.sorted_classes()], np.int64)
        table.read(features, insert=False)
        self.known = table.score(result, self._order, self.damping, lead, positive)
        self.unseen = table.n - self.known

    def pool_cell(self, column: int) -> int:
        """The pool cell of a label for the mail scored last; `column` is -1 for a new class."""
        return self._statistics.tabular.pool_cell(self._order, column)

    def gradients(self, column: int, gain: int, result: np.ndarray) -> list[int]:
        """The gradients that a label with weight `gain`, in 1/256 of a message, adds for the numbers of the mail scored
        last."""
        return self._statistics.tabular.gradients(self._order, column, gain, result)

    def learn(self, features: Features, column: int, gain: int, result: np.ndarray) -> None:
        """Learn a label of the mail scored last with weight `gain`, in 1/256 of a message."""
        self._statistics.tabular.learn(features, self._order, column, gain, result)

    def add(self, x: Any, update: Update, sign: int) -> None:
        """Add `sign` times the part of an update that concerns features, if it has one.

        Features are counted as far as the label is believed, whatever the margin, because the model learns the
        distribution of their values in each class.
        """
        if len(update.tallies) > POOL_CELL:
            add_features(self._statistics.tabular, x, self._statistics.columns[update.label], update, sign)

    def evidence(self, x: Any, label: Label | None, rival: Label | None) -> list[Term]:
        """One term per feature of the mail scored last, in order: its contribution to the difference of two classes'
        scores (0.0 unless both are given), and the count of the number, or of the category's value, in each class."""
        if not (isinstance(x, Mail) and x.features):
            return []
        table, columns = self._statistics.tabular, self._statistics.columns
        terms: list[Term] = []
        for i, (name, value) in zip(range(table.n), x.features, strict=False):
            kind, slot, row = table.ids[i].tolist()
            counts = np.zeros(len(columns))
            if kind == NUMBER and slot >= 0:
                counts = table.numbers.moments[slot, :, Moment.COUNT] / UNIT
            elif kind == CATEGORY and row >= 0:
                counts = table.categories.counts[row] / UNIT
            weight = 0.0
            if label is not None and rival is not None:
                weight = float(table.weights[i] * (table.terms[i, columns[label]] - table.terms[i, columns[rival]]))
            mails = {each: float(counts[column]) for each, column in columns.items()}
            if kind == NUMBER:
                summaries = {
                    each: table.numbers.summary(name, column) for each, column in columns.items() if mails[each] > 0.0
                }
                normals = {each: (summary.mean, summary.std) for each, summary in summaries.items()}
                terms.append(Term(feature_text(name, float(value)), "number", weight, mails, normals))
            else:
                terms.append(Term(feature_text(name, value), "category", weight, mails))
        return terms
