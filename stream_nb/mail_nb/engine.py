"""Scores messages, and grades and learns their labels, one at a time, for `MailNB`."""

from __future__ import annotations

from typing import Any

import numpy as np

from stream_nb import kernels
from stream_nb.features.extractor import Extractor
from stream_nb.kernels.layout import BINS, DOUBT_UNIT, POOL_CELLS, MailSetting, MailUpdate, Slot
from stream_nb.mail_nb.feature_part import GRADIENTS, POOL_CELL
from stream_nb.mail_nb.originator_counts import UNKNOWN, originator_cell
from stream_nb.mail_nb.scorer import MailScorer, ScoredMessage
from stream_nb.mail_nb.statistics import MailStatistics
from stream_nb.types import Label, OriginatorUpdate, Update

_NO_SUMS = np.zeros(2, np.int64)


class MailEngine(MailScorer):
    """Scores messages and learns their labels. `most` limits the number of features (None: no limit); when it is
    exceeded, an eighth of them is evicted."""

    def __init__(self, extractor: Extractor, statistics: MailStatistics, most: int | None) -> None:
        super().__init__(extractor, statistics)
        self.evicted = 0
        self._most = most
        self._originator_update: OriginatorUpdate | None = None

    def grade(self, scored: ScoredMessage, label: Label, source: str) -> Update:
        """The update that learning this label of a message would apply; changes no statistics."""
        self._check(scored)
        statistics = self.statistics
        column, sums = statistics.columns.get(label, -1), statistics.sources.get(source, _NO_SUMS)
        update = self._workspace[Slot.UPDATE]
        cell, originator = self._originator()
        kernels.grade_update(self.result, column, statistics.totals, sums, originator, self._settings, update)
        self._set_originator_update(cell, label)
        return self._graded(label, source)

    def learn(self, scored: ScoredMessage, label: Label, source: str) -> None:
        """Grade a label of a message, and learn it."""
        self._learn(scored, label, source)
        self.statistics.forget((source,))

    def _learn(self, scored: ScoredMessage, label: Label, source: str) -> None:
        statistics, extractor = self.statistics, self.extractor
        if scored is not self._last or extractor.rows_owner is not scored or scored[2] != statistics.epoch:
            self._check(scored)  # raises; the comparisons are repeated here to save the call
        cell, originator = self._originator()
        learned = kernels.mail_learn(
            extractor.text, extractor.parts, extractor.n, extractor.longest_prefix, statistics.table.rows,
            self._addresses, statistics.columns.get(label, -1), statistics.source(source), originator,
        )  # fmt: skip
        self._set_originator_update(cell, label)
        if learned:
            if self._originator_update is not None:
                statistics.originators.add_update(self._originator_update, statistics.columns, 1)
            if extractor.features:
                gain = self._workspace[Slot.UPDATE].item(MailUpdate.BIN_GAIN)
                self.features.learn(extractor.features, statistics.columns[label], gain, self.result)
            if self.starter is not None:
                gain = self._workspace[Slot.UPDATE].item(MailUpdate.BIN_GAIN)
                statistics.tabular.pool.add(self.starter.pool_cell(statistics.columns[label]), gain)
            statistics.epoch += 1
            if self._most is not None:
                self._keep_within(self._most)
        else:
            self.add(scored[0], self._graded(label, source), 1)

    def learn_update(self, scored: ScoredMessage, label: Label, source: str) -> Update:
        """Like `learn`, but returns the update, and leaves it to the caller to `forget` what has become empty."""
        if self.extractor.features or self.starter is not None:
            # Grade first, because the update's pool cells and gradients must be computed before the label is learned.
            update = self.grade(scored, label, source)
            self.add(scored[0], update, 1)
            return update
        self._learn(scored, label, source)
        return self._graded(label, source)

    def add(self, x: Any, update: Update, sign: int) -> None:
        """Add `sign` times an update of a message; a new class is added if necessary.

        Raises ValueError, and changes nothing, if the update cannot come from `grade`: kernels would write elsewhere.
        Raises TypeError, and changes nothing, if the source is not text.
        """
        _check_indices(update)
        extractor, statistics, last = self.extractor, self.statistics, self._last
        largest = max(update.weight, abs(update.taken))
        if largest:
            extractor.extract(x)  # before the source, and that before the class, so that invalid ones add nothing
        source, column = statistics.source(update.source), statistics.column(update.label)
        rival = -1 if update.rival is None else statistics.column(update.rival)
        if largest:
            if last is None or extractor.rows_owner is not last or last[2] != statistics.epoch:
                statistics.table.find(extractor)
                extractor.rows_owner = self
            statistics.table.insert(extractor, largest)
        update_row = self._workspace[Slot.UPDATE]
        update_row[:] = (*update.tallies[:POOL_CELL], update.weight, update.taken, rival)
        kernels.add_update(
            extractor.row_ids, extractor.n, column, sign, update_row, statistics.table.rows, statistics.table.sizes,
            statistics.totals, source,
        )  # fmt: skip
        if update.corrects:
            statistics.source(update.corrects)[:] += (sign, sign * int(DOUBT_UNIT))
        self.features.add(x, update, sign)
        if update.originator is not None:
            for label, _ in update.originator.runs:
                statistics.column(label)
            statistics.originators.add_update(update.originator, statistics.columns, sign)
        statistics.epoch += 1
        if self._most is not None:
            self._keep_within(self._most)

    def evict(self, most: int) -> int:
        """Evict the rarest features until at most `most` are left. Returns the number evicted."""
        evicted = self.statistics.evict(most, self.extractor.hash_multipliers)
        self.evicted += evicted
        return evicted

    def _graded(self, label: Label, source: str) -> Update:
        """The update of the message scored last."""
        *tallies, weight, taken, rival = self._workspace[Slot.UPDATE].tolist()
        features, starter = self.extractor.features, self.starter
        if features or starter is not None:
            column, gain = self.statistics.columns.get(label, -1), tallies[MailUpdate.BIN_GAIN]
            tallies += [
                self.features.pool_cell(column) if features else -1,
                starter.pool_cell(column) if starter is not None else -1,
                *(self.features.gradients(column, gain, self.result) if features else ()),
            ]
        return Update(
            label, weight, tuple(tallies), source, taken, self.classes[rival] if taken else None,
            originator=self._originator_update,
        )  # fmt: skip

    def _originator(self) -> tuple[int, np.ndarray]:
        """The cell and the counts of the originator of the message read last; (-1, UNKNOWN) if it is unknown, or
        ignored because `trust` is off."""
        originator = self.extractor.originator
        if not originator or not self._settings[MailSetting.TRUST]:
            return -1, UNKNOWN
        cell = originator_cell(originator, self.extractor.key)
        return cell, self.statistics.originators.counts(cell)

    def _set_originator_update(self, cell: int, label: Label) -> None:
        """Store what the label graded last adds to the counts of its message's originator."""
        self._originator_update = None
        if cell >= 0:
            contradicts = self._workspace[Slot.UPDATE].item(MailUpdate.BIN) < BINS // 2
            originators, columns = self.statistics.originators, self.statistics.columns
            self._originator_update = originators.update(cell, contradicts, label, columns)

    def _keep_within(self, most: int) -> None:
        if self.statistics.table.live > most or self.statistics.tabular.live > most:
            self.evict(most - most // 8)


def _check_indices(update: Update) -> None:
    tallies = update.tallies
    cells = tallies[POOL_CELL:GRADIENTS]
    if len(tallies) < POOL_CELL or not 0 <= tallies[MailUpdate.BIN] < BINS or max(cells, default=-1) >= POOL_CELLS:
        raise ValueError(f"an update with the tallies {tallies!s:.200}: give one that `grade` has returned")
    if update.weight < 0:
        raise ValueError(f"an update with the weight {update.weight}: give one that `grade` has returned")
