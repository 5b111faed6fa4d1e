"""Numbers and categories of a mail beside its words: their share in its score, and what a label adds of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from stream_nb.kernels.layout import UNIT, MailUpdate, Moment
from stream_nb.mail_nb.statistics import MailStatistics
from stream_nb.tabular.feature_table import Features, FeatureTable
from stream_nb.tabular.feature_text import feature_text
from stream_nb.types import Label, Mail, Term, Update

POOL_CELL = MailUpdate.TAKEN - 1
"""Where in the tallies of an update about a mail with features, or of a model with a starter, the cells of the pool
stand: that of the parts and that of the starter, each -1 for none. Others end before it."""

GRADIENTS = POOL_CELL + 2
"""Where in them the gradients of the mail's numbers begin."""


def add_features(table: FeatureTable, x: Any, column: int, update: Update, sign: int) -> None:
    """Add `sign` times the part of an update that is about features and a starter; `column` is the number of its
    class."""
    gain = sign * update.tallies[MailUpdate.BIN_GAIN - 1]
    for cell in update.tallies[POOL_CELL:GRADIENTS]:
        if cell >= 0:
            table.pool.add(cell, gain)
    if isinstance(x, Mail) and x.features:
        table.add(x.features, column, gain, update.tallies[GRADIENTS:], sign)


class FeaturePart:
    """What `MailEngine` asks of the features of a mail; `damping` is that of `MailNB`. After `add_to_scores`, of the
    features `known` have been counted before, as the value they have if they are categories, and `unseen` have not."""

    def __init__(self, statistics: MailStatistics) -> None:
        self.damping = 0.0
        self.known = self.unseen = 0
        self._statistics = statistics
        self._classes: tuple[Label, ...] | None = None
        self._order = np.zeros(0, np.int64)

    def add_to_scores(self, features: Features, result: np.ndarray, positive: int, lead: int) -> None:
        """Add the share of features to what words gave in `result`; `positive` and `lead` are numbers of classes.

        Raises:
            ValueError, TypeError: A value is no finite number, string or boolean.
        """
        statistics, table = self._statistics, self._statistics.tabular
        if self._classes is not statistics.classes:
            self._classes = statistics.classes
            self._order = np.array([statistics.columns[label] for label in statistics.sorted_classes()], np.int64)
        table.read(features, insert=False)
        self.known = table.score(result, self._order, self.damping, lead, positive)
        self.unseen = table.n - self.known

    def pool_cell(self, column: int) -> int:
        """The cell of the pool for a label of the mail scored last; `column` -1 is a class that is not there yet."""
        return self._statistics.tabular.pool_cell(self._order, column)

    def gradients(self, column: int, gain: int, result: np.ndarray) -> list[int]:
        """What a label of the mail scored last, with a weight in 1/256 of a message, adds for its numbers."""
        return self._statistics.tabular.gradients(self._order, column, gain, result)

    def learn(self, features: Features, column: int, gain: int, result: np.ndarray) -> None:
        """Add a label of the mail scored last, in 1/256 of a message."""
        self._statistics.tabular.learn(features, self._order, column, gain, result)

    def add(self, x: Any, update: Update, sign: int) -> None:
        """Add `sign` times the part of an update that is about features, if it has one.

        They count whatever the margin, as far as the label is believed: what is learned of them is how a class's
        values are distributed.
        """
        if len(update.tallies) > POOL_CELL:
            add_features(self._statistics.tabular, x, self._statistics.columns[update.label], update, sign)

    def evidence(self, x: Any, label: Label | None, rival: Label | None) -> list[Term]:
        """A term for each feature of the mail scored last, in its order: its share in the difference of two classes
        (0.0 without both), and how many values of the number, or of the category's value, each class has learned."""
        if not (isinstance(x, Mail) and x.features):
            return []
        table, columns = self._statistics.tabular, self._statistics.columns
        terms: list[Term] = []
        for i, (name, value) in zip(range(table.n), x.features, strict=False):
            kind, slot, row = table.ids[i].tolist()
            counts = np.zeros(len(columns))
            if kind == 0 and slot >= 0:
                counts = table.numbers.moments[slot, :, Moment.COUNT] / UNIT
            elif kind == 1 and row >= 0:
                counts = table.categories.counts[row] / UNIT
            weight = 0.0
            if label is not None and rival is not None:
                weight = float(table.weights[i] * (table.terms[i, columns[label]] - table.terms[i, columns[rival]]))
            in_mails = {each: float(counts[column]) for each, column in columns.items()}
            if kind == 0:
                met = {
                    each: table.numbers.summary(name, column)
                    for each, column in columns.items()
                    if in_mails[each] > 0.0
                }
                normals = {each: (summary.mean, summary.std) for each, summary in met.items()}
                terms.append(Term(feature_text(name, float(value)), "number", weight, in_mails, normals))
            else:
                terms.append(Term(feature_text(name, value), "category", weight, in_mails))
        return terms
