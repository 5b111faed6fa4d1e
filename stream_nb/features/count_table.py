"""Keyed features and their counters: an open-addressing hash table in numpy arrays.

With two 32-bit counters, a feature takes 29 to 34 resident bytes without its text: 8 for the key, 8 for the name, 8 for
the counters and 5 to 10 for the index. Spare rows are zero pages that the system has not allocated yet.
"""

from __future__ import annotations

import numpy as np

from stream_nb import kernels
from stream_nb.features.canonical import Canonical
from stream_nb.features.extractor import Extractor
from stream_nb.kernels.layout import COUNT, MOST_UNITS, NAME, Size, Slot

_LEAST_ROWS = 64
_GROWTH = 4
_MOST_ROOM = 64
_FULLEST_INDEX = 0.8
_INT32 = 2**31 - 1
_MOST_TEXT = 2**32 - 1


class CountTable:
    """Integer counters per keyed feature, in any number of columns.

    A feature whose counters are all zero counts as absent: `live` leaves it out, and so does `canonical`, unless a pair
    needs its text.
    """

    def __init__(self, columns: int = 0) -> None:
        self.workspace = kernels.Workspace()
        self.workspace.bind(Slot.INDEX, np.zeros(2 * _LEAST_ROWS, np.uint32))
        self.workspace.bind(Slot.ARENA, np.zeros(1024, np.uint8))
        self.workspace.bind(Slot.SIZES, np.array([0, 0, 1, 0], np.int64))  # offset 0 of the arena means no text
        self.rows = np.zeros((_LEAST_ROWS, COUNT + columns), np.int32)

    @property
    def index(self) -> np.ndarray:
        """The slots of the hash index, uint32 (see `stream_nb.kernels.features.table`)."""
        return self.workspace[Slot.INDEX]

    @property
    def arena(self) -> np.ndarray:
        """The texts of the words, uint8."""
        return self.workspace[Slot.ARENA]

    @property
    def sizes(self) -> np.ndarray:
        """How much of the arrays is in use, int64, laid out by `layout.Size`."""
        return self.workspace[Slot.SIZES]

    @property
    def keys(self) -> np.ndarray:
        """The keys of the rows in use, uint64."""
        halves = self.rows[: self.used, :2].astype(np.uint32)
        return halves[:, 0] | (halves[:, 1].astype(np.uint64) << np.uint64(32))

    @property
    def counts(self) -> np.ndarray:
        """A writable view of the counters of the rows in use."""
        return self.rows[: self.used, COUNT:]

    @property
    def columns(self) -> int:
        """The number of counters per feature."""
        return self.rows.shape[1] - COUNT

    @property
    def used(self) -> int:
        """The number of rows in use."""
        return int(self.sizes[Size.USED])

    @property
    def live(self) -> int:
        """The number of features with a nonzero counter: the vocabulary size V of smoothing."""
        return int(self.sizes[Size.LIVE])

    @property
    def nbytes(self) -> int:
        """Size of the index and of the rows in use, in bytes, without the texts of the words."""
        return self.index.nbytes + self.used * self.rows.itemsize * self.rows.shape[1]

    def find(self, extractor: Extractor) -> None:
        """Fill `extractor.row_ids` with the row of each feature, negative if it has none."""
        kernels.find_all(extractor.hashes, extractor.n, self.index, self.rows, extractor.row_ids)

    def insert(self, extractor: Extractor, most: int) -> None:
        """Insert every feature of `extractor`, after `find`; all counters can then grow by `most`."""
        self.reserve(extractor, extractor.n, most)
        kernels.insert_all(
            extractor.hashes, extractor.token_spans, extractor.n, extractor.text, extractor.parts,
            extractor.prefixes, extractor.row_ids, self.index, self.rows, self.arena, self.sizes,
        )  # fmt: skip

    def reserve(self, extractor: Extractor, features: int, most: int) -> None:
        """Make room for `features` features of `extractor`, and for counters to grow by `most`.

        If that replaces the index, the features are looked up again, because the slots of new ones have changed.
        """
        index = self.index
        self.room_for(features, kernels.most_text(len(extractor.text), features, extractor.longest_prefix))
        self.widen(most)
        if self.index is not index:
            self.find(extractor)

    def add_column(self, number: int = 1) -> None:
        """Add a counter, or `number` of them, initially 0, to every feature."""
        used, columns = self.used, self.rows.shape[1]
        wider = np.zeros((self.rows.shape[0], columns + number), self.rows.dtype)
        wider[:used, :columns] = self.rows[:used]  # spare rows remain pages that the system has not allocated yet
        self.rows = wider

    def keep_columns(self, columns: list[int]) -> None:
        """Drop all other columns. Their counters are not 0 if other words were unlearned than had been learned."""
        kept = [*range(COUNT), *(COUNT + column for column in columns)]
        self.rows = np.ascontiguousarray(self.rows[:, kept])
        self.sizes[Size.LIVE] = int(self.counts.any(axis=1).sum())

    def scale(self, factor: float | np.ndarray) -> None:
        """Multiply every counter by `factor`, a number or one per row (float64[rows, 1]), and round to integers."""
        self.counts[:] = np.rint(self.counts * factor).astype(self.rows.dtype)
        self.sizes[Size.LIVE] = int(self.counts.any(axis=1).sum())

    def sums(self) -> np.ndarray:
        """Return the sum of each column."""
        return self.counts.sum(axis=0, dtype=np.int64)

    def merge(self, other: CountTable, columns: list[int], sign: int = 1) -> None:
        """Add (sign 1) or subtract (-1) the counters of `other`; its column c goes to columns[c] of this table."""
        self.room_for(other.used, int(other.sizes[Size.TEXT]))
        self.widen(int(other.sizes[Size.LARGEST]))
        kernels.merge_rows(
            other.rows, other.used, other.arena, np.array(columns, np.int64), sign,
            np.zeros(other.used, np.int64), self.index, self.rows, self.arena, self.sizes,
        )  # fmt: skip
        self.sizes[Size.LARGEST] = min(int(self.sizes[Size.LARGEST]) + int(other.sizes[Size.LARGEST]), MOST_UNITS)

    def clear(self) -> None:
        """Remove all features; keep the allocated rows, unless they are far more than were in use."""
        used = self.used
        if self.rows.shape[0] > _MOST_ROOM * max(used, _LEAST_ROWS):
            empty = CountTable(self.columns)
            self.hold(empty.rows, empty.index, empty.arena, empty.sizes)
        else:
            self.index[:] = 0
            self.rows[:used] = 0
            self.sizes[:] = 0, 0, 1, 0

    def copy(self) -> CountTable:
        """Return a table with equal counters that shares nothing with this one."""
        twin = CountTable()
        twin.hold(self.rows.copy(), self.index.copy(), self.arena.copy(), self.sizes.copy())
        return twin

    def hold(self, rows: np.ndarray, index: np.ndarray, arena: np.ndarray, sizes: np.ndarray) -> None:
        """Replace the arrays of the table by these: rows and texts move, and only then is `sizes` another array."""
        self.rows = rows
        self.workspace.bind(Slot.INDEX, index)
        self.workspace.bind(Slot.ARENA, arena)
        self.workspace.bind(Slot.SIZES, sizes)

    def names(self, rows: np.ndarray | slice) -> np.ndarray:
        """Return the names of these rows, int64[:, 2] (see `stream_nb.kernels.features.table`)."""
        return self.rows[rows, NAME:COUNT].astype(np.uint32).astype(np.int64)

    def text_of(self, row: int) -> str:
        """Return the word or words of a feature, as first seen."""
        first, second = self.rows[row, NAME:COUNT].astype(np.uint32).tolist()
        if second:
            return f"{self.text_of(first - 1)} {self.text_of(second - 1)}"
        length = int(self.arena[first])
        return self.arena[first + 1 : first + 1 + length].tobytes().decode("utf-8", "replace")

    def canonical(self, columns: list[int]) -> Canonical:
        """Return the contents of the table in a fixed order, with the counters of these columns."""
        keys, names, counts = self.keys, self.names(slice(self.used)), self.counts[:, columns]
        paired = names[:, 1] != 0
        keep: np.ndarray = np.any(counts, axis=1)
        keep[names[keep & paired].ravel() - 1] = True
        words, pairs = (np.flatnonzero(keep & kind) for kind in (~paired, paired))
        words, pairs = words[np.argsort(keys[words])], pairs[np.argsort(keys[pairs])]
        rank = np.zeros(self.used, np.int64)
        rank[words] = np.arange(len(words))
        starts = names[words, 0]
        lengths = self.arena[starts]
        ends = np.cumsum(lengths, dtype=np.int64)
        texts = np.empty(ends[-1] if len(ends) else 0, np.uint8)
        kernels.copy_texts(self.arena, starts + 1, lengths, texts, ends - lengths)
        return Canonical(keys[words], rank[names[pairs] - 1], counts[np.concatenate((words, pairs))], lengths, texts)

    @classmethod
    def from_canonical(cls, parts: Canonical, hash_multipliers: np.ndarray) -> CountTable:
        """Return the table with these contents; the keys of pairs are recomputed from those of their words.
        Raises ValueError or IndexError if the arrays are inconsistent."""
        table = cls(parts.counts.shape[1])
        words, used = len(parts.words), len(parts.counts)
        lengths, pairs = parts.lengths.astype(np.int64), parts.pairs.astype(np.uint32)  # so that -1 is out of bounds
        if lengths.shape != (words,) or lengths.min(initial=0) < 0 or lengths.sum() != len(parts.texts):
            raise ValueError(f"{words} words, {len(lengths)} lengths, sum {lengths.sum()} for {len(parts.texts)} bytes")
        table.room_for(used, int(lengths.sum()) + words)
        largest = int(np.abs(parts.counts.astype(np.int64)).max(initial=0))
        table.widen(largest)
        first, second = parts.words[pairs[:, 0]], parts.words[pairs[:, 1]]
        mixed = (first * hash_multipliers[1] ^ second) * hash_multipliers[2]
        keys = np.concatenate((parts.words, mixed ^ (mixed >> np.uint64(32))))
        starts = 1 + np.cumsum(lengths + 1) - (lengths + 1)
        table.arena[starts] = parts.lengths
        kernels.copy_texts(parts.texts, starts - np.arange(1, words + 1), lengths, table.arena, starts + 1)
        table.rows[:used, 0], table.rows[:used, 1] = _signed(keys), _signed(keys >> np.uint64(32))
        table.rows[:words, NAME] = _signed(starts)
        table.rows[words:used, NAME:COUNT] = _signed(pairs + 1)
        table.rows[:used, COUNT:] = parts.counts
        table.sizes[:] = used, int(parts.counts.any(axis=1).sum()), 1 + lengths.sum() + words, largest
        kernels.reindex(used, table.index, table.rows)
        return table

    def room_for(self, needed: int, text: int) -> None:
        """Make room for `needed` more rows and `text` more bytes of text. Raises MemoryError beyond 4 GiB of text."""
        needed += self.used
        if needed > self.rows.shape[0]:
            self.rows = _grown(self.rows, needed)
        if needed > _FULLEST_INDEX * self.index.shape[0]:
            self.workspace.bind(Slot.INDEX, np.zeros(1 << int(needed / _FULLEST_INDEX).bit_length(), np.uint32))
            kernels.reindex(self.used, self.index, self.rows)
        text += int(self.sizes[Size.TEXT])
        if text > _MOST_TEXT:
            raise MemoryError(f"the texts of words need {text} bytes, at most {_MOST_TEXT} fit: set a token budget")
        if text > self.arena.shape[0]:
            self.workspace.bind(Slot.ARENA, _grown(self.arena, text))

    def widen(self, most: int) -> None:
        """Switch to 64-bit counters if 32-bit counters cannot grow by `most`."""
        if self.rows.itemsize == 4 and self.sizes[Size.LARGEST] + most > _INT32:
            largest = int(np.abs(self.counts.astype(np.int64)).max(initial=0))
            self.sizes[Size.LARGEST] = largest
            if largest + most > _INT32:
                self.rows = self.rows.astype(np.int64)


def _grown(array: np.ndarray, least: int) -> np.ndarray:
    larger = np.zeros((max(least, array.shape[0] * _GROWTH), *array.shape[1:]), array.dtype)
    larger[: array.shape[0]] = array
    return larger


def _signed(numbers: np.ndarray) -> np.ndarray:
    """Return the lower 32 bits of each number, as a cell of `rows` stores them."""
    return numbers.astype(np.uint32).view(np.int32)
