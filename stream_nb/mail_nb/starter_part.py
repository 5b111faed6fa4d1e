"""Scores mails with the model's own counts and a starter's, and finds what a label says about the starter."""

from __future__ import annotations

from typing import Any

import numpy as np

from stream_nb import kernels
from stream_nb.features.extractor import Extractor
from stream_nb.kernels.layout import COUNT, UNIT, MailTotal
from stream_nb.mail_nb.statistics import MailStatistics
from stream_nb.types import Label


class StarterPart:
    """The part of `MailScorer` that concerns the starter of its statistics. The scorer's workspace has the arrays."""

    def __init__(self, extractor: Extractor, statistics: MailStatistics, starter: MailStatistics) -> None:
        columns = [starter.columns.get(label, -1) for label in statistics.classes]
        masses = [starter.totals[c, MailTotal.MASS] if c >= 0 else 0 for c in columns]
        self._extractor, self._statistics, self._starter = extractor, statistics, starter
        self._columns, self._mass = np.array(columns, np.int64), np.array(masses, np.int64)
        order = [statistics.columns[label] for label in statistics.sorted_classes()]
        self._order = np.array(order, np.int64)
        self._scores = np.zeros((3, len(columns)))
        self._gathered = np.zeros((0, 0), np.int32)
        self._share, self._epoch = 0, -1

    def score(self, addresses: Any, positive: int, lead: int) -> None:
        """Score the last mail, already scored with the model's own counts, with both (`kernels.score_with_starter`).
        `positive` and `lead` are columns; `addresses` are those of the scorer's workspace."""
        statistics, starter, extractor = self._statistics, self._starter, self._extractor
        rows = statistics.table.rows
        if self._epoch != statistics.epoch:
            self._share, self._epoch = round(UNIT * statistics.starter_share), statistics.epoch
        if self._gathered.dtype != rows.dtype or len(self._gathered) < extractor.n:
            self._gathered = np.zeros((len(extractor.row_ids), COUNT + len(self._columns)), rows.dtype)
        kernels.score_with_starter(
            extractor.n, self._share, starter.workspace.addresses, starter.table.rows, self._columns, self._mass, rows,
            addresses, lead, positive, self._gathered, self._scores,
        )  # fmt: skip

    def counts(self, i: int) -> list[int]:
        """The combined counters of feature i of the mail scored last, by column."""
        return self._gathered[i, COUNT:].tolist()

    def pool_cell(self, column: int) -> int:
        """The pool cell of a label for the mail scored last; `column` is -1 for a new class."""
        return int(kernels.starter_cell(self._scores, self._order, column))

    def evidence(self, label: Label, rival: Label) -> float:
        """The starter's contribution to the difference of two classes' scores, for the mail scored last."""
        columns = self._statistics.columns
        shares = self._scores[:, columns[label]] - self._scores[:, columns[rival]]
        return float(shares[2] - shares[0])
