"""What a `MailNB` forgets: the rarest words and pairs of too many, and of all of them a half as labels come."""

from __future__ import annotations

import numpy as np

from stream_nb.features import decay, eviction
from stream_nb.kernels.layout import MailTotal
from stream_nb.mail_nb.base import MailModel
from stream_nb.mail_nb.updates import less


class ForgettingModel(MailModel):
    """A `MailNB` as far as it can forget."""

    @property
    def evicted(self) -> int:
        """Words and pairs that this object has forgotten for want of room."""
        return self._engine.evicted

    def rarest(self, n: int) -> bytes:
        """Changes that take out of this model the features that `evict` would forget first; it stays as it is.

        Args:
            n: How many features; all, where there are fewer.
        """
        table = self._counts.table
        rows = eviction.rarest(table, n)
        return self._less(rows, table.counts[rows].astype(np.int64))

    def halves(self, part: int, parts: int) -> bytes:
        """Changes that take half of what is counted of a part of the words and pairs; the model stays as it is.

        Applied for each part in turn, over as many labels as are a half-life, they let old labels count less and less
        (decay). Numbers and categories, sources and margins keep what they have.

        Args:
            part: Which part, from 0 to parts - 1.
            parts: How many parts there are, 1 or more.

        >>> from stream_nb import MailNB
        >>> model = MailNB()
        >>> model.learn_one("win money now", "spam")
        >>> model.learn_one("lunch at noon", "ham")
        >>> model.apply_changes(model.halves(0, 1))
        >>> model.evidence("money").terms[0].counts
        {'spam': 0.5, 'ham': 0.0}
        """
        rows, amounts = decay.halves(self._counts.table, part, parts)
        taken = self._counts.totals[:, MailTotal.TAKEN] * (1.0 - 0.5 ** (1.0 / parts))
        return self._less(rows, amounts, (np.sign(taken) * np.ceil(np.abs(taken))).astype(np.int64))

    def evict(self, most: int) -> int:
        """Forget the rarest words and pairs until at most `most` are left; returns how many went.

        Rare is the sum of the counters over all classes; of equals pairs go before words. `evicted` counts
        all that ever went from this object. With `max_features` this happens by itself, an eighth at a
        time. An update given before can still be taken back: a feature gone meanwhile then counts below
        zero, which reads as 0.

        Args:
            most: Words and pairs to keep, 0 or more.
        """
        return self._engine.evict(most)

    def compact(self) -> None:
        """Give back the memory of words and pairs of which nothing is left; nothing else changes."""
        self._counts.compact(self._engine.extractor.hash_multipliers)

    def _less(self, rows: np.ndarray, amounts: np.ndarray, taken: np.ndarray | int = 0) -> bytes:
        return less(self._counts, self.hashing, self._engine.extractor.hash_multipliers, rows, amounts, taken)
