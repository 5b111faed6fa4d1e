"""Adds up recorded changes of models with the same key, without a model."""

from __future__ import annotations

from stream_nb.features import hash_key
from stream_nb.features.count_changes import pack_rows
from stream_nb.features.count_table import CountTable
from stream_nb.kernels.layout import Size
from stream_nb.mail_nb.updates import Updates, UpdateTotals

_NAME_BYTES, _AMOUNT_BYTES = 4, 1


class UpdateSum:
    """A sum of changes. Applying the sum to a model has the same result as applying each of the changes, bit for bit.

    Args:
        key: The secret key of the models.
        hashing: `MailNB.hashing` of the models.

    >>> from stream_nb import MailNB
    >>> model, one, two = MailNB(), MailNB(), MailNB()
    >>> recorder, total = model.recorder(), model.update_sum()
    >>> for text, label in (("win money now", "spam"), ("lunch at noon", "ham")):
    ...     update = recorder.learn(text, label)
    ...     changes = recorder.take()
    ...     one.apply_changes(changes)
    ...     total.add(changes)
    >>> two.apply_changes(total.take())
    >>> one == two == model
    True
    """

    def __init__(self, key: bytes, hashing: str) -> None:
        self._hashing = hashing
        self._hash_multipliers = hash_key.hash_multipliers(key)
        self._words, self._totals = CountTable(), UpdateTotals()

    @property
    def nbytes(self) -> int:
        """Approximate size of the result of `take`, in bytes, without numbers, categories and originators."""
        feature_bytes = _NAME_BYTES + _AMOUNT_BYTES * len(self._totals.columns)
        return feature_bytes * self._words.used + int(self._words.sizes[Size.TEXT])

    def add(self, data: bytes) -> None:
        """Add changes.

        Args:
            data: The result of `UpdateRecorder.take` of a model with the same key.

        Raises:
            SnapshotError: The bytes are damaged, or of another kind or key; the sum has not changed.
        """
        updates, words, totals = Updates.unpack(data, self._hashing, self._hash_multipliers), self._words, self._totals
        columns = [totals.column(label) for label in updates.classes]
        while words.columns < len(totals.columns):
            words.add_column()
        updates.changes.add_to(words, columns)
        for sign, table in updates.tabular.items():
            totals.table(sign).merge(table, columns)
        totals.originators.merge(updates.originators, columns)
        for column, amounts in zip(columns, updates.totals.tolist(), strict=True):
            totals.totals[column] = [a + b for a, b in zip(totals.totals[column], amounts, strict=True)]
        for name, (labels, doubt) in updates.sources.items():
            totals.add_source(name, int(labels), int(doubt))

    def take(self) -> bytes:
        """The sum of the changes added since the last call; ``b""`` if there were none."""
        words, totals = self._words, self._totals
        if not totals.columns:
            return b""
        rows, multipliers = words.rows[: words.used], self._hash_multipliers
        packed = totals.pack(self._hashing, lambda order: pack_rows(rows, order, words.arena, multipliers))
        words.clear()
        self._totals = UpdateTotals()
        return packed
