"""Raw statistics of words by class: what the textbook models learn and all they ever read."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from stream_nb import kernels, snapshot
from stream_nb.errors import SnapshotError
from stream_nb.features import hash_key
from stream_nb.features.count_table import Canonical, CountTable
from stream_nb.features.extractor import Extractor
from stream_nb.types import Label

_NO_HISTOGRAMS = np.zeros((0, 3), np.int64)
_LEAST_SLOTS = 256


class WordStatistics:
    """How often each word occurred in each class, in how many of its messages, and how many messages there
    were.

    Everything is integers in 1/256 (counts given as fractions are rounded to that), so `add` undoes itself
    with sign -1 and sums do not depend on order. `columns` maps each class to its number; of a table row,
    column 2c holds occurrences and column 2c + 1 messages of class c. `totals` (int64[classes, 3]) holds,
    per class, the sum of either column and the number of messages; it is another array whenever the classes are others.
    `version` changes with everything that can change a score.
    """

    def __init__(self, key: bytes | None = None) -> None:
        self.key = hash_key.checked(key)
        self.columns: dict[Label, int] = {}
        self.totals = np.zeros((0, 3), np.int64)
        self.table = CountTable()
        self.extractor = Extractor(self.key, pairs=False, room=None, counted=True)
        self.version = 0
        self._histograms = _NO_HISTOGRAMS
        self._workspace = kernels.Workspace(kernels.IN_PLACES)
        self._bound_at = -1

    @property
    def addresses(self) -> Any:
        """The workspace with all of this, for a kernel."""
        if self._bound_at != self.extractor.version:
            self._bind_arrays()
        return self._workspace.addresses

    @property
    def words(self) -> int:
        """V: distinct words with a count."""
        return self.table.live

    def messages(self) -> dict[Label, float]:
        """How many messages of each class have been added."""
        messages = [count / kernels.UNIT for count in self.totals[:, 2].tolist()]
        return dict(zip(self.columns, messages, strict=True))

    def find(self, x: Any) -> Extractor:
        """Read a message and look its words up, unless that has just been done."""
        extractor = self.extractor
        extractor.extract(x)
        if extractor.rows_owner is not self:
            self.table.find(extractor)
            extractor.rows_owner = self
        return extractor

    def add(self, x: Any, label: Label, sign: int = 1) -> None:
        """Add (sign 1) or take back (sign -1) one message of a class."""
        extractor, table = self.extractor, self.table
        extractor.extract(x)  # first, so that what is no message opens no class
        c = self.columns.get(label)
        if c is None:
            c = self._join(label)
        find = extractor.rows_owner is not self
        while not kernels.text_learn(
            extractor.text, extractor.parts, extractor.n, extractor.longest_prefix, find, table.rows, self.addresses,
            c, sign,
        ):  # fmt: skip
            table.reserve(extractor, extractor.n, int(extractor.counts[: extractor.n].max(initial=kernels.UNIT)))
            if len(self._histograms):
                self._make_histograms(extractor.n)
            self._bound_at = -1
        extractor.rows_owner = self
        self.version += 1
        if sign < 0:
            self._forget_empty()

    def merge(self, other: WordStatistics, sign: int = 1) -> None:
        """Add other statistics (sign 1) or take them back (-1). Raises ValueError when the hash keys
        differ."""
        if other.key != self.key:
            raise ValueError("the other model hashes words with another key; merge models of one key")
        columns = [self._join(label) for label in other.columns]
        self.table.merge(other.table, [2 * c + k for c in columns for k in range(2)], sign)
        np.add.at(self.totals, columns, sign * other.totals)
        self._changed()
        self._forget_empty()

    def decay(self, factor: float) -> None:
        """Multiply every count by `factor` (0 to 1), rounded to 1/256. Raises ValueError outside."""
        if not 0.0 <= factor <= 1.0:
            raise ValueError(f"decay factor is {factor!r}: give a number from 0 (forget all) to 1 (nothing)")
        self.table.scale(factor)
        messages = np.rint(self.totals[:, 2] * factor).astype(np.int64)
        sums = self.table.sums().reshape(-1, 2)
        self.totals = np.column_stack((sums, messages)) if len(sums) else self.totals
        self._changed()
        self._forget_empty()

    def evict(self, most: int) -> int:
        """Forget the rarest words until at most `most` are left; returns how many went."""
        gone, lost = self.table.evict(most, self.extractor.hash_multipliers)
        self.totals[:, :2] -= lost.reshape(-1, 2)
        self._changed()
        return gone

    def keep_histograms(self) -> None:
        """Have the histogram of each class (see `stream_nb.kernels.text_common`), which then follows."""
        if not len(self._histograms) and self.columns:
            self._make_histograms(0)

    def copy(self) -> WordStatistics:
        """The same statistics, sharing nothing."""
        twin = WordStatistics(self.key)
        twin.columns = dict(self.columns)
        twin.totals = self.totals.copy()
        twin.table = self.table.copy()
        return twin

    def pack(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        """Values and arrays for a snapshot; equal statistics give equal ones."""
        labels = sorted(self.columns, key=lambda label: (type(label).__name__, label))
        columns = [self.columns[label] for label in labels]
        parts = self.table.canonical([2 * c + k for c in columns for k in range(2)])
        arrays = {"totals": snapshot.smallest(self.totals[columns])}
        for name, array in parts._asdict().items():
            arrays[name] = array if name == "words" else snapshot.smallest(array)
        return {"key": self.key.hex(), "classes": labels}, arrays

    @classmethod
    def unpack(cls, values: dict[str, Any], arrays: dict[str, np.ndarray]) -> Self:
        """What `pack` gave. Raises SnapshotError when parts are missing or misshapen."""
        try:
            counts = cls(bytes.fromhex(values["key"]))
            counts.columns = {label: column for column, label in enumerate(values["classes"])}
            arrays = dict(arrays)
            counts.totals = arrays.pop("totals").astype(np.int64).reshape(-1, 3)
            counts.table = CountTable.from_canonical(Canonical(**arrays), counts.extractor.hash_multipliers)
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise SnapshotError(f"snapshot of word counts with parts missing or misshapen: {error}") from error
        return counts

    def _join(self, label: Label) -> int:
        """The number of a class; a new class joins with empty counters."""
        if isinstance(label, np.generic):
            label = label.item()
        if label not in self.columns:
            self.columns[label] = len(self.columns)
            self.table.add_column()
            self.table.add_column()
            self.totals = np.vstack((self.totals, np.zeros(3, np.int64)))
            self._changed()
        return self.columns[label]

    def _changed(self) -> None:
        self.version += 1
        self._bound_at = -1
        self.extractor.rows_owner = None
        self._histograms = _NO_HISTOGRAMS

    def _forget_empty(self) -> None:
        """Drop classes of which nothing is left, as if they had never come."""
        kept = [label for label, c in self.columns.items() if self.totals[c].any()]
        if len(kept) < len(self.columns):
            numbers = [self.columns[label] for label in kept]
            self.table.keep_columns([2 * c + k for c in numbers for k in range(2)])
            self.totals = self.totals[numbers]
            self.columns = {label: c for c, label in enumerate(kept)}
            self._changed()

    def _make_histograms(self, more: int) -> None:
        """Histograms of all classes, with room for `more` other counts."""
        columns = [self.table.counts[:, 2 * c + 1] for c in range(len(self.columns))]
        counted = [np.unique(column[column != 0], return_counts=True) for column in columns]
        most = max((len(values) for values, _ in counted), default=0) + more
        slots = 1 << max(_LEAST_SLOTS, 4 * most).bit_length()
        self._histograms = np.zeros((len(columns) * slots, 3), np.int64)
        self._bound_at = -1
        for histogram, (values, words) in zip(self._histograms.reshape(-1, slots, 3), counted, strict=True):
            histogram[0, :2] = len(values), self.version
            histogram[1 : len(values) + 1, 0], histogram[1 : len(values) + 1, 1] = values, words
            kernels.tidy_histogram(histogram)

    def _bind_arrays(self) -> None:
        """Lay down what may be another array since the last time."""
        extractor, table, bind = self.extractor, self.table, self._workspace.bind
        bind(kernels.IN_HASH_MULTIPLIERS, extractor.hash_multipliers)
        bind(kernels.IN_HASHES, extractor.hashes)
        bind(kernels.IN_TOKEN_SPANS, extractor.token_spans)
        bind(kernels.IN_COUNTS, extractor.counts)
        bind(kernels.IN_DEDUP_INDEX, extractor.dedup_index)
        bind(kernels.IN_PREFIXES, extractor.prefixes)
        bind(kernels.IN_ROW_IDS, extractor.row_ids)
        bind(kernels.IN_INDEX, table.index)
        bind(kernels.IN_ARENA, table.arena)
        bind(kernels.IN_SIZES, table.sizes)
        bind(kernels.IN_TOTALS, self.totals)
        bind(kernels.IN_HISTOGRAMS, self._histograms)
        self._bound_at = extractor.version
