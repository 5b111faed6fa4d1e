"""Records the updates applied to a `MailNB`, as bytes for other models with the same key."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from stream_nb.features.count_changes import ChangeSum
from stream_nb.kernels.layout import DOUBT_UNIT, MailTotal, MailUpdate
from stream_nb.mail_nb.feature_part import POOL_CELL, add_features
from stream_nb.mail_nb.updates import UpdateTotals
from stream_nb.types import Label, Update

if TYPE_CHECKING:
    from stream_nb.mail_nb.base import MailModel
    from stream_nb.mail_nb.engine import MailEngine, ScoredMessage


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

    def __init__(self, model: MailModel, engine: MailEngine, score: Callable[[Any], ScoredMessage]) -> None:
        self._model = model
        self._engine = engine
        self._score = score
        self._sum = ChangeSum()
        self._clear()

    @property
    def nbytes(self) -> int:
        """Approximate size of the result of `take`, in bytes, without numbers and categories."""
        return self._sum.nbytes

    def learn(self, x: Any, label: Label, source: str = "") -> Update:
        """Grade a label as `MailNB.grade` does, apply the update, and return it."""
        update = self._engine.learn_update(self._score(x), label, source)
        self._record(x, update, 1)
        return update

    def apply_update(self, x: Any, update: Update) -> None:
        """Apply an update as `MailNB.apply_update` does, and record it."""
        self._model.apply_update(x, update)
        self._record(x, update, 1)

    def revert_update(self, x: Any, update: Update) -> None:
        """Revert an update as `MailNB.revert_update` does, and record it."""
        self._engine.add(x, update, -1)
        self._record(x, update, -1)
        self._engine.statistics.forget_sources(update.sources)
        self._engine.statistics.forget_empty()

    def take(self) -> bytes:
        """The sum of the updates since the last call; ``b""`` if there were none.

        Raises:
            RuntimeError: The model has evicted features since then, so it no longer matches the recorded sum.
        """
        totals = self._totals
        if not totals.columns:
            return b""
        if self._evicted != self._engine.evicted:
            raise RuntimeError("the model has evicted features since these updates: call take() before it evicts")

        def words(order: Sequence[int]) -> list[np.ndarray]:
            return self._sum.take(self._engine.statistics.table, order, self._engine.extractor.hash_multipliers)

        self._clear()
        return totals.pack(self._model.hashing, words)

    def _clear(self) -> None:
        self._evicted = self._engine.evicted
        self._totals = UpdateTotals()

    def _record(self, x: Any, update: Update, sign: int) -> None:
        totals = self._totals
        column = totals.column(update.label)
        own_totals, tallies = totals.totals[column], update.tallies
        for k, amount in enumerate(tallies[: MailUpdate.BIN]):
            own_totals[k] += sign * amount
        margin_bin = tallies[MailUpdate.BIN]
        own_totals[MailTotal.MARGINS + margin_bin] += sign * tallies[MailUpdate.BIN_GAIN]
        own_totals[MailTotal.ALL_MARGINS + margin_bin] += sign * tallies[MailUpdate.ALL_GAIN]
        labels, doubt = tallies[MailUpdate.SOURCE_LABELS], tallies[MailUpdate.SOURCE_DOUBT]
        totals.add_source(update.source, sign * labels, sign * doubt)
        if update.corrects:
            totals.add_source(update.corrects, sign, sign * int(DOUBT_UNIT))
        engine = self._engine
        if update.weight or update.taken:
            own, theirs = (engine.statistics.columns[update.label], column), (-1, -1)
            if update.rival is not None:
                theirs = (engine.statistics.columns[update.rival], totals.column(update.rival))
                taken = sign * update.taken * engine.extractor.n
                totals.totals[theirs[1]][MailTotal.MASS] -= taken
                totals.totals[theirs[1]][MailTotal.TAKEN] += taken
            increments = (sign * update.weight, -sign * update.taken)
            if self._evicted == engine.evicted:  # otherwise rows have moved, and `take` raises
                self._sum.add(engine.extractor, engine.statistics.table, own, theirs, increments)
        if update.originator is not None:
            for label, _ in update.originator.runs:
                totals.column(label)
            totals.originators.add_update(update.originator, totals.columns, sign)
        if len(tallies) > POOL_CELL:
            add_features(totals.table(sign), x, column, update, 1)
