"""What many messages change in a table of counters, as flat arrays that another table can take over.

The arrays, of words and then pairs, numbered from 0, all uint8. Numbers in the last two are written as bytes of 7 bits,
the lowest first, where the highest bit says that another byte follows; of those that can be negative, the double is,
and of a negative one the opposite of that, less 1.

| array | what |
|---|---|
| keys | the lowest 4 bytes and the highest one of each word's key that has to be given; the rest is 0 |
| lengths | bytes of each text, 1 or more |
| texts | texts of words, one after the other |
| bits | what is given of each word, then the pairs |
| runs | how many features there are in each run of those that gain the same, 1 or more |
| gains | what these gain, for all runs in the first class, then in the second, ... |

A word has the bit 0 and its key, or, where who takes the changes over may not have its text, the bits 10 and that,
which tells the key (`kernels.swar.key_of_text`), or 11 and both, where it does not. A pair has two bits: 1 where its
first word is not the second one of the pair before, and 1 where its second word is not the one after all words that a
pair has had, since most pairs follow each other. These words are then given as numbers, in as many bits as all words
need. The lowest bit of each byte and number comes first, and zeros fill the last byte.
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
_FEATURE_BYTES = 8


def pack_rows(
    rows: np.ndarray, order: Sequence[int], arena: np.ndarray, hash_multipliers: np.ndarray
) -> list[np.ndarray]:
    """These rows of a table as changes, those without any count too; class c is column order[c], and the texts are in
    `arena`."""
    return [*kernels.write_changes(rows, np.array(order, np.int64), arena, hash_multipliers)]


def pack_less(
    table: CountTable, rows: np.ndarray, amounts: np.ndarray, hash_multipliers: np.ndarray
) -> list[np.ndarray]:
    """What takes these amounts, int64[rows, classes], out of the counters in these rows of a table, as changes; the
    classes as there."""
    is_word = table.names[rows, 1] == 0
    words = np.union1d(rows[is_word], table.names[rows[~is_word]].ravel() - 1)
    features = np.concatenate((words, rows[~is_word]))
    taken = table.rows[features]
    taken[:, NAME:] = 0
    taken[len(words) :, NAME:COUNT] = np.searchsorted(words, table.names[rows[~is_word]] - 1) + 1
    taken[np.searchsorted(words, rows[is_word]), COUNT:] = -amounts[is_word]
    taken[len(words) :, COUNT:] = -amounts[~is_word]
    return pack_rows(taken, range(table.columns), table.arena, hash_multipliers)


class CountChanges(NamedTuple):
    """Changes that fit each other, read.

    Args:
        hashes: Keys of the words and pairs, uint64.
        lengths: Bytes of each word's text, uint8.
        texts: The texts, uint8.
        pairs: The two words of each pair, int32[:, 2].
        runs: How many features there are in each run, int64.
        amounts: What these gain, int64[classes, runs].
        largest: The largest of these, 0 or more whatever its sign.
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
        """Changes of so many classes; raises ValueError where the arrays are none, or do not fit each other."""
        if any(array.dtype != np.uint8 for array in arrays):
            raise ValueError(f"changes of the types {[str(array.dtype) for array in arrays]}")
        keys, lengths, texts, bits, runs, gains = arrays
        hashes, word_lengths, pairs, run_lengths, amounts, largest = kernels.read_changes(
            keys, lengths, texts, bits, runs, gains, classes, hash_multipliers
        )
        if largest < 0:
            raise ValueError("keys, texts, pairs or gains of the changes do not fit each other")
        return cls(hashes, word_lengths, texts, pairs, run_lengths, amounts, largest)

    def add_to(self, table: CountTable, columns: Sequence[int], sign: int = 1) -> None:
        """Add (sign 1) or subtract (-1) the changes; class c of them is column columns[c] of the table."""
        *arrays, largest = self
        table.room_for(len(self.hashes), len(self.texts) + len(self.lengths))
        table.widen(largest)
        kernels.add_changes(
            *arrays, np.array(columns, np.int64), sign, table.index, table.rows, table.arena, table.sizes
        )
        table.sizes[Size.LARGEST] += largest


class ChangeSum:
    """The sum of what messages add to the features of a table."""

    def __init__(self) -> None:
        self._sums = CountTable()

    @property
    def nbytes(self) -> int:
        """About what the changes take."""
        return _FEATURE_BYTES * self._sums.used + int(self._sums.sizes[Size.TEXT])

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
        sums, largest = self._sums, max(abs(amount) for amount in amounts)
        while sums.columns <= max(own[1], rival[1]):
            sums.add_column()
        sums.room_for(extractor.n, 0)
        sums.widen(largest)
        kernels.sum_update(
            extractor.hashes, extractor.token_spans, extractor.n, extractor.row_ids, table.rows, table.arena,
            own, rival, amounts, sums.index, sums.rows, sums.sizes,
        )  # fmt: skip
        sums.sizes[Size.LARGEST] += largest

    def take(self, table: CountTable, order: Sequence[int], hash_multipliers: np.ndarray) -> list[np.ndarray]:
        """The changes as arrays, the columns in this order; afterwards the sum is empty."""
        sums = self._sums
        while sums.columns < len(order):
            sums.add_column()
        arrays = pack_rows(sums.rows[: sums.used], order, table.arena, hash_multipliers)
        sums.clear()
        return arrays
