"""What many messages change in a table of counters, as flat arrays that another table can take over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from stream_nb import kernels
from stream_nb.features.count_table import CountTable
from stream_nb.features.extractor import Extractor
from stream_nb.kernels.layout import CHANGE_KEY, CHANGE_NAME, CHANGE_SUMS, Size

_ROOM = 1024
_FEATURE_BYTES = 12
_NUMBER_BYTES = 5
_INT16, _INT32 = 2**15, 2**31


class CountChanges(NamedTuple):
    """Changes of the counters of some features: words, then pairs, numbered from 0.

    Numbers in `pairs` and `runs` are written as bytes of 7 bits, the lowest first; the highest bit says that another
    byte follows.

    Args:
        words: Keys of the words, uint64.
        lengths: Bytes of each word's text, uint8; 0 where who takes the changes over has the word already.
        texts: These texts one after the other, uint8.
        pairs: Two numbers a pair, in steps from pair to pair, since most of them follow each other: the first word
            less the second word of the pair before, and how far the second word is before the one after all words that
            a pair has had. They are doubled; of a negative one the opposite is, less 1, uint8.
        amounts: What features gain, a column for each class, int64[:, classes]; no two rows are the same.
        runs: Two numbers for each run of features that gain the same: the row of `amounts`, and how many they
            are, uint8.
    """

    words: np.ndarray
    lengths: np.ndarray
    texts: np.ndarray
    pairs: np.ndarray
    amounts: np.ndarray
    runs: np.ndarray

    @classmethod
    def of_features(cls, entries: np.ndarray, order: Sequence[int], arena: np.ndarray) -> CountChanges:
        """The changes in the entries of a sum (see `kernels.sum_update`), the columns in this order."""
        used = len(entries)
        words, starts = np.empty(used, np.uint64), np.empty(used, np.int64)
        pairs, runs = np.empty((2, 2 * _NUMBER_BYTES * used), np.uint8)
        amounts = np.empty((used, len(order)), np.int64)
        n_words, end_pairs, n_amounts, end_runs = kernels.write_changes(
            entries, np.array(order, np.int64), words, starts, pairs, amounts, runs
        )
        starts = starts[:n_words]
        lengths = arena[starts]
        text_ends = np.cumsum(lengths, dtype=np.int64)
        texts = np.empty(text_ends[-1] if n_words else 0, np.uint8)
        kernels.copy_texts(arena, starts + 1, lengths, texts, text_ends - lengths)
        return cls(words[:n_words], lengths, texts, pairs[:end_pairs], amounts[:n_amounts], runs[:end_runs])

    @classmethod
    def less(cls, table: CountTable, rows: np.ndarray, amounts: np.ndarray) -> CountChanges:
        """What takes these amounts, int64[rows, classes], out of the counters in these rows of a table, columns as
        there."""
        is_word = table.names[rows, 1] == 0
        words = np.union1d(rows[is_word], table.names[rows[~is_word]].ravel() - 1)
        features = np.concatenate((words, rows[~is_word]))
        entries = np.zeros((len(features), CHANGE_SUMS + table.counts.shape[1]), np.int64)
        entries[:, CHANGE_KEY] = table.keys[features].view(np.int64)
        pairs = np.searchsorted(words, table.names[rows[~is_word]] - 1)
        entries[len(words) :, CHANGE_NAME] = -1 - (pairs[:, 0] << 32 | pairs[:, 1])
        entries[np.searchsorted(words, rows[is_word]), CHANGE_SUMS:] = -amounts[is_word]
        entries[len(words) :, CHANGE_SUMS:] = -amounts[~is_word]
        return cls.of_features(entries, range(table.counts.shape[1]), table.arena)

    @classmethod
    def of_table(cls, table: CountTable, order: Sequence[int]) -> CountChanges:
        """All that a table holds, features of which nothing is left too, the columns in this order."""
        names = table.names
        entries = np.empty((table.used, CHANGE_SUMS + len(order)), np.int64)
        entries[:, CHANGE_KEY] = table.keys.view(np.int64)
        pairs = -1 - ((names[:, 0] - 1) << 32 | (names[:, 1] - 1))
        entries[:, CHANGE_NAME] = np.where(names[:, 1] == 0, names[:, 0], pairs)
        entries[:, CHANGE_SUMS:] = table.counts
        return cls.of_features(entries, order, table.arena)

    def arrays(self) -> list[np.ndarray]:
        """The arrays in as few bytes as their kind needs."""
        largest = int(np.abs(self.amounts).max(initial=0))
        amounts = np.int16 if largest < _INT16 else np.int32 if largest < _INT32 else np.int64
        return [*self._replace(amounts=self.amounts.astype(amounts))]

    @classmethod
    def from_arrays(cls, arrays: Sequence[np.ndarray], classes: int) -> CountChanges:
        """What `arrays` gave, laid flat, of so many classes; raises ValueError for anything else."""
        words, lengths, texts, pairs, amounts, runs = arrays
        for array, kind in (
            (words, np.uint64),
            (lengths, np.uint8),
            (texts, np.uint8),
            (pairs, np.uint8),
            (runs, np.uint8),
        ):
            if array.dtype != kind:
                raise ValueError(f"changes of type {array.dtype} where {np.dtype(kind)} should be")
        return cls(words, lengths, texts, pairs, amounts.astype(np.int64).reshape(-1, classes), runs)

    def add_to(self, table: CountTable, columns: Sequence[int], hash_multipliers: np.ndarray, sign: int = 1) -> None:
        """Add (sign 1) or subtract (-1) the changes; column c of them goes to columns[c] of the table, as many.

        Raises:
            ValueError: The arrays do not fit each other; the table's counters are as before.
        """
        pairs, runs = _numbers(self.pairs), _numbers(self.runs)
        largest = int(np.abs(self.amounts).max(initial=0))
        table.room_for(len(self.words) + len(pairs) // 2, len(self.texts) + len(self.words))
        table.widen(largest)
        fits = kernels.add_changes(
            self.words, self.lengths, self.texts, pairs, sign * self.amounts, runs, np.array(columns, np.int64),
            hash_multipliers, table.index, table.rows, table.arena, table.sizes,
        )  # fmt: skip
        if not fits:
            raise ValueError("texts, pairs or amounts of the changes do not fit their words")
        table.sizes[Size.LARGEST] += largest


def _numbers(data: np.ndarray) -> np.ndarray:
    """The numbers written in these bytes, int64; raises ValueError where the bytes are cut short or too many."""
    numbers = np.empty(len(data), np.int64)
    n = kernels.read_numbers(data, numbers)
    if n < 0:
        raise ValueError(f"{len(data)} bytes that are no numbers")
    return numbers[:n]


class ChangeSum:
    """The sum of what messages add to the features of a table."""

    def __init__(self) -> None:
        self._empty()

    def _empty(self) -> None:
        self._state = np.zeros(2, np.int64)
        self._index = np.zeros(2 * _ROOM, np.int32)
        self._entries = np.zeros((_ROOM, CHANGE_SUMS + 1), np.int64)

    def __len__(self) -> int:
        """Distinct features."""
        return int(self._state[0])

    @property
    def nbytes(self) -> int:
        """About what the changes take."""
        return _FEATURE_BYTES * int(self._state[0]) + int(self._state[1])

    def add(
        self,
        extractor: Extractor,
        table: CountTable,
        own: tuple[int, int],
        rival: tuple[int, int],
        amounts: tuple[int, int],
    ) -> None:
        """Add amounts for each feature of the message that the extractor holds, and the table has just counted.

        `own` are the table's column of the message's class, and the column here; `rival` the same of another class,
        (-1, -1) for none. `amounts` are what these two gain.
        """
        self._make_room(len(self) + extractor.n, max(own[1], rival[1]) + 1)
        kernels.sum_update(
            extractor.hashes, extractor.token_spans, extractor.n, extractor.row_ids, table.rows, table.arena,
            own, rival, amounts, self._state, self._index, self._entries,
        )  # fmt: skip

    def take(self, table: CountTable, order: Sequence[int]) -> CountChanges:
        """The changes, the columns in this order; afterwards the sum is empty."""
        used = len(self)
        self._make_room(used, len(order))
        changes = CountChanges.of_features(self._entries[:used], order, table.arena)
        self._state[:] = 0
        if len(self._entries) > 16 * max(used, _ROOM):
            self._empty()
        else:
            self._index[:] = 0
        return changes

    def _make_room(self, features: int, columns: int) -> None:
        room, width = self._entries.shape
        if features <= room and CHANGE_SUMS + columns <= width:
            return
        used, old = len(self), self._entries
        if features > room:
            room = 1 << (2 * features).bit_length()
        self._entries = np.zeros((room, max(width, CHANGE_SUMS + columns)), np.int64)
        self._entries[:used, :width] = old[:used]
        if room > len(old):
            self._index = np.zeros(2 * room, np.int32)
            kernels.index_keys(self._entries[:used], self._index)
