"""How a `MailNB` forgets: eviction of the rarest words and pairs, and decay of all of them."""

from __future__ import annotations

import numpy as np

from stream_nb.features import decay, eviction
from stream_nb.kernels.layout import MailTotal
from stream_nb.mail_nb.base import MailModel
from stream_nb.mail_nb.updates import less
from stream_nb.parameter import checked_whole


class ForgettingModel(MailModel):
    """The part of `MailNB` that forgets."""

    @property
    def evicted(self) -> int:
        """Number of words and pairs that this object has evicted."""
        return self._engine.evicted

    def rarest(self, n: int, at_once: int) -> list[bytes]:
        """Changes that remove the features that `evict` would evict first, rarest first; the model itself is not
        changed.

        Args:
            n: Number of features, 0 or more; all if there are fewer.
            at_once: Maximum number of features in each part of the result, 1 or more.

        Raises:
            ValueError: An argument is out of range.
        """
        n, at_once = checked_whole("n", n, 0), checked_whole("at_once", at_once, 1)
        table = self._counts.table
        rows = eviction.rarest(table, n)
        parts = (rows[begin : begin + at_once] for begin in range(0, len(rows), at_once))
        return [self._less(part, table.counts[part].astype(np.int64)) for part in parts]

    def halves(self, part: int, parts: int) -> bytes:
        """Changes that halve the counts of one part of the words and pairs; the model itself is not changed.

        Applied to each part in turn over one half-life of labels, they implement decay: old labels count less and less.
        Counts of numbers, categories, sources and margins do not change.

        Args:
            part: The part, from 0 to parts - 1.
            parts: Number of parts, 1 or more.

        Raises:
            ValueError: An argument is out of range.

        >>> from stream_nb import MailNB
        >>> model = MailNB()
        >>> model.learn_one("win money now", "spam")
        >>> model.learn_one("lunch at noon", "ham")
        >>> model.apply_changes(model.halves(0, 1))
        >>> model.evidence("money").terms[0].counts
        {'spam': 0.5, 'ham': 0.0}
        """
        parts = checked_whole("parts", parts, 1)
        if checked_whole("part", part, 0) >= parts:
            raise ValueError(f"part is {part!r}: give a whole number from 0 to {parts - 1}")
        rows, amounts = decay.halves(self._counts.table, part, parts)
        taken = self._counts.totals[:, MailTotal.TAKEN] * (1.0 - 0.5 ** (1.0 / parts))
        return self._less(rows, amounts, (np.sign(taken) * np.ceil(np.abs(taken))).astype(np.int64))

    def evict(self, most: int) -> int:
        """Evict the rarest words and pairs until at most `most` are left. Returns the number evicted.

        The rarest are those with the smallest sum of counters over all classes; on a tie, pairs are evicted before
        words. `evicted` counts all evictions by this object. With `max_features` this happens automatically, an eighth
        at a time. Earlier updates can still be reverted: the count of an evicted feature then becomes negative, which
        reads as 0.

        Args:
            most: Maximum number of words and pairs to keep, 0 or more; ValueError otherwise.
        """
        return self._engine.evict(checked_whole("most", most, 0))

    def compact(self) -> None:
        """Release the memory of words and pairs whose counts are all 0; nothing else changes."""
        self._counts.compact(self._engine.extractor.hash_multipliers)

    def _less(self, rows: np.ndarray, amounts: np.ndarray, taken: np.ndarray | int = 0) -> bytes:
        return less(self._counts, self.hashing, self._engine.extractor.hash_multipliers, rows, amounts, taken)
