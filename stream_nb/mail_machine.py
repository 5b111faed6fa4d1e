"""What `MailNB` does with one message after the other: read it, look at it, grade and learn its label."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from stream_nb import kernels
from stream_nb.mail_counts import MailCounts
from stream_nb.reader import Reader
from stream_nb.types import Label, Lesson, Mail

ROOM = 2000
"""Distinct features of a message that count; a message cannot buy more time or memory than that."""

NO_TERMS = np.zeros((0, 0))
_NO_SUMS = np.zeros(2, np.int64)
_LESSON_PARTS = 11
_CHUNK_BYTES = 1 << 16
_LOGS = 1 << 16  # counts of less than 256 mails have their logarithms ready
_EVER = np.iinfo(np.int64).max


class MailMachine:
    """The compiled recipe over statistics, with everything that it keeps between two calls.

    After `look`, `found` (float64, laid out in `stream_nb.kernels.recipe`) is what was found of a message; looking
    again at the same object costs nothing until something changes. `most` bounds the features kept: an eighth of
    them goes when there are more. The machine holds no statistics of its own; machines may share a reader: what one has
    read, the others need not.
    """

    def __init__(self, reader: Reader, counts: MailCounts, most: int | None) -> None:
        self.counts = counts
        self.reader = reader
        self.evicted = 0
        self._most = _EVER if most is None else most
        self._lesson = np.zeros(_LESSON_PARTS, np.int64)
        self._looked = self._found = self._fitted = self._positive = -1
        self._arrange()

    def set_options(self, settings: np.ndarray) -> None:
        """Take other options, as `stream_nb.kernels.recipe` reads them."""
        self._settings = settings
        self._logs = np.zeros(_LOGS)
        kernels.small_logs(settings[kernels.SMOOTHING], self._logs)
        self._looked = -1

    def look(self, x: Any, positive: Label, terms: np.ndarray = NO_TERMS) -> None:
        """Fill `found` for a message, and terms[i, c] if terms has rows; changes no statistics. Raises TypeError for
        what is not a message."""
        reader, counts = self.reader, self.counts
        self._follow(positive)
        reader.read(x)
        if reader.rows_of is self and self._looked == counts.version and terms is NO_TERMS:
            return
        table = counts.table
        kernels.look(
            reader.hashes, reader.spans, reader.n, reader.rows, table.index, table.cells, table.sizes,
            counts.tallies, self.lead, self._positive, counts.pooled, self._settings, self._logs,
            self._fitted != counts.version, self.found, terms,
        )  # fmt: skip
        self._looked = self._found = self._fitted = counts.version
        reader.rows_of = self

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
        table = counts.table
        taught = kernels.teach(
            reader.hashes, reader.spans, reader.n, reader.text, reader.parts, reader.prefixes, reader.longest_prefix,
            reader.rows, table.index, table.cells, table.arena, table.sizes,
            counts.columns.get(label, -1), counts.tallies, self._settings, counts.source(source), counts.pooled,
            self.found, self._lesson,
        )  # fmt: skip
        if taught:
            self._learned(True)
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
        self._learned(lesson.weight != 0)

    def evict(self, most: int) -> int:
        """Forget the rarest features until at most `most` are left; returns how many went."""
        gone = self.counts.evict(most, self.reader.alphabet)
        self.evicted += gone
        return gone

    def _run(self, xs: list[Any], columns: np.ndarray, positive: Label, source: np.ndarray) -> np.ndarray:
        """What is found of each packable message, before it is learned under its column; -1 is not learned."""
        reader, counts = self.reader, self.counts
        self._follow(positive)
        firsts = reader.pack(xs)
        found = np.zeros((len(xs), len(self.found)))
        done = 0
        while done < len(xs):
            table = counts.table
            done = kernels.look_and_teach(
                done, reader.text, reader.parts, firsts, columns, found, self._most,
                reader.alphabet, reader.pairs, reader.room, reader.hashes, reader.spans, reader.times, reader.seen,
                reader.prefixes, reader.longest_prefix, reader.rows,
                table.index, table.cells, table.arena, table.sizes, counts.tallies, self.lead, self._positive,
                self._settings, self._logs, self._fitted != counts.version, source, counts.pooled, self.found,
                NO_TERMS, self._lesson,
            )  # fmt: skip
            if table.live > self._most:
                self.evict(self._most - self._most // 8)
            elif done < len(xs):
                table.reserve(reader, reader.room, kernels.UNIT)
        counts.version += 1
        return found

    def _graded(self, label: Label, source: str) -> Lesson:
        weight, *tallies = self._lesson.tolist()
        return Lesson(label, weight, tuple(tallies), source)

    def _learned(self, found: bool) -> None:
        """Learning moves no rows; with `found`, every feature of the message read has one now."""
        self.counts.version += 1
        self._found = self.counts.version if found else -1
        if self.counts.table.live > self._most:
            self.evict(self._most - self._most // 8)

    def _follow(self, positive: Label) -> None:
        """Follow a change of classes."""
        if self.counts.tallies is not self._tallies:
            self._arrange()
        column = self.counts.columns.get(positive, -1)
        if column != self._positive:
            self._positive, self._looked = column, -1

    def _arrange(self) -> None:
        """Of two classes the last by name is worked out: no bit depends on which came first."""
        columns = self.counts.columns
        self._tallies = self.counts.tallies
        self.labels = tuple(columns)
        self.lead = columns[self.counts.sorted_labels()[-1]] if len(columns) == 2 else 0
        self.found = np.zeros(kernels.SCORES + len(columns))
        self._looked = self._fitted = -1


def _chunks(xs: Iterable[Any]) -> Iterator[list[Any]]:
    """The messages in order, in lists of about 64 kB of text."""
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
