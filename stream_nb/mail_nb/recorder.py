"""Updates of a `MailNB`, recorded as they are applied, and given as bytes for other models with the same key."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from stream_nb.features.count_changes import ChangeSum
from stream_nb.kernels.layout import DOUBT_UNIT, MailTotal
from stream_nb.mail_nb.feature_part import POOL_CELL, add_features
from stream_nb.mail_nb.updates import UpdateTotals
from stream_nb.types import Label, Update

if TYPE_CHECKING:
    from stream_nb.mail_nb.base import MailModel
    from stream_nb.mail_nb.engine import MailEngine, ScoredMessage


class UpdateRecorder:
    """Applies updates to a model and remembers them, until `take` gives their sum.

    The sum says of each feature how much its counters change; other models take it over with
    `MailNB.apply_changes`, at a fraction of what it costs to learn the mails.

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
        """About what `take` would give, in bytes, without numbers and categories."""
        return self._sum.nbytes

    def learn(self, x: Any, label: Label, source: str = "") -> Update:
        """Grade a label as `MailNB.grade` does, apply the update, and return it."""
        update = self._engine.learn_update(self._score(x), label, source)
        self._note(x, update, 1)
        return update

    def apply_update(self, x: Any, update: Update) -> None:
        """`MailNB.apply_update`, recorded."""
        self._model.apply_update(x, update)
        self._note(x, update, 1)

    def revert_update(self, x: Any, update: Update) -> None:
        """`MailNB.revert_update`, recorded."""
        self._engine.add(x, update, -1)
        self._note(x, update, -1)
        self._engine.statistics.forget_sources(update.sources)
        self._engine.statistics.forget_empty()

    def take(self) -> bytes:
        """The sum of the updates since the last call; ``b""`` when there was none.

        Raises:
            RuntimeError: The model has evicted features since; so it does not hold what would be given.
        """
        rest = self._rest
        if not rest.columns:
            return b""
        if self._evicted != self._engine.evicted:
            raise RuntimeError("the model has evicted features since these updates: take them before it does")

        def words(order: Sequence[int]) -> list[np.ndarray]:
            return self._sum.take(self._engine.statistics.table, order, self._engine.extractor.hash_multipliers)

        self._clear()
        return rest.pack(self._model.hashing, words)

    def _clear(self) -> None:
        self._evicted = self._engine.evicted
        self._rest = UpdateTotals()

    def _note(self, x: Any, update: Update, sign: int) -> None:
        rest = self._rest
        column = rest.column(update.label)
        *added, place, gain, all_gain, source_labels, doubt = update.tallies[:POOL_CELL]
        totals = rest.totals[column]
        for k, amount in enumerate(added):
            totals[k] += sign * amount
        totals[MailTotal.MARGINS + place] += sign * gain
        totals[MailTotal.ALL_MARGINS + place] += sign * all_gain
        sums = rest.sources.setdefault(update.source, [0, 0])
        sums[0] += sign * source_labels
        sums[1] += sign * doubt
        if update.corrects:
            sums = rest.sources.setdefault(update.corrects, [0, 0])
            sums[0] += sign
            sums[1] += sign * int(DOUBT_UNIT)
        engine = self._engine
        if update.weight or update.taken:
            own, theirs = (engine.statistics.columns[update.label], column), (-1, -1)
            if update.rival is not None:
                theirs = (engine.statistics.columns[update.rival], rest.column(update.rival))
                taken = sign * update.taken * engine.extractor.n
                rest.totals[theirs[1]][MailTotal.MASS] -= taken
                rest.totals[theirs[1]][MailTotal.TAKEN] += taken
            amounts = (sign * update.weight, -sign * update.taken)
            if self._evicted == engine.evicted:  # else the rows are others, and `take` raises
                self._sum.add(engine.extractor, engine.statistics.table, own, theirs, amounts)
        if update.originator is not None:
            for label, _ in update.originator.runs:
                rest.column(label)
            rest.originators.add_update(update.originator, rest.columns, sign)
        if len(update.tallies) > POOL_CELL:
            add_features(rest.table(sign), x, column, update, 1)
