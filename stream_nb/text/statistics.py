"""Raw counts of words by class: the whole state of the textbook models of text."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from stream_nb import kernels
from stream_nb.errors import SnapshotError
from stream_nb.features import hash_key
from stream_nb.features.canonical import Canonical
from stream_nb.features.class_counts import ClassCounts, checked_label, too_many
from stream_nb.features.count_table import CountTable
from stream_nb.features.extractor import Extractor
from stream_nb.kernels.layout import UNIT, Slot, TextTotal
from stream_nb.types import ClassName, Label

_NO_HISTOGRAMS = np.zeros((0, 3), np.int64)
_LEAST_SLOTS = 256


class WordStatistics(ClassCounts):
    """For each class, the occurrences of each word, the messages that contain it, and the number of messages.

    Counts are multiples of 1/256; fractions are rounded. In a row of the table, column 2c counts the occurrences in
    class c, column 2c + 1 the messages. Totals are laid out by `layout.TextTotal`. `extractor` holds the message read
    last.
    """

    COUNTERS = 2
    TOTALS = len(TextTotal)
    SUMS = slice(TextTotal.TERM, TextTotal.MESSAGE + 1)

    def __init__(self, key: bytes) -> None:
        self.key = hash_key.checked(key)
        self.extractor = Extractor(self.key, pairs=False, room=None, counted=True)
        super().__init__()
        self.workspace.nest(Slot.MESSAGE, self.extractor.workspace)

    @property
    def words(self) -> int:
        """V: number of distinct words with a count."""
        return self.table.live

    def messages(self) -> dict[ClassName, float]:
        """Number of messages of each class."""
        messages = [count / UNIT for count in self.totals[:, TextTotal.MESSAGES].tolist()]
        return dict(zip(self.classes, messages, strict=True))

    def find(self, x: Any) -> Extractor:
        """Read a message and look up its words, unless it was the last message looked up."""
        extractor = self.extractor
        extractor.extract(x)
        if extractor.rows_owner is not self:
            self.table.find(extractor)
            extractor.rows_owner = self
        return extractor

    def add(self, x: Any, label: Label, sign: int = 1) -> None:
        """Add (sign 1) or subtract (sign -1) one message of a class.

        Raises:
            TypeError: `x` is not a message, or the label is none.
            ValueError: The class has less than one message to subtract, or would have more occurrences than an integer
                can count; nothing has changed.
        """
        label = checked_label(label)
        if sign < 0 and self._messages_of(label) < UNIT:
            raise ValueError(f"class {label!r} has no message to unlearn; the classes are {list(self.classes)}")
        extractor, table = self.extractor, self.table
        extractor.extract(x)  # first, so that an invalid message does not add a class
        c = self.column(label)
        find = extractor.rows_owner is not self
        while not (learned := kernels.text_learn(
            extractor.text, extractor.parts, extractor.n, extractor.longest_prefix, find, table.rows,
            self.workspace.addresses, c, sign,
        )):  # fmt: skip
            table.reserve(extractor, extractor.n, int(extractor.counts[: extractor.n].max(initial=UNIT)))
            if len(self.workspace[Slot.HISTOGRAMS]):
                self._make_histograms(extractor.n)
        extractor.rows_owner = self
        self.epoch += 1
        if sign < 0 or learned < 0:
            self.forget_empty((label,))
        if learned < 0:
            raise too_many(label)

    def check_room(self, other: ClassCounts, sign: int) -> None:
        """Raise ValueError if a total would be too large after `merge`, or a class would have less than 0 messages."""
        super().check_room(other, sign)
        for label, theirs in zip(other.classes, other.totals[:, TextTotal.MESSAGES].tolist(), strict=True):
            if sign < 0 and (own := self._messages_of(label)) < theirs:
                raise ValueError(f"class {label!r} has {own / UNIT} messages: {theirs / UNIT} cannot be removed")

    def _messages_of(self, label: Label) -> int:
        """Messages of a class in 1/256; 0 for an unknown class."""
        return int(self.totals[self.columns[label], TextTotal.MESSAGES]) if label in self.columns else 0

    def changed(self) -> None:
        """Invalidate everything cached from these counts, including word rows and histograms."""
        super().changed()
        self.extractor.rows_owner = None
        self.workspace.bind(Slot.HISTOGRAMS, _NO_HISTOGRAMS)

    def keep_histograms(self) -> None:
        """Build the histogram of each class (see `stream_nb.kernels.text.common`); from then on `add` maintains it."""
        if not len(self.workspace[Slot.HISTOGRAMS]) and self.columns:
            self._make_histograms(0)

    def copy(self) -> Self:
        """An independent copy."""
        twin = type(self)(self.key)
        twin.hold(self.classes, self.totals.copy(), self.table.copy())
        return twin

    def pack(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        """Values and arrays for `snapshot.pack`; equal statistics give equal values and arrays."""
        return {"key": self.key.hex(), "classes": self.sorted_classes()}, self.arrays("totals")

    @classmethod
    def unpack(cls, values: dict[str, Any], arrays: dict[str, np.ndarray]) -> Self:
        """Restore statistics from the result of `pack`. Raises SnapshotError if parts are missing or malformed."""
        try:
            statistics, arrays = cls(bytes.fromhex(values["key"])), dict(arrays)
            totals = arrays.pop("totals").astype(np.int64).reshape(-1, cls.TOTALS)
            table = CountTable.from_canonical(Canonical(**arrays), statistics.extractor.hash_multipliers)
            statistics.hold(values["classes"], totals, table)
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise SnapshotError(f"snapshot of word counts with missing or malformed parts: {error}") from error
        return statistics

    def _make_histograms(self, more: int) -> None:
        """Build the histograms of all classes, with room for `more` additional counts."""
        columns = [self.table.counts[:, 2 * c + 1] for c in range(len(self.columns))]
        counted = [np.unique(column[column != 0], return_counts=True) for column in columns]
        most = max((len(values) for values, _ in counted), default=0) + more
        slots = 1 << max(_LEAST_SLOTS, 4 * most).bit_length()
        histograms = np.zeros((len(columns) * slots, 3), np.int64)
        self.workspace.bind(Slot.HISTOGRAMS, histograms)
        for histogram, (values, words) in zip(histograms.reshape(-1, slots, 3), counted, strict=True):
            histogram[0, :2] = len(values), self.epoch
            histogram[1 : len(values) + 1, 0], histogram[1 : len(values) + 1, 1] = values, words
            kernels.compact_histogram(histogram)
