"""Adding up what recorders of models with the same key gave, without a model."""

from __future__ import annotations

from stream_nb.features import hash_key
from stream_nb.features.count_changes import pack_rows
from stream_nb.features.count_table import CountTable
from stream_nb.kernels.layout import Size
from stream_nb.mail_nb.updates import Updates, UpdateTotals

_NAME_BYTES, _AMOUNT_BYTES = 4, 1


class UpdateSum:
    """The sum of changes: a model that takes it over is as if it had taken over each of them, bit for bit.

    Args:
        key: The secret key of the models.

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
        self._words, self._rest = CountTable(), UpdateTotals()

    @property
    def nbytes(self) -> int:
        """About what `take` would give, in bytes, without numbers, categories and originators."""
        feature_bytes = _NAME_BYTES + _AMOUNT_BYTES * len(self._rest.columns)
        return feature_bytes * self._words.used + int(self._words.sizes[Size.TEXT])

    def add(self, data: bytes) -> None:
        """Add changes.

        Args:
            data: What `UpdateRecorder.take` of a model with this key returned.

        Raises:
            SnapshotError: The bytes are damaged, or of another kind or key; the sum is as before.
        """
        piece, words, rest = Updates.unpack(data, self._hashing, self._hash_multipliers), self._words, self._rest
        columns = [rest.column(label) for label in piece.classes]
        while words.columns < len(rest.columns):
            words.add_column()
        piece.changes.add_to(words, columns)
        for sign, table in piece.tabular.items():
            rest.table(sign).merge(table, columns)
        rest.originators.merge(piece.originators, columns)
        for column, amounts in zip(columns, piece.totals.tolist(), strict=True):
            rest.totals[column] = [a + b for a, b in zip(rest.totals[column], amounts, strict=True)]
        for name, (labels, doubt) in piece.sources.items():
            sums = rest.sources.setdefault(name, [0, 0])
            sums[0] += int(labels)
            sums[1] += int(doubt)

    def take(self) -> bytes:
        """The sum; ``b""`` when nothing was added since the last call."""
        words, rest = self._words, self._rest
        if not rest.columns:
            return b""
        rows, multipliers = words.rows[: words.used], self._hash_multipliers
        packed = rest.pack(self._hashing, lambda order: pack_rows(rows, order, words.arena, multipliers))
        words.clear()
        self._rest = UpdateTotals()
        return packed
