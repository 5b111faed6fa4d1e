"""Records the updates applied to a `MailNB`, as bytes for other models with the same key."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from stream_nb.features.count_changes import ChangeSum
from stream_nb.kernels.layout import MAIL_TOTALS, MailResult
from stream_nb.mail_nb.batch_engine import BatchSum
from stream_nb.mail_nb.feature_part import POOL_CELL, add_features
from stream_nb.mail_nb.updates import UpdateTotals
from stream_nb.tabular.feature_snapshot import packed_size
from stream_nb.types import Label, Score, Update

if TYPE_CHECKING:
    from stream_nb.mail_nb.base import MailModel
    from stream_nb.mail_nb.batch_engine import BatchEngine

_WORDS, _PAIRS, _GRAMS = int(MailResult.WORDS), int(MailResult.PAIRS), int(MailResult.GRAMS)
# Integers, because access to enum members is slow.
_CLASS_BYTES = 8 * MAIL_TOTALS


class UpdateRecorder:
    """Applies updates to a model and adds them up; `take` returns their sum.

    The sum contains the change of each feature's counters. Other models apply it with `MailNB.apply_changes`, at a
    fraction of the cost of learning the mails.

    >>> from stream_nb import MailNB
    >>> model, other = MailNB(), MailNB()
    >>> recorder = model.recorder()
    >>> update = recorder.learn("win money now", "spam")
    >>> other.apply_changes(recorder.take())
    >>> other == model
    True
    """

    def __init__(self, model: MailModel, ready: Callable[[], BatchEngine]) -> None:
        self._model = model
        self._ready = ready
        self._sum = ChangeSum()
        self._clear()

    @property
    def nbytes(self) -> int:
        """Approximate size of the result of `take`, in bytes."""
        classes = len(self._totals.columns)
        return self._sum.nbytes(classes) + _CLASS_BYTES * classes + self._features_nbytes

    def learn(self, x: Any, label: Label, source: str = "") -> Update:
        """Grade a label as `MailNB.grade` does, apply the update, and return it."""
        engine = self._begin()
        update = engine.learn_update(engine.score(x, self._model.positive), label, source)
        self._record(x, update, 1)
        engine.statistics.forget(update.sources)
        return update

    def score_then_learn(
        self, xs: Sequence[Any], labels: Sequence[Label | None], sources: Sequence[str]
    ) -> list[tuple[Score, Update | None]]:
        """Score each message, and learn its label after that, in order; bit for bit like `MailNB.score` and `learn`,
        but faster, and without the GIL for most of the time.

        Args:
            xs: The messages.
            labels: The label of each; None if it is only scored.
            sources: Who gives each label.

        Returns:
            For each message its score, and the update of its label, None if it has none.
        """
        engine, positive = self._begin(), self._model.positive
        if not any(label is not None for label in labels):
            counts = engine.statistics.labels
            return [(engine.to_score(result, counts), None) for result in engine.score_many(xs, positive)]
        found: list[tuple[Score, Update | None]] = []
        while (at := len(found)) < len(xs):
            n = engine.can_learn(xs, labels, at) if self._model.max_features is None else 0
            if n > 1:
                found += self._learn_batch(xs[at : at + n], labels[at : at + n], sources[at : at + n])
            else:
                label = labels[at]
                engine.score(xs[at], positive)
                score = engine.to_score(engine.result.tolist(), engine.statistics.labels)
                found.append((score, None if label is None else self.learn(xs[at], label, sources[at])))
        return found

    def apply_update(self, x: Any, update: Update) -> None:
        """Apply an update as `MailNB.apply_update` does, and record it."""
        self._add(x, update, 1)

    def revert_update(self, x: Any, update: Update) -> None:
        """Revert an update as `MailNB.revert_update` does, and record it."""
        self._add(x, update, -1)

    def take(self) -> bytes:
        """The sum of the updates since the last call; ``b""`` if there were none.

        Raises:
            RuntimeError: The model has evicted features since the first of these updates, was compacted, or has other
                statistics, so that it no longer matches the recorded sum.
        """
        totals, engine = self._totals, self._ready()
        if not totals.columns:
            return b""
        if engine.statistics.table.sizes is not self._sizes:
            raise RuntimeError(
                "the model has evicted features, or was compacted, since these updates: call take() before that"
            )

        def words(order: Sequence[int]) -> list[np.ndarray]:
            return self._sum.take(engine.statistics.table, order, engine.extractor.hash_multipliers)

        self._clear()
        return totals.pack(self._model.hashing, words)

    def _clear(self) -> None:
        self._totals = UpdateTotals()
        self._feature_texts = self._features_nbytes = 0

    def _begin(self) -> BatchEngine:
        """The engine that applies the next update. Before the first one, note where the table's rows and texts are:
        recorded words refer to these."""
        engine = self._ready()
        if not self._totals.columns:
            self._sizes = engine.statistics.table.sizes
        return engine

    def _add(self, x: Any, update: Update, sign: int) -> None:
        engine = self._begin()
        engine.add(x, update, sign)
        self._record(x, update, sign)
        engine.statistics.forget(update.sources)  # last, because the columns of the classes are recorded

    def _learn_batch(
        self, xs: Sequence[Any], labels: Sequence[Label | None], sources: Sequence[str]
    ) -> Iterator[tuple[Score, Update | None]]:
        engine, totals = self._ready(), self._totals
        classes, columns, counts = engine.statistics.classes, engine.statistics.columns, engine.statistics.labels
        for label in labels:
            if label is not None:
                totals.column(label)
        in_sum = [totals.columns.get(label, -1) for label in classes]
        into = BatchSum(self._sum, in_sum, lambda column: totals.column(classes[column]))
        batch = engine.run(xs, labels, sources, self._model.positive, True, into)
        for result, update in zip(batch.results.tolist(), batch.learned(), strict=True):
            yield engine.to_score(result, counts), update
            if update is not None:
                totals.add(update, 1, int(result[_WORDS] + result[_PAIRS] + result[_GRAMS]))
                counts[columns[update.label]] += 1

    def _record(self, x: Any, update: Update, sign: int) -> None:
        engine, totals = self._ready(), self._totals
        totals.add(update, sign, engine.extractor.n)
        own, theirs, columns = totals.columns[update.label], (-1, -1), engine.statistics.columns
        if (update.weight or update.taken) and engine.statistics.table.sizes is self._sizes:
            # Otherwise `take` raises.
            if update.rival is not None:
                theirs = (columns[update.rival], totals.columns[update.rival])
            amounts = (sign * update.weight, -sign * update.taken)
            self._sum.add(engine.extractor, engine.statistics.table, (columns[update.label], own), theirs, amounts)
        if len(update.tallies) > POOL_CELL:
            table = totals.table(sign)
            known = len(table.numbers.slots), len(table.categories.values)
            add_features(table, x, own, update, 1)
            if (len(table.numbers.slots), len(table.categories.values)) != known:
                self._feature_texts += sum([len(name) + len(str(value)) for name, value in x.features])
            self._features_nbytes = self._feature_texts + sum(map(packed_size, totals.tabular.values()))
