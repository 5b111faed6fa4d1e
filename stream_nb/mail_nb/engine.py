"""What `MailNB` does with one message after the other: score it, grade and learn its label."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import numpy as np

from stream_nb import kernels
from stream_nb.features.extractor import Extractor
from stream_nb.kernels.layout import BINS, DOUBT_UNIT, UNIT, MailResult, MailSetting, MailUpdate, Place
from stream_nb.mail_nb.feature_part import POOL_CELL
from stream_nb.mail_nb.originator_counts import UNKNOWN, originator_cell
from stream_nb.mail_nb.scorer import MailScorer, ScoredMessage
from stream_nb.mail_nb.statistics import MailStatistics
from stream_nb.types import Label, Mail, OriginatorUpdate, Update

_NO_SUMS = np.zeros(2, np.int64)
_AT_ONCE = 32
"""Messages in one call of a kernel; the texts of so many mails stay in the cache of a processor."""
_NO_BOUND = np.iinfo(np.int64).max


class MailEngine(MailScorer):
    """Scores messages by statistics, and learns them; `most` bounds the features kept (None: no bound): an eighth of
    them goes when there are more."""

    def __init__(self, extractor: Extractor, statistics: MailStatistics, most: int | None) -> None:
        super().__init__(extractor, statistics)
        self.evicted = 0
        self._most = most
        self._told: OriginatorUpdate | None = None

    def score_many(self, xs: Iterable[Any], positive: Label) -> Iterator[list[float]]:
        """`result` of each message as a list, in order, faster than one by one."""
        for chunk in _chunks(xs):
            if self.statistics.starter is None and len(chunk) > 1 and all(map(Extractor.packable, chunk)):
                yield from self._run(chunk, np.full(len(chunk), -1), positive, np.zeros(2, np.int64)).tolist()
            else:
                for x in chunk:
                    self.score(x, positive)
                    yield self.result.tolist()

    def grade(self, scored: ScoredMessage, label: Label, source: str) -> Update:
        """What learning this label of a message would add; changes no statistics."""
        self._check(scored)
        statistics = self.statistics
        column, sums = statistics.columns.get(label, -1), statistics.sources.get(source, _NO_SUMS)
        update = self._workspace[Place.UPDATE]
        cell, originator = self._originator()
        kernels.grade_update(self.result, column, statistics.totals, sums, originator, self._settings, update)
        self._note_originator(cell, label)
        return self._graded(label, source)

    def learn(self, scored: ScoredMessage, label: Label, source: str) -> None:
        """Grade this label of a message, and learn it."""
        statistics, extractor = self.statistics, self.extractor
        if scored is not self._last or extractor.rows_owner is not scored or scored[2] != statistics.epoch:
            self._check(scored)
        cell, originator = self._originator()
        learned = kernels.mail_learn(
            extractor.text, extractor.parts, extractor.n, extractor.longest_prefix, statistics.table.rows,
            self._addresses, statistics.columns.get(label, -1), statistics.source(source), originator,
        )  # fmt: skip
        self._note_originator(cell, label)
        if learned:
            if self._told is not None:
                statistics.originators.add_update(self._told, statistics.columns, 1)
            if extractor.features:
                gain = self._workspace[Place.UPDATE].item(MailUpdate.BIN_GAIN)
                self.features.learn(extractor.features, statistics.columns[label], gain, self.result)
            if self.starter is not None:
                gain = self._workspace[Place.UPDATE].item(MailUpdate.BIN_GAIN)
                statistics.tabular.pool.add(self.starter.pool_cell(statistics.columns[label]), gain)
            statistics.epoch += 1
            if self._most is not None:
                self._keep_within(self._most)
        else:
            self.add(scored[0], self._graded(label, source), 1)

    def learn_update(self, scored: ScoredMessage, label: Label, source: str) -> Update:
        """As `learn`; returns the update."""
        if self.extractor.features or self.starter is not None:
            # Their part of the update is read before it is learned.
            update = self.grade(scored, label, source)
            self.add(scored[0], update, 1)
            return update
        self.learn(scored, label, source)
        return self._graded(label, source)

    def score_then_learn(self, xs: list[Any], labels: list[Label], positive: Label, source: str) -> list[float]:
        """Test, then train, on each message in order; the log-odds before it was learned."""
        log_odds: list[float] = []
        alone = self.statistics.starter is None  # a starter's share is added to the scores of each message
        for chunk in _chunks(xs):
            done = 0
            while done < len(chunk):
                columns = self.statistics.columns
                later = labels[len(log_odds) : len(log_odds) + len(chunk) - done]
                # A class that is not there yet changes how the messages before it are scored: it comes one by one.
                known = 0
                while alone and known < len(later) and later[known] in columns and _learnable(chunk[done + known]):
                    known += 1
                if known:
                    numbers = np.array([columns[label] for label in later[:known]], np.int64)
                    results = self._run(chunk[done : done + known], numbers, positive, self.statistics.source(source))
                    log_odds += results[:, MailResult.LOG_ODDS].tolist()
                    done += known
                else:
                    scored = self.score(chunk[done], positive)
                    log_odds.append(self.result.item(MailResult.LOG_ODDS))
                    self.learn(scored, later[0], source)
                    done += 1
        return log_odds

    def add(self, x: Any, update: Update, sign: int) -> None:
        """Add `sign` times an update about a message; its class joins if it must."""
        extractor, statistics, last = self.extractor, self.statistics, self._last
        largest = max(update.weight, abs(update.taken))
        if largest:
            extractor.extract(x)  # first, so that what is no message opens no class
        column = statistics.column(update.label)
        rival = -1 if update.rival is None else statistics.column(update.rival)
        if largest:
            if last is None or extractor.rows_owner is not last or last[2] != statistics.epoch:
                statistics.table.find(extractor)
                extractor.rows_owner = self
            statistics.table.insert(extractor, largest)
        numbers = self._workspace[Place.UPDATE]
        numbers[:] = (update.weight, *update.tallies[:POOL_CELL], update.taken, rival)
        kernels.add_update(
            extractor.row_ids, extractor.n, column, sign, numbers, statistics.table.rows, statistics.table.sizes,
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
        """Forget the rarest features until at most `most` are left; returns how many went."""
        gone = self.statistics.evict(most, self.extractor.hash_multipliers)
        self.evicted += gone
        return gone

    def _run(self, xs: list[Any], columns: np.ndarray, positive: Label, source: np.ndarray) -> np.ndarray:
        """The result of each packable message, before it is learned under its column; -1 is not learned."""
        extractor, statistics = self.extractor, self.statistics
        firsts = extractor.pack(xs)
        if statistics.classes is not self.classes:
            self._bind_classes()
        column = statistics.columns.get(positive, -1)
        most = _NO_BOUND if self._most is None else self._most
        results = np.zeros((len(xs), len(self.result)))
        self._last = None
        done = 0
        while done < len(xs):
            done = kernels.mail_score_then_learn(
                done, extractor.text, extractor.parts, firsts, columns, results, most, extractor.pairs,
                extractor.grams, extractor.longest_prefix, statistics.table.rows, self._addresses, self.lead, column,
                True, source,
            )  # fmt: skip
            statistics.epoch += 1
            if self._most is not None:
                self._keep_within(self._most)
            if done < len(xs):
                statistics.table.reserve(extractor, len(extractor.hashes), UNIT)
        return results

    def _graded(self, label: Label, source: str) -> Update:
        """The update of the message scored last."""
        weight, *tallies, taken, rival = self._workspace[Place.UPDATE].tolist()
        features, starter = self.extractor.features, self.starter
        if features or starter is not None:
            column, gain = self.statistics.columns.get(label, -1), tallies[MailUpdate.BIN_GAIN - 1]
            tallies += [
                self.features.pool_cell(column) if features else -1,
                starter.pool_cell(column) if starter is not None else -1,
                *(self.features.gradients(column, gain, self.result) if features else ()),
            ]
        return Update(
            label, weight, tuple(tallies), source, taken, self.classes[rival] if taken else None,
            originator=self._told,
        )  # fmt: skip

    def _originator(self) -> tuple[int, np.ndarray]:
        """The number of the originator of the message read last, and its counts; -1 and none where it is not known, or
        plays no part."""
        originator = self.extractor.originator
        if not originator or not self._settings[MailSetting.TRUST]:
            return -1, UNKNOWN
        cell = originator_cell(originator, self.extractor.key)
        return cell, self.statistics.originators.counts(cell)

    def _note_originator(self, cell: int, label: Label) -> None:
        """What the label graded last adds to the counts of its message's originator."""
        self._told = None
        if cell >= 0:
            contradicts = self._workspace[Place.UPDATE].item(MailUpdate.BIN) < BINS // 2
            self._told = self.statistics.originators.update(cell, contradicts, label, self.statistics.columns)

    def _keep_within(self, most: int) -> None:
        if self.statistics.table.live > most or self.statistics.tabular.live > most:
            self.evict(most - most // 8)


def _learnable(x: Any) -> bool:
    """Whether a message can be learned among others: what its label says has no part in its originator's counts."""
    return Extractor.packable(x) and not (isinstance(x, Mail) and x.originator)


def _chunks(xs: Iterable[Any]) -> Iterator[list[Any]]:
    """The messages in order, so many at a time."""
    left = iter(xs)
    while chunk := list(islice(left, _AT_ONCE)):
        yield chunk
