"""Scores messages, and grades and learns their labels, for `MailNB`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import numpy as np

from stream_nb import kernels
from stream_nb.features.extractor import Extractor
from stream_nb.kernels.layout import BINS, DOUBT_UNIT, UNIT, MailResult, MailSetting, MailUpdate, Slot
from stream_nb.mail_nb.feature_part import POOL_CELL
from stream_nb.mail_nb.originator_counts import UNKNOWN, originator_cell
from stream_nb.mail_nb.scorer import MailScorer, ScoredMessage
from stream_nb.mail_nb.statistics import MailStatistics
from stream_nb.types import ClassName, Label, Mail, OriginatorUpdate, Update

_NO_SUMS = np.zeros(2, np.int64)
_AT_ONCE = 32
"""Messages per call of a kernel; the texts of this many mails fit in a processor's cache."""
_NO_BOUND = np.iinfo(np.int64).max


class MailEngine(MailScorer):
    """Scores messages and learns their labels. `most` limits the number of features (None: no limit); when it is
    exceeded, an eighth of them is evicted."""

    def __init__(self, extractor: Extractor, statistics: MailStatistics, most: int | None) -> None:
        super().__init__(extractor, statistics)
        self.evicted = 0
        self._most = most
        self._originator_update: OriginatorUpdate | None = None

    def score_many(self, xs: Iterable[Any], positive: Label) -> Iterator[list[float]]:
        """`result` of each message as a list, in order; faster than single calls."""
        for chunk in _chunks(xs):
            if self.statistics.starter is None and len(chunk) > 1 and all(map(Extractor.packable, chunk)):
                yield from self._run(chunk, np.full(len(chunk), -1), positive, np.zeros(2, np.int64)).tolist()
            else:
                for x in chunk:
                    self.score(x, positive)
                    yield self.result.tolist()

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
        """Like `learn`, but returns the update."""
        if self.extractor.features or self.starter is not None:
            # Grade first, because the update's pool cells and gradients must be computed before the label is learned.
            update = self.grade(scored, label, source)
            self.add(scored[0], update, 1)
            return update
        self.learn(scored, label, source)
        return self._graded(label, source)

    def score_then_learn(self, xs: list[Any], labels: list[ClassName], positive: Label, source: str) -> list[float]:
        """Test, then train, on each message in order. Returns the log-odds of each message before it was learned."""
        log_odds: list[float] = []
        can_batch = self.statistics.starter is None  # the batch kernel does not add a starter's share
        for chunk in _chunks(xs):
            i = 0
            while i < len(chunk):
                columns = self.statistics.columns
                next_labels = labels[len(log_odds) : len(log_odds) + len(chunk) - i]
                # A message of a new class is learned singly, because a new class changes the scores of those before it.
                n = 0
                while can_batch and n < len(next_labels) and next_labels[n] in columns and _can_batch(chunk[i + n]):
                    n += 1
                if n:
                    batch_columns = np.array([columns[label] for label in next_labels[:n]], np.int64)
                    results = self._run(chunk[i : i + n], batch_columns, positive, self.statistics.source(source))
                    log_odds += results[:, MailResult.LOG_ODDS].tolist()
                    i += n
                else:
                    scored = self.score(chunk[i], positive)
                    log_odds.append(self.result.item(MailResult.LOG_ODDS))
                    self.learn(scored, next_labels[0], source)
                    i += 1
        return log_odds

    def add(self, x: Any, update: Update, sign: int) -> None:
        """Add `sign` times an update of a message; a new class is added if necessary."""
        extractor, statistics, last = self.extractor, self.statistics, self._last
        largest = max(update.weight, abs(update.taken))
        if largest:
            extractor.extract(x)  # first, so that an invalid message does not add a class
        column = statistics.column(update.label)
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
            statistics.totals, statistics.source(update.source),
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

    def _run(self, xs: list[Any], columns: np.ndarray, positive: Label, source: np.ndarray) -> np.ndarray:
        """Score packable messages, and learn each under its column after scoring it (-1: do not learn it). Returns one
        row of results per message."""
        extractor, statistics = self.extractor, self.statistics
        firsts = extractor.pack(xs)
        if statistics.classes is not self.classes:
            self._bind_classes()
        column = statistics.columns.get(positive, -1)
        most = _NO_BOUND if self._most is None else self._most
        results = np.zeros((len(xs), len(self.result)))
        self._last = None
        i = 0
        while i < len(xs):
            i = kernels.mail_score_then_learn(
                i, extractor.text, extractor.parts, firsts, columns, results, most, extractor.pairs,
                extractor.grams, extractor.longest_prefix, statistics.table.rows, self._addresses, self.lead, column,
                source,
            )  # fmt: skip
            statistics.epoch += 1
            if self._most is not None:
                self._keep_within(self._most)
            if i < len(xs):
                statistics.table.reserve(extractor, len(extractor.hashes), UNIT)
        return results

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


def _can_batch(x: Any) -> bool:
    """Whether a message can be learned in a batch: its label does not change its originator's counts."""
    return Extractor.packable(x) and not (isinstance(x, Mail) and x.originator)


def _chunks(xs: Iterable[Any]) -> Iterator[list[Any]]:
    """Yield the messages in order, in lists of up to `_AT_ONCE`."""
    remaining = iter(xs)
    while chunk := list(islice(remaining, _AT_ONCE)):
        yield chunk
