"""What many messages change in a table of counters, encoded as flat arrays that can be added to another table.

All arrays are uint8. Features are numbered from 0, words before pairs.

| array | content |
|---|---|
| keys | the lowest 4 bytes and the highest byte of each word key that is stored; the other bytes of a key are 0 |
| lengths | the length of each stored text in bytes, 1 or more |
| texts | the stored texts, concatenated |
| bits | which of the above each word has, then the words of each pair |
| runs | the number of features in each run with equal gains, 1 or more |
| gains | the gain of each run in the first class, then in the second, ... |

`runs` and `gains` are varints: 7 bits per byte, lowest first, and the top bit is set if another byte follows. Gains can
be negative, so they are zigzag encoded: n >= 0 as 2 n, n < 0 as -2 n - 1.

A word has bit 0 and its key; if the receiver may lack its text, it has bits 10 and the text, from which the key follows
(`kernels.swar.key_of_text`), or bits 11 and both, if the key does not follow from it. A pair has two bits. The first is
1 if its first word is not the second word of the pair before; the second is 1 if its second word is not the one after
the highest word of all pairs so far. Usually both are 0. For each 1 the number of the word follows, in as many bits as
the number of words requires. The lowest bit of each byte and number comes first; zeros pad the last byte.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np

from stream_nb import kernels
from stream_nb.features.count_table import CountTable
from stream_nb.features.extractor import Extractor
from stream_nb.kernels.layout import COUNT, NAME, Size

ARRAYS = 6
_FEATURE_BYTES = 7
_USED, _TEXT = int(Size.USED), int(Size.TEXT)
# Integers, because access to enum members is slow.


def pack_rows(
    rows: np.ndarray, order: Sequence[int], arena: np.ndarray, hash_multipliers: np.ndarray
) -> list[np.ndarray]:
    """Encode rows of a table as changes, including rows without counts.

    Class c is column order[c] of the rows; `arena` holds the texts.
    """
    return [*kernels.write_changes(rows, np.array(order, np.int64), arena, hash_multipliers)]


def pack_less(
    table: CountTable, rows: np.ndarray, amounts: np.ndarray, hash_multipliers: np.ndarray
) -> list[np.ndarray]:
    """Encode changes that subtract `amounts`, int64[rows, classes], from the counters in these rows of a table."""
    names = table.names(rows)
    is_word = names[:, 1] == 0
    pairs = names[~is_word] - 1
    words = np.union1d(rows[is_word], pairs)
    features = np.concatenate((words, rows[~is_word]))
    changes = table.rows[features]
    changes[:, NAME:] = 0
    changes[len(words) :, NAME:COUNT] = np.searchsorted(words, pairs) + 1
    changes[np.searchsorted(words, rows[is_word]), COUNT:] = -amounts[is_word]
    changes[len(words) :, COUNT:] = -amounts[~is_word]
    return pack_rows(changes, range(table.columns), table.arena, hash_multipliers)


class CountChanges(NamedTuple):
    """Decoded changes that are consistent.

    Args:
        hashes: The keys of the words, then of the pairs, uint64.
        lengths: The length of each word's text in bytes, uint8; 0 without one.
        texts: The concatenated texts, uint8.
        pairs: The numbers of the two words of each pair, int32[:, 2].
        runs: The number of features in each run, int64.
        amounts: The gains of each run, int64[classes, runs].
        largest: The largest absolute value of these gains.
    """

    hashes: np.ndarray
    lengths: np.ndarray
    texts: np.ndarray
    pairs: np.ndarray
    runs: np.ndarray
    amounts: np.ndarray
    largest: int

    @classmethod
    def read(cls, arrays: Sequence[np.ndarray], classes: int, hash_multipliers: np.ndarray) -> Self:
        """Decode changes of `classes` classes. Raises ValueError if the arrays are malformed or inconsistent."""
        if any(array.dtype != np.uint8 for array in arrays):
            raise ValueError(f"changes of types {[str(array.dtype) for array in arrays]}, not uint8")
        keys, lengths, texts, bits, runs, gains = arrays
        hashes, word_lengths, pairs, run_lengths, amounts, largest = kernels.read_changes(
            keys, lengths, texts, bits, runs, gains, classes, hash_multipliers
        )
        if largest < 0:
            raise ValueError("keys, texts, pairs or gains of the changes are malformed or inconsistent")
        return cls(hashes, word_lengths, texts, pairs, run_lengths, amounts, largest)

    def add_to(self, table: CountTable, columns: Sequence[int], sign: int = 1) -> None:
        """Add (sign 1) or subtract (-1) the changes; class c goes to column columns[c] of the table."""
        *arrays, largest = self
        table.room_for(len(self.hashes), len(self.texts) + len(self.lengths))
        table.widen(largest)
        kernels.add_changes(
            *arrays, np.array(columns, np.int64), sign, table.index, table.rows, table.arena, table.sizes
        )
        table.sizes[Size.LARGEST] += largest


class ChangeSum:
    """The sum of what messages add to the features of a table; `table` has the sums (`kernels.sum_update`)."""

    def __init__(self) -> None:
        self.table = CountTable()

    def nbytes(self, classes: int) -> int:
        """Approximate size of the encoded changes of this number of classes, in bytes; it may be four times as large.

        A gain has one or two bytes for each class, but many features have the same gains as the next one.
        """
        sizes = self.table.sizes
        return (2 * _FEATURE_BYTES + classes) * int(sizes[_USED]) // 2 + int(sizes[_TEXT])

    def add(
        self,
        extractor: Extractor,
        table: CountTable,
        own: tuple[int, int],
        rival: tuple[int, int],
        amounts: tuple[int, int],
    ) -> None:
        """Add `amounts` for each feature of the message in `extractor`, which `table` has just counted.

        `own` is the table's column of the message's class and its column in the sum; `rival` is the same for another
        class, (-1, -1) for none. `amounts` are the gains of these two.
        """
        self.make_room(extractor.n, 1 + max(own[1], rival[1]), max(abs(amount) for amount in amounts))
        sums = self.table
        kernels.sum_update(
            extractor.hashes, extractor.token_spans, extractor.n, extractor.row_ids, table.rows, table.arena,
            own, rival, amounts, sums.index, sums.rows, sums.sizes,
        )  # fmt: skip

    def make_room(self, features: int, columns: int, most: int) -> None:
        """Make room for `features` more features, for this number of columns, and for counters to grow by `most`."""
        sums = self.table
        while sums.columns < columns:
            sums.add_column()
        sums.room_for(features, 0)
        sums.widen(most)

    def take(self, table: CountTable, order: Sequence[int], hash_multipliers: np.ndarray) -> list[np.ndarray]:
        """Return the changes as arrays, with the columns in this order, and clear the sum."""
        sums = self.table
        while sums.columns < len(order):
            sums.add_column()
        arrays = pack_rows(sums.rows[: sums.used], order, table.arena, hash_multipliers)
        sums.clear()
        return arrays
