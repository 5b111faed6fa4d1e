"""Messages with their labels, as arrays for the kernel that scores and learns them, and its results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from stream_nb.kernels.layout import BINS, MAIL_UPDATE, MailResult, MailUpdate, OriginatorCount
from stream_nb.mail_nb.originator_counts import originator_cell, originator_update
from stream_nb.mail_nb.statistics import MailStatistics
from stream_nb.types import Label, Mail, OriginatorUpdate, Update

_BIN, _RUNS = int(MailUpdate.BIN), int(OriginatorCount.RUNS)  # because access to enum members is slow


class LabelBatch:
    """Messages that the kernel scores in order, and learns after that if they have a label.

    It changes copies of the counts of sources and originators, which `store` writes back.

    Args:
        statistics: The counts, with a column for the class of each label.
        xs: The messages.
        labels: The label of each message; None if it is only scored.
        sources: Who gave each label.
        key: The key for the cells of originators; None if these are ignored.

    Attributes:
        columns: The column of each message's label; -1 for none.
        results: The result of each message before its label was learned, laid out by `MailResult`.
        updates: What each label added, laid out by `MailUpdate`.
        sources: The counts of each source; `source_ids` are the rows of the messages' sources.
        originators: The counts of each originator; `originator_ids` are the rows of the messages' originators, -1 for
            none.
        runs: The runs of each message's originator before its label was learned.
    """

    def __init__(
        self,
        statistics: MailStatistics,
        xs: Sequence[Any],
        labels: Sequence[Label | None],
        sources: Sequence[str],
        key: bytes | None,
    ) -> None:
        count, classes = len(xs), len(statistics.classes)
        self.labels = labels
        self.columns = np.array([-1 if each is None else statistics.columns[each] for each in labels], np.int64)
        self.results = np.zeros((count, MailResult.SCORES + classes))
        self.updates = np.zeros((count, MAIL_UPDATE), np.int64)
        self.runs = np.zeros((count, classes), np.int64)
        self._statistics = statistics
        self._names = sources
        learned = (name for name, label in zip(sources, labels, strict=True) if label is not None)
        names = {name: i for i, name in enumerate(dict.fromkeys(learned))}
        self._own_sources = {name: statistics.source(name) for name in names}
        self.sources = np.array([*self._own_sources.values()], np.int64).reshape(-1, 2)
        self.source_ids = np.array([names.get(name, -1) for name in sources], np.int64)
        self._cells = [-1] * count
        if key is not None:
            for i, (x, label) in enumerate(zip(xs, labels, strict=True)):
                if label is not None and isinstance(x, Mail) and x.originator:
                    self._cells[i] = originator_cell(x.originator, key)
        self._distinct = [cell for cell in dict.fromkeys(self._cells) if cell >= 0]
        counts = [statistics.originators.counts(cell) for cell in self._distinct]
        self.originators = np.array(counts, np.int64).reshape(-1, _RUNS + classes)
        ids = {cell: i for i, cell in enumerate(self._distinct)}
        self.originator_ids = np.array([ids.get(cell, -1) for cell in self._cells], np.int64)

    def store(self) -> None:
        """Write the counts of sources and originators back to the statistics."""
        for own, sums in zip(self._own_sources.values(), self.sources, strict=True):
            own[:] = sums
        for cell, counts in zip(self._distinct, self.originators.tolist(), strict=True):
            self._statistics.originators.put(cell, counts)
        self._statistics.forget(self._own_sources)

    def learned(self) -> list[Update | None]:
        """What was added for each message; None for those without a label."""
        statistics, found = self._statistics, list[Update | None]()
        for i, (label, row) in enumerate(zip(self.labels, self.updates.tolist(), strict=True)):
            if label is None:
                found.append(None)
                continue
            *tallies, weight, taken, rival = row
            originator: OriginatorUpdate | None = None
            if self._cells[i] >= 0:
                contradicts, runs = tallies[_BIN] < BINS // 2, self.runs[i].tolist()
                originator = originator_update(self._cells[i], contradicts, label, statistics.columns, runs)
            rival = statistics.classes[rival] if taken else None
            found.append(Update(label, weight, tuple(tallies), self._names[i], taken, rival, originator=originator))
        return found
