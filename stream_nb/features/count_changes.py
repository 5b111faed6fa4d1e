"""What many messages change in a table of counters, as flat arrays that another table can take over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from stream_nb import kernels
from stream_nb.features.count_table import CountTable
from stream_nb.features.extractor import Extractor
from stream_nb.kernels.layout import Size

_ROOM = 1024
_FEATURE_BYTES = 12
_INT16, _INT32 = 2**15, 2**31


class CountChanges(NamedTuple):
    """Changes of the counters of some features: words, then pairs, numbered from 0.

    Args:
        words: Keys of the words, uint64.
        lengths: Bytes of each word's text, uint8; 0 where who takes the changes over has the word already.
        texts: These texts one after the other, uint8.
        pairs: Steps from pair to pair, since most of them follow each other: the first word less the second word of the
            pair before, and how far the second word is before the first one that no pair has had, int64[:, 2].
        gaps: Of each entry, how much greater the number of its feature is than that of the entry before (the first one
            of a column: than -1), int64.
        counts: How much the feature of each entry gains, int64.
        ends: Where the entries of each column end, int64.
    """

    words: np.ndarray
    lengths: np.ndarray
    texts: np.ndarray
    pairs: np.ndarray
    gaps: np.ndarray
    counts: np.ndarray
    ends: np.ndarray

    @classmethod
    def of_features(
        cls, keys: np.ndarray, names: np.ndarray, sums: np.ndarray, order: Sequence[int], arena: np.ndarray
    ) -> CountChanges:
        """The changes `sums` (int64[features, columns]) of features that are named as `kernels.sum_update` says, the
        columns in this order."""
        used, cells = len(keys), sums.size
        words, starts, pairs = np.empty(used, np.uint64), np.empty(used, np.int64), np.empty((used, 2), np.int64)
        gaps, counts, ends = np.empty(cells, np.int64), np.empty(cells, np.int64), np.zeros(len(order), np.int64)
        n_words, n_pairs, entries = kernels.list_changes(
            keys, names, sums, np.array(order, np.int64), words, starts, pairs, gaps, counts, ends
        )
        starts = starts[:n_words]
        lengths = arena[starts]
        text_ends = np.cumsum(lengths, dtype=np.int64)
        texts = np.empty(text_ends[-1] if n_words else 0, np.uint8)
        kernels.copy_texts(arena, starts + 1, lengths, texts, text_ends - lengths)
        return cls(words[:n_words], lengths, texts, pairs[:n_pairs], gaps[:entries], counts[:entries], ends)

    @classmethod
    def without(cls, table: CountTable, rows: np.ndarray) -> CountChanges:
        """What takes these rows' counters out of a table, columns as there."""
        is_word = table.names[rows, 1] == 0
        words = np.union1d(rows[is_word], table.names[rows[~is_word]].ravel() - 1)
        features = np.concatenate((words, rows[~is_word]))
        names = np.full((len(features), 2), -1, np.int64)
        names[: len(words), 0] = 0
        names[len(words) :] = np.searchsorted(words, table.names[rows[~is_word]] - 1)
        sums = -table.counts[features].astype(np.int64)
        sums[: len(words)][~np.isin(words, rows)] = 0
        return cls.of_features(table.keys[features], names, sums, range(sums.shape[1]), table.arena)

    def arrays(self) -> list[np.ndarray]:
        """The arrays in as few bytes as their kind needs."""
        features = len(self.words) + len(self.pairs)
        steps = np.int16 if len(self.words) < _INT16 else np.int32
        largest = int(np.abs(self.counts).max(initial=0))
        counts = np.int16 if largest < _INT16 else np.int32 if largest < _INT32 else np.int64
        gaps = np.uint16 if features < 2 * _INT16 else np.uint32
        return [
            self.words,
            self.lengths,
            self.texts,
            self.pairs.astype(steps),
            self.gaps.astype(gaps),
            self.counts.astype(counts),
            self.ends,
        ]

    @classmethod
    def from_arrays(cls, arrays: Sequence[np.ndarray]) -> CountChanges:
        """What `arrays` gave, laid flat; raises ValueError for anything else."""
        words, lengths, texts, *rest = arrays
        if (words.dtype, lengths.dtype, texts.dtype) != (np.uint64, np.uint8, np.uint8):
            raise ValueError(f"words, lengths and texts of types {words.dtype}, {lengths.dtype}, {texts.dtype}")
        pairs, gaps, counts, ends = (array.astype(np.int64) for array in rest)
        return cls(words, lengths, texts, pairs.reshape(-1, 2), gaps, counts, ends)

    def add_to(self, table: CountTable, columns: Sequence[int], hash_multipliers: np.ndarray) -> None:
        """Add the changes to a table; column c of them goes to columns[c], which are as many.

        Raises:
            ValueError: The arrays do not fit each other; the table's counters are as before.
        """
        if len(columns) != len(self.ends):
            raise ValueError(f"entries of {len(self.ends)} columns for {len(columns)}")
        largest = int(np.abs(self.counts).max(initial=0))
        table.room_for(len(self.words) + len(self.pairs), len(self.texts) + len(self.words))
        table.widen(largest)
        fits = kernels.add_changes(
            self.words, self.lengths, self.texts, self.pairs, self.gaps, self.counts, self.ends,
            np.array(columns, np.int64), hash_multipliers, table.index, table.rows, table.arena, table.sizes,
        )  # fmt: skip
        if not fits:
            raise ValueError("texts, pairs or entries of the changes do not fit their words")
        table.sizes[Size.LARGEST] += largest


class ChangeSum:
    """The sum of what messages add to the features of a table."""

    def __init__(self) -> None:
        self._empty()

    def _empty(self) -> None:
        self._state = np.zeros(2, np.int64)
        self._index = np.zeros(2 * _ROOM, np.int32)
        self._keys = np.zeros(_ROOM, np.uint64)
        self._names = np.zeros((_ROOM, 2), np.int64)
        self._sums = np.zeros((_ROOM, 1), np.int64)

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
            own, rival, amounts, self._state, self._index, self._keys, self._names, self._sums,
        )  # fmt: skip

    def take(self, table: CountTable, order: Sequence[int]) -> CountChanges:
        """The changes, the columns in this order; afterwards the sum is empty."""
        used = len(self)
        self._make_room(used, len(order))
        changes = CountChanges.of_features(self._keys[:used], self._names[:used], self._sums[:used], order, table.arena)
        self._state[:] = 0
        if len(self._keys) > 16 * max(used, _ROOM):
            self._empty()
        else:
            self._index[:] = 0
        return changes

    def _make_room(self, features: int, columns: int) -> None:
        if columns > self._sums.shape[1]:
            more = np.zeros((len(self._sums), columns - self._sums.shape[1]), np.int64)
            self._sums = np.concatenate((self._sums, more), axis=1)
        if features > len(self._keys):
            room = 1 << (2 * features).bit_length()
            used = len(self)
            for name in ("_keys", "_names", "_sums"):
                old = getattr(self, name)
                new = np.zeros((room, *old.shape[1:]), old.dtype)
                new[:used] = old[:used]
                setattr(self, name, new)
            self._index = np.zeros(2 * room, np.int32)
            kernels.index_keys(self._keys[:used], self._index)
