"""Updates of a `MailNB`, recorded as they are applied, and given as bytes for other models with the same key."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from stream_nb import flat
from stream_nb.errors import SnapshotError
from stream_nb.features.count_changes import ChangeSum, CountChanges
from stream_nb.kernels.layout import DOUBT_UNIT, MAIL_TOTALS, MailTotal
from stream_nb.mail_nb.feature_part import POOL_CELL, add_features
from stream_nb.mail_nb.originator_counts import ARRAYS as ORIGINATORS
from stream_nb.mail_nb.originator_counts import OriginatorCounts
from stream_nb.mail_nb.statistics import MailStatistics
from stream_nb.tabular import feature_snapshot
from stream_nb.tabular.feature_table import FeatureTable
from stream_nb.types import Label, Update

if TYPE_CHECKING:
    from stream_nb.mail_nb.base import MailModel
    from stream_nb.mail_nb.engine import MailEngine, ScoredMessage

_KIND = "MailNB updates"
_FEATURES = {1: "features", -1: "reverted features"}
"""What numbers and categories add is kept apart from what they take back: counts of values are never negative."""


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
        if not self._columns:
            return b""
        if self._evicted != self._engine.evicted:
            raise RuntimeError("the model has evicted features since these updates: take them before it does")
        labels = sorted(self._columns, key=lambda label: (type(label).__name__, label))
        order = [self._columns[label] for label in labels]
        changes = self._sum.take(self._engine.statistics.table, order)
        arrays = [np.array([self._totals[column] for column in order], np.int64), *changes.arrays()]
        header: dict[str, Any] = {
            "kind": _KIND,
            "key": self._model.key.hex(),
            "classes": labels,
            "sources": [[name, *sums] for name, sums in self._sources.items()],
        }
        for sign, tabular in sorted(self._tabular.items(), reverse=True):
            while tabular.columns < len(labels):
                tabular.add_column()
            header[_FEATURES[sign]], more = feature_snapshot.pack(tabular, order)
            arrays += [more[name] for name in feature_snapshot.ARRAYS]
        if not self._originators.empty:
            header[ORIGINATORS[0]] = True
            arrays += self._originators.pack(order).values()
        self._clear()
        return flat.pack(header, arrays)

    def _clear(self) -> None:
        self._evicted = self._engine.evicted
        self._columns: dict[Label, int] = {}
        self._totals: list[list[int]] = []
        self._sources: dict[str, list[int]] = {}
        self._tabular: dict[int, FeatureTable] = {}
        self._originators = OriginatorCounts()

    def _note(self, x: Any, update: Update, sign: int) -> None:
        column = self._column(update.label)
        *added, place, gain, source_labels, doubt = update.tallies[:POOL_CELL]
        totals = self._totals[column]
        for k, amount in enumerate(added):
            totals[k] += sign * amount
        totals[MailTotal.MARGINS + place] += sign * gain
        sums = self._sources.setdefault(update.source, [0, 0])
        sums[0] += sign * source_labels
        sums[1] += sign * doubt
        if update.corrects:
            sums = self._sources.setdefault(update.corrects, [0, 0])
            sums[0] += sign
            sums[1] += sign * int(DOUBT_UNIT)
        engine = self._engine
        if update.weight or update.taken:
            own, theirs = (engine.statistics.columns[update.label], column), (-1, -1)
            if update.rival is not None:
                theirs = (engine.statistics.columns[update.rival], self._column(update.rival))
                taken = sign * update.taken * engine.extractor.n
                self._totals[theirs[1]][MailTotal.MASS] -= taken
                self._totals[theirs[1]][MailTotal.TAKEN] += taken
            amounts = (sign * update.weight, -sign * update.taken)
            if self._evicted == engine.evicted:  # else the rows are others, and `take` raises
                self._sum.add(engine.extractor, engine.statistics.table, own, theirs, amounts)
        if update.originator is not None:
            for label, _ in update.originator.runs:
                self._column(label)
            self._originators.add_update(update.originator, self._columns, sign)
        if len(update.tallies) > POOL_CELL:
            tabular = self._tabular.setdefault(sign, FeatureTable())
            while tabular.columns <= column:
                tabular.add_column()
            add_features(tabular, x, column, update, 1)

    def _column(self, label: Label) -> int:
        """The number of a class here; a new class joins."""
        column = self._columns.get(label)
        if column is None:
            column = self._columns[label] = len(self._columns)
            self._totals.append([0] * MAIL_TOTALS)
            self._originators.add_column()
        return column


def less(
    statistics: MailStatistics, key: bytes, rows: np.ndarray, amounts: np.ndarray, taken: np.ndarray | int = 0
) -> bytes:
    """Changes that take these amounts, int64[rows, classes], out of the counters in these rows of the table, and
    `taken`, int64[classes], out of what labels of other classes took back."""
    changes = CountChanges.less(statistics.table, rows, amounts)
    totals = np.zeros((len(statistics.classes), MAIL_TOTALS), np.int64)
    totals[:, MailTotal.MASS] = -amounts.sum(axis=0, dtype=np.int64)
    totals[:, MailTotal.TAKEN] = -taken
    header = {"kind": _KIND, "key": key.hex(), "classes": list(statistics.classes), "sources": []}
    return flat.pack(header, [totals, *changes.arrays()])


def apply_changes(statistics: MailStatistics, data: bytes, key: bytes, hash_multipliers: np.ndarray) -> None:
    """Add what `UpdateRecorder.take` gave; `key` and `hash_multipliers` are those of the model.

    Raises SnapshotError, and changes no count, for anything else, and for words hashed with another key.
    """
    header, arrays = flat.unpack(data)
    try:
        if header["key"] != key.hex():
            raise ValueError("their words are hashed with another key")
        if header["kind"] != _KIND:
            raise ValueError(f"they are {str(header['kind'])[:40]!r}, not {_KIND!r}")
        classes, sources = _checked_classes(header["classes"]), _checked_sources(header["sources"])
        totals = arrays[0].astype(np.int64).reshape(len(classes), MAIL_TOTALS)
        tabular: list[tuple[int, FeatureTable]] = []
        at = 1 + len(CountChanges._fields)
        changes = CountChanges.from_arrays(arrays[1:at], len(classes))
        for sign, name in _FEATURES.items():
            if name in header:
                own: dict[str, np.ndarray] = dict(zip(feature_snapshot.ARRAYS, arrays[at:], strict=False))
                own["number_counts"] = own["number_counts"].reshape(-1, len(classes))
                tabular.append((sign, feature_snapshot.unpack(header[name], own, len(classes))))
                at += len(feature_snapshot.ARRAYS)
        told: dict[str, np.ndarray] = {}
        if ORIGINATORS[0] in header:
            told.update(zip(ORIGINATORS, arrays[at:], strict=False))
        originators = OriginatorCounts.unpack(told, len(classes))
        columns = [statistics.column(label) for label in classes]
        changes.add_to(statistics.table, columns, hash_multipliers)
    except (KeyError, TypeError, ValueError, IndexError, OverflowError) as error:
        statistics.forget_empty()
        raise SnapshotError(f"updates with parts missing or misshapen: {error}") from error
    for sign, table in tabular:
        statistics.tabular.merge(table, columns, sign)
    statistics.originators.merge(originators, columns)
    statistics.add_totals(columns, totals, sources)


def _checked_classes(classes: Any) -> list[Label]:
    labels = [cast(Label, label) for label in classes]
    if len({repr(label) for label in labels}) < len(labels):
        raise ValueError("a class is there twice")
    return labels


def _checked_sources(sources: Any) -> dict[str, np.ndarray]:
    found = {str(name): np.array(sums, np.int64) for name, *sums in sources}
    if any(sums.shape != (2,) for sums in found.values()):
        raise ValueError("a source has two sums")
    return found
