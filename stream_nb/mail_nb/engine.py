"""What `MailNB` does with one message after the other: read it, look at it, grade and learn its label."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from stream_nb import kernels
from stream_nb.features.extractor import Reader
from stream_nb.mail_nb.statistics import MailCounts
from stream_nb.types import Label, Lesson, Mail

ROOM = 2000
"""Distinct features of a message that count; a message cannot buy more time or memory than that."""

_NO_TERMS = np.zeros((0, 0))
_NO_SUMS = np.zeros(2, np.int64)
_LESSON_PARTS = 11
_CHUNK_BYTES = 1 << 17
_LOGS = 1 << 15  # counts of less than 128 mails have their logarithms ready
_EVER = np.iinfo(np.int64).max


class MailMachine:
    """The compiled recipe over statistics, with everything that it keeps between two calls.

    After `look`, `found` (float64, laid out in `stream_nb.kernels.mail_nb_score`) is what was found of a message;
    looking again at the same object costs nothing until something changes. `most` bounds the features kept: an
    eighth of them goes when there are more. The machine holds no statistics of its own; machines may
    share a reader: what one has read, the others need not.
    """

    def __init__(self, reader: Reader, counts: MailCounts, most: int | None) -> None:
        self.counts = counts
        self.reader = reader
        self.evicted = 0
        self._most = most
        self._lesson = np.zeros(_LESSON_PARTS, np.int64)
        self._desk = kernels.Desk(kernels.PLACES)
        self._desk.lay(kernels.AT_LESSON, self._lesson)
        self._desk.lay(kernels.AT_TERMS, _NO_TERMS)
        self._looked = self._found = self._fitted = self._laid = self._read = -1
        self._tallies: np.ndarray | None = None
        self._follow()

    def set_options(self, settings: np.ndarray) -> None:
        """Take other options, as `stream_nb.kernels.mail_nb_score` reads them."""
        logs = np.zeros(_LOGS)
        kernels.small_logs(settings[kernels.SMOOTHING], logs)
        self._settings = settings
        self._desk.lay(kernels.AT_SETTINGS, settings)
        self._desk.lay(kernels.AT_LOGS, logs)
        self._looked = -1

    def look(self, x: Any, positive: Label) -> None:
        """Fill `found` for a message; changes no statistics. Raises TypeError for what is not a message."""
        reader, counts = self.reader, self.counts
        reader.take(x)
        version = counts.version
        if self._laid != version or self._read != reader.version:
            self._follow()
        if positive != self._positive:
            self._place(positive)
        if self._looked == version and reader.rows_of is self:
            return
        reader.n = kernels.look(
            reader.text, reader.parts, 0, reader.n, reader.pairs, counts.table.cells, self._desk.places,
            self.lead, self._column, self._fitted != version,
        )  # fmt: skip
        self._looked = self._found = self._fitted = version
        reader.rows_of = self

    def explain(self, x: Any, positive: Label) -> np.ndarray:
        """`look` again, and the share of each feature in the score of each class: float64[features, classes]."""
        self.reader.read(x)
        terms = np.zeros((self.reader.n, max(len(self.counts.columns), 2)))
        self._desk.lay(kernels.AT_TERMS, terms)
        self._looked = -1
        self.look(x, positive)
        self._desk.lay(kernels.AT_TERMS, _NO_TERMS)
        return terms

    def look_at_many(self, xs: Iterable[Any], positive: Label) -> Iterator[list[float]]:
        """`found` of each message as a list, in order, faster than one by one."""
        for chunk in _chunks(xs):
            if len(chunk) > 1 and all(map(Reader.packable, chunk)):
                yield from self._run(chunk, np.full(len(chunk), -1), positive, np.zeros(2, np.int64)).tolist()
            else:
                for x in chunk:
                    self.look(x, positive)
                    yield self.found.tolist()

    def grade(self, label: Label, source: str) -> Lesson:
        """What learning the label of the message looked at last would add; changes no statistics."""
        counts = self.counts
        column, sums = counts.columns.get(label, -1), counts.sources.get(source, _NO_SUMS)
        kernels.recipe_grade(self.found, column, counts.tallies, sums, self._settings, self._lesson)
        return self._graded(label, source)

    def teach(self, x: Any, label: Label, source: str) -> None:
        """Grade and learn the label of `x`, the message looked at last."""
        counts, reader = self.counts, self.reader
        taught = kernels.teach(
            reader.text, reader.parts, reader.n, reader.longest_prefix, counts.table.cells, self._desk.places,
            counts.columns.get(label, -1), counts.source(source),
        )  # fmt: skip
        if taught:
            counts.version += 1
            self._laid = self._found = counts.version  # learning moved no rows, and every feature has one now
            self._keep_within_bounds()
        else:
            self.learn(x, self._graded(label, source), 1)

    def look_and_teach(self, xs: list[Any], labels: list[Label], positive: Label, source: str) -> list[float]:
        """Test, then train, on each message in order; the log-odds before it was learned."""
        log_odds: list[float] = []
        columns = self.counts.columns
        for chunk in _chunks(xs):
            done = 0
            while done < len(chunk):
                told = labels[len(log_odds) : len(log_odds) + len(chunk) - done]
                # A class that is not there yet changes how the messages before it are scored: it comes one by one.
                alone = (
                    k for k, label in enumerate(told) if label not in columns or not Reader.packable(chunk[done + k])
                )
                known = next(alone, len(told))
                if known:
                    numbers = np.array([columns[label] for label in told[:known]], np.int64)
                    found = self._run(chunk[done : done + known], numbers, positive, self.counts.source(source))
                    log_odds += found[:, kernels.LOG_ODDS].tolist()
                    done += known
                else:
                    self.look(chunk[done], positive)
                    log_odds.append(self.found.item(kernels.LOG_ODDS))
                    self.teach(chunk[done], told[0], source)
                    done += 1
        return log_odds

    def learn(self, x: Any, lesson: Lesson, sign: int) -> None:
        """Add `sign` times a lesson about a message; its class joins if it must."""
        reader, counts = self.reader, self.counts
        if lesson.weight:
            reader.read(x)  # first, so that what is no message opens no class
        column = counts.column(lesson.label)
        if lesson.weight:
            if reader.rows_of is not self or self._found != counts.version:
                counts.table.find(reader)
                reader.rows_of = self
            counts.table.insert(reader, lesson.weight)
        self._lesson[:] = (lesson.weight, *lesson.tallies)
        kernels.recipe_learn(
            reader.rows, reader.n, column, sign, self._lesson, counts.table.cells, counts.table.sizes, counts.tallies,
            counts.source(lesson.source), counts.pooled,
        )  # fmt: skip
        counts.version += 1
        self._found = counts.version if lesson.weight else -1
        self._keep_within_bounds()

    def evict(self, most: int) -> int:
        """Forget the rarest features until at most `most` are left; returns how many went."""
        gone = self.counts.evict(most, self.reader.factors)
        self.evicted += gone
        return gone

    def _run(self, xs: list[Any], columns: np.ndarray, positive: Label, source: np.ndarray) -> np.ndarray:
        """What is found of each packable message, before it is learned under its column; -1 is not learned."""
        reader, counts = self.reader, self.counts
        firsts = reader.pack(xs)
        self._follow()
        self._place(positive)
        found = np.zeros((len(xs), len(self.found)))
        most = _EVER if self._most is None else self._most
        done = 0
        while done < len(xs):
            done = kernels.look_and_teach(
                done, reader.text, reader.parts, firsts, columns, found, most, reader.pairs, reader.longest_prefix,
                counts.table.cells, self._desk.places, self.lead, self._column, self._fitted != counts.version, source,
            )  # fmt: skip
            counts.version += 1
            self._keep_within_bounds()
            if done < len(xs):
                counts.table.reserve(reader, len(reader.hashes), kernels.UNIT)
                self._follow()
        return found

    def _graded(self, label: Label, source: str) -> Lesson:
        weight, *tallies = self._lesson.tolist()
        return Lesson(label, weight, tuple(tallies), source)

    def _keep_within_bounds(self) -> None:
        if self._most is not None and self.counts.table.live > self._most:
            self.evict(self._most - self._most // 8)

    def _place(self, positive: Label) -> None:
        """Find the number of the positive class, -1 if there is none."""
        self._positive, self._column = positive, self.counts.columns.get(positive, -1)
        self._looked = -1

    def _follow(self) -> None:
        """Lay down what may be another array since the last time.

        Of two classes the last by name is worked out: no bit depends on which came first.
        """
        counts, reader, lay = self.counts, self.reader, self._desk.lay
        if counts.tallies is not self._tallies:
            self._tallies = counts.tallies
            self.labels = tuple(counts.columns)
            self.places = tuple((label, kernels.SCORES + c) for label, c in counts.columns.items())
            self.lead = counts.columns[counts.sorted_labels()[-1]] if len(self.labels) == 2 else 0
            self.found = np.zeros(kernels.SCORES + len(self.labels))
            self._positive, self._column, self._fitted = None, -1, -1
            lay(kernels.AT_FOUND, self.found)
            lay(kernels.AT_TALLIES, counts.tallies)
        lay(kernels.AT_POOLED, counts.pooled)
        lay(kernels.AT_INDEX, counts.table.index)
        lay(kernels.AT_ARENA, counts.table.arena)
        lay(kernels.AT_SIZES, counts.table.sizes)
        lay(kernels.AT_FACTORS, reader.factors)
        lay(kernels.AT_HASHES, reader.hashes)
        lay(kernels.AT_SPANS, reader.spans)
        lay(kernels.AT_TIMES, reader.times)
        lay(kernels.AT_SEEN, reader.seen)
        lay(kernels.AT_PREFIXES, reader.prefixes)
        lay(kernels.AT_ROWS, reader.rows)
        self._laid, self._read = counts.version, reader.version


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
