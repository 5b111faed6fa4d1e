"""What `MailNB` does with one message after the other: read it, score it, grade and learn its label."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from stream_nb import kernels
from stream_nb.features.extractor import Extractor
from stream_nb.mail_nb.statistics import MailStatistics
from stream_nb.types import Label, Mail, Update

ROOM = 2000
"""Distinct features of a message that count; a message cannot buy more time or memory than that."""

_NO_TERMS = np.zeros((0, 0))
_NO_SUMS = np.zeros(2, np.int64)
_LESSON_PARTS = 11
_CHUNK_BYTES = 1 << 17
_LOGS = 1 << 15  # counts of less than 128 mails have their logarithms ready
_EVER = np.iinfo(np.int64).max


class MailEngine:
    """The compiled score over statistics, with everything that it keeps between two calls.

    After `score`, `result` (float64, laid out in `stream_nb.kernels.mail_nb_score`) is what was found of a message;
    scoring again the same object costs nothing until something changes. `most` bounds the features kept: an
    eighth of them goes when there are more. The engine holds no statistics of its own; engines may
    share a extractor: what one has read, the others need not.
    """

    def __init__(self, extractor: Extractor, counts: MailStatistics, most: int | None) -> None:
        self.counts = counts
        self.extractor = extractor
        self.evicted = 0
        self._most = most
        self._update = np.zeros(_LESSON_PARTS, np.int64)
        self._workspace = kernels.Workspace(kernels.PLACES)
        self._workspace.bind(kernels.AT_UPDATE, self._update)
        self._workspace.bind(kernels.AT_TERMS, _NO_TERMS)
        self._scored_at = self._rows_at = self._fitted_at = self._bound_at = self._read = -1
        self._tallies: np.ndarray | None = None
        self._bind_arrays()

    def set_options(self, settings: np.ndarray) -> None:
        """Take other options, as `stream_nb.kernels.mail_nb_score` reads them."""
        logs = np.zeros(_LOGS)
        kernels.small_logs(settings[kernels.SMOOTHING], logs)
        self._settings = settings
        self._workspace.bind(kernels.AT_SETTINGS, settings)
        self._workspace.bind(kernels.AT_LOGS, logs)
        self._scored_at = -1

    def score(self, x: Any, positive: Label) -> None:
        """Fill `result` for a message; changes no statistics. Raises TypeError for what is not a message."""
        extractor, counts = self.extractor, self.counts
        extractor.load(x)
        version = counts.version
        if self._bound_at != version or self._read != extractor.version:
            self._bind_arrays()
        if positive != self._positive:
            self._find_positive(positive)
        if self._scored_at == version and extractor.rows_owner is self:
            return
        extractor.n = kernels.mail_score(
            extractor.text, extractor.parts, 0, extractor.n, extractor.pairs, counts.table.rows,
            self._workspace.addresses, self.lead, self._column, self._fitted_at != version,
        )  # fmt: skip
        self._scored_at = self._rows_at = self._fitted_at = version
        extractor.rows_owner = self

    def explain(self, x: Any, positive: Label) -> np.ndarray:
        """`score` again, and the share of each feature in the score of each class: float64[features, classes]."""
        self.extractor.extract(x)
        terms = np.zeros((self.extractor.n, max(len(self.counts.columns), 2)))
        self._workspace.bind(kernels.AT_TERMS, terms)
        self._scored_at = -1
        self.score(x, positive)
        self._workspace.bind(kernels.AT_TERMS, _NO_TERMS)
        return terms

    def score_many(self, xs: Iterable[Any], positive: Label) -> Iterator[list[float]]:
        """`result` of each message as a list, in order, faster than one by one."""
        for chunk in _chunks(xs):
            if len(chunk) > 1 and all(map(Extractor.packable, chunk)):
                yield from self._run(chunk, np.full(len(chunk), -1), positive, np.zeros(2, np.int64)).tolist()
            else:
                for x in chunk:
                    self.score(x, positive)
                    yield self.result.tolist()

    def grade(self, label: Label, source: str) -> Update:
        """What learning the label of the message scored last would add; changes no statistics."""
        counts = self.counts
        column, sums = counts.columns.get(label, -1), counts.sources.get(source, _NO_SUMS)
        kernels.grade_update(self.result, column, counts.tallies, sums, self._settings, self._update)
        return self._graded(label, source)

    def grade_and_learn(self, x: Any, label: Label, source: str) -> None:
        """Grade and learn the label of `x`, the message scored last."""
        counts, extractor = self.counts, self.extractor
        learned = kernels.mail_learn(
            extractor.text, extractor.parts, extractor.n, extractor.longest_prefix, counts.table.rows,
            self._workspace.addresses, counts.columns.get(label, -1), counts.source(source),
        )  # fmt: skip
        if learned:
            counts.version += 1
            self._bound_at = self._rows_at = counts.version  # learning moved no rows, and every feature has one now
            self._keep_within_bounds()
        else:
            self.add(x, self._graded(label, source), 1)

    def score_then_learn(self, xs: list[Any], labels: list[Label], positive: Label, source: str) -> list[float]:
        """Test, then train, on each message in order; the log-odds before it was learned."""
        log_odds: list[float] = []
        columns = self.counts.columns
        for chunk in _chunks(xs):
            done = 0
            while done < len(chunk):
                later = labels[len(log_odds) : len(log_odds) + len(chunk) - done]
                # A class that is not there yet changes how the messages before it are scored: it comes one by one.
                known = 0
                while known < len(later) and later[known] in columns and Extractor.packable(chunk[done + known]):
                    known += 1
                if known:
                    numbers = np.array([columns[label] for label in later[:known]], np.int64)
                    result = self._run(chunk[done : done + known], numbers, positive, self.counts.source(source))
                    log_odds += result[:, kernels.LOG_ODDS].tolist()
                    done += known
                else:
                    self.score(chunk[done], positive)
                    log_odds.append(self.result.item(kernels.LOG_ODDS))
                    self.grade_and_learn(chunk[done], later[0], source)
                    done += 1
        return log_odds

    def add(self, x: Any, update: Update, sign: int) -> None:
        """Add `sign` times a update about a message; its class joins if it must."""
        extractor, counts = self.extractor, self.counts
        if update.weight:
            extractor.extract(x)  # first, so that what is no message opens no class
        column = counts.column(update.label)
        if update.weight:
            if extractor.rows_owner is not self or self._rows_at != counts.version:
                counts.table.find(extractor)
                extractor.rows_owner = self
            counts.table.insert(extractor, update.weight)
        self._update[:] = (update.weight, *update.tallies)
        kernels.add_update(
            extractor.row_ids, extractor.n, column, sign, self._update, counts.table.rows, counts.table.sizes,
            counts.tallies, counts.source(update.source), counts.pooled,
        )  # fmt: skip
        counts.version += 1
        self._rows_at = counts.version if update.weight else -1
        self._keep_within_bounds()

    def evict(self, most: int) -> int:
        """Forget the rarest features until at most `most` are left; returns how many went."""
        gone = self.counts.evict(most, self.extractor.hash_multipliers)
        self.evicted += gone
        return gone

    def _run(self, xs: list[Any], columns: np.ndarray, positive: Label, source: np.ndarray) -> np.ndarray:
        """What is result of each packable message, before it is learned under its column; -1 is not learned."""
        extractor, counts = self.extractor, self.counts
        firsts = extractor.pack(xs)
        self._bind_arrays()
        self._find_positive(positive)
        result = np.zeros((len(xs), len(self.result)))
        most = _EVER if self._most is None else self._most
        done = 0
        while done < len(xs):
            done = kernels.mail_score_then_learn(
                done, extractor.text, extractor.parts, firsts, columns, result, most, extractor.pairs,
                extractor.longest_prefix, counts.table.rows, self._workspace.addresses, self.lead, self._column,
                self._fitted_at != counts.version, source,
            )  # fmt: skip
            counts.version += 1
            self._keep_within_bounds()
            if done < len(xs):
                counts.table.reserve(extractor, len(extractor.hashes), kernels.UNIT)
                self._bind_arrays()
        return result

    def _graded(self, label: Label, source: str) -> Update:
        weight, *tallies = self._update.tolist()
        return Update(label, weight, tuple(tallies), source)

    def _keep_within_bounds(self) -> None:
        if self._most is not None and self.counts.table.live > self._most:
            self.evict(self._most - self._most // 8)

    def _find_positive(self, positive: Label) -> None:
        """Find the number of the positive class, -1 if there is none."""
        self._positive, self._column = positive, self.counts.columns.get(positive, -1)
        self._scored_at = -1

    def _bind_arrays(self) -> None:
        """Lay down what may be another array since the last time.

        Of two classes the last by name is worked out: no bit depends on which came first.
        """
        counts, extractor, bind = self.counts, self.extractor, self._workspace.bind
        if counts.tallies is not self._tallies:
            self._tallies = counts.tallies
            self.labels = tuple(counts.columns)
            self.places = tuple((label, kernels.SCORES + c) for label, c in counts.columns.items())
            self.lead = counts.columns[counts.sorted_labels()[-1]] if len(self.labels) == 2 else 0
            self.result = np.zeros(kernels.SCORES + len(self.labels))
            self._positive, self._column, self._fitted_at = None, -1, -1
            bind(kernels.AT_RESULT, self.result)
            bind(kernels.AT_TALLIES, counts.tallies)
        bind(kernels.AT_POOLED, counts.pooled)
        bind(kernels.AT_INDEX, counts.table.index)
        bind(kernels.AT_ARENA, counts.table.arena)
        bind(kernels.AT_SIZES, counts.table.sizes)
        bind(kernels.AT_HASH_MULTIPLIERS, extractor.hash_multipliers)
        bind(kernels.AT_HASHES, extractor.hashes)
        bind(kernels.AT_TOKEN_SPANS, extractor.token_spans)
        bind(kernels.AT_COUNTS, extractor.counts)
        bind(kernels.AT_DEDUP_INDEX, extractor.dedup_index)
        bind(kernels.AT_PREFIXES, extractor.prefixes)
        bind(kernels.AT_ROW_IDS, extractor.row_ids)
        self._bound_at, self._read = counts.version, extractor.version


def _chunks(xs: Iterable[Any]) -> Iterator[list[Any]]:
    """The messages in order, in lists of about 128 kB of text."""
    chunk: list[Any] = []
    size = 0
    for x in xs:
        chunk.append(x)
        size += sum([len(text) for _, text in x.parts]) if isinstance(x, Mail) else len(x)
        if size >= _CHUNK_BYTES:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk
