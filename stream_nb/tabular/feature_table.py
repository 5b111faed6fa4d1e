"""Numbers and categories of messages: their counts by class, and their contribution to a score."""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import countOf
from typing import Any

import numpy as np

from stream_nb import kernels
from stream_nb.kernels.layout import CATEGORY, FEATURE_ROOM, NUMBER, PARTS, FeatureId, Slot
from stream_nb.tabular.arrays import BoundArray, with_columns
from stream_nb.tabular.category_table import CategoryTable
from stream_nb.tabular.number_table import NumberTable
from stream_nb.tabular.part_pool import PartPool
from stream_nb.types import FeatureValue

Features = tuple[tuple[str, FeatureValue], ...]

_MOST_KNOWN = 256


class FeatureTable:
    """Sums over named numbers and categories with one column per class, and the pool of part margins.

    A number has exact moments and counts of its intervals, a category has counts of its values, all in 1/256 of a
    message (see `kernels.tabular.feature_counts`); so anything added can be subtracted again exactly, in any order.
    Strings and booleans are categories. A name that is a number in one message and a category in another denotes two
    features. After `read`, the first `n` rows of `ids` describe the message's features (`layout.FeatureId`); after
    `score`, `terms` and `weights` hold the results of `kernels.score_features`."""

    terms = BoundArray(Slot.FEATURE_TERMS)
    """The terms of the message scored last, float64[rows, classes]: first its features, not yet weighted, then its
    parts."""

    def __init__(self, columns: int = 0) -> None:
        self.numbers = NumberTable(columns)
        self.categories = CategoryTable(columns)
        self.pool = PartPool()
        self._read: Features = ()
        self._new = False
        self.n = 0
        self.ids = np.zeros((FEATURE_ROOM, len(FeatureId)), np.int64)
        self._ids_of: np.ndarray | None = None
        self._known: dict[tuple[str, ...], np.ndarray] = {}
        self._xs = np.zeros(FEATURE_ROOM)
        self.weights = np.ones(FEATURE_ROOM)
        self.workspace = kernels.Workspace()
        self.workspace.nest(Slot.NUMBERS, self.numbers.workspace)
        self.workspace.nest(Slot.CATEGORIES, self.categories.workspace)
        self.workspace.nest(Slot.POOL, self.pool.workspace)
        self.workspace.bind(Slot.FEATURE_IDS, self.ids)
        self.workspace.bind(Slot.FEATURE_VALUES, self._xs)
        self.workspace.bind(Slot.FEATURE_WEIGHTS, self.weights)
        self._addresses = self.workspace.addresses
        self.terms = np.zeros((FEATURE_ROOM + PARTS, columns))

    @property
    def columns(self) -> int:
        """Number of classes."""
        return self.numbers.columns

    @property
    def empty(self) -> bool:
        """Whether all counts are 0. Features may have rows nevertheless."""
        return not self.pool.counts.any() and self.numbers.empty and self.categories.empty

    @property
    def live(self) -> int:
        """Number of rows in use: intervals of numbers, plus `NUMBER_ROWS` for each number, plus values of
        categories."""
        return self.numbers.live + len(self.categories.values)

    def holds(self, column: int) -> bool:
        """Whether a class has counts."""
        return self.numbers.holds(column) or self.categories.holds(column)

    # A message

    def read(self, features: Features, insert: bool) -> None:
        """Look up the features of a message; with `insert`, add rows for new ones.

        Raises:
            ValueError: A number is not finite.
            TypeError: A name is not text, a value is not a number, string or boolean, or the features are a dict.
        """
        if features is self._read and not (insert and self._new):
            return
        if isinstance(features, dict):  # because iteration over names of two letters would yield what looks like pairs
            raise TypeError("the features of a mail are a dict: give pairs of name and value, as tuple(x.items())")
        self._read, self._new = (), False  # not `features` yet: an invalid value must raise each time
        first = features if len(features) <= FEATURE_ROOM else features[:FEATURE_ROOM]
        self.n = len(first)
        names, values = zip(*first, strict=True) if first else ((), ())
        ids = self._known.get(names)
        # Fast path for the usual case: all values are finite floats, and these names were looked up before.
        if ids is not None and countOf(map(type, values), float) == self.n and math.isfinite(sum(values)):
            if ids is not self._ids_of:
                self.ids[: self.n], self._ids_of = ids, ids
            self._xs[: self.n] = values
        else:
            self._read_each(first, insert)
            if not self._new and not self.ids[: self.n, FeatureId.KIND].any():
                if len(self._known) == _MOST_KNOWN:
                    self._known.clear()
                self._known[names] = self._ids_of = self.ids[: self.n].copy()
        self._read = features

    def _read_each(self, features: Features, insert: bool) -> None:
        numbers, categories = self.numbers, self.categories
        self._ids_of = None
        for i, (name, value) in enumerate(features):
            kind, x = kind_of(name, value)
            row = 0
            if kind == NUMBER:
                slot = numbers.slot(name) if insert else numbers.slots.get(name, -1)
            else:
                key = (name, bool(value) if isinstance(value, bool | np.bool_) else str(value))
                slot = categories.slot(name) if insert else categories.names.get(name, -1)
                row = categories.row(key) if insert else categories.values.get(key, -1)
            self.ids[i], self._xs[i] = (kind, slot, row), x
            self._new |= slot < 0 or row < 0

    def score(self, result: np.ndarray, order: np.ndarray, damping: float, lead: int, positive: int) -> int:
        """Add the contribution of the features read to `result` (`kernels.score_features`). Returns the number of known
        features."""
        return kernels.score_features(self.n, order, damping, lead, positive, self._addresses, result)

    def pool_cell(self, order: np.ndarray, column: int) -> int:
        """The pool cell of a label for the message scored last (`kernels.pool_cell`)."""
        return int(kernels.pool_cell(self.terms, order, column))

    def gradients(self, order: np.ndarray, column: int, units: int, result: np.ndarray) -> list[int]:
        """The gradients that a label adds for the numbers of the message scored last (`kernels.number_gradients`); []
        if it has none."""
        gradients = np.empty(self.n, np.int64)
        count = kernels.number_gradients(self.n, order, column, units, self._addresses, result, gradients)
        return gradients[:count].tolist()

    def learn(self, features: Features, order: np.ndarray, column: int, units: int, result: np.ndarray) -> None:
        """Learn a label of the message scored last: add its pool cell, its gradients and, as `add`, its features."""
        self.read(features, insert=True)
        self._count_from(kernels.learn_features(self.n, order, column, units, self._addresses, result), column, units)

    def add(self, features: Features, column: int, units: int, gradients: Sequence[int] = (), sign: int = 1) -> None:
        """Add a message's features to the counts of a class with weight `units`, in 1/256 of a message (negative to
        subtract), and `sign` times the `gradients` of its numbers."""
        self.read(features, insert=True)
        if gradients:
            kernels.add_gradients(self.n, np.array(gradients, np.int64), sign, self._addresses)
        self._count_from(0, column, units)

    def _count_from(self, i: int, column: int, units: int) -> None:
        """Count the features read, from index `i` on."""
        while i < self.n:
            i = kernels.add_features(i, self.n, column, units, self._addresses)
            if i < self.n:
                self.numbers.make_room(int(self.ids[i, FeatureId.SLOT]))

    # Statistics as a whole

    def add_column(self) -> None:
        """Append a class with counts of 0."""
        self.keep_columns([*range(self.columns), -1])

    def keep_columns(self, columns: list[int]) -> None:
        """Rearrange the classes: the new class c is the old columns[c], or a new class if that is -1. Classes that are
        dropped must have no counts."""
        self.numbers.hold_columns(columns)
        self.categories.hold_columns(columns)
        self.terms = with_columns(self.terms, columns)

    def merge(self, other: FeatureTable, columns: list[int], sign: int = 1) -> None:
        """Add (sign 1) or subtract (sign -1) another table, whose class c is columns[c] here."""
        self.numbers.merge(other.numbers, columns, sign)
        self.categories.merge(other.categories, columns, sign)
        self.pool.merge(other.pool, sign)
        self._invalidate()

    def decay(self, factor: float) -> None:
        """Multiply all counts by `factor`, 0 to 1, rounded to 1/256 of a message."""
        self.numbers.decay(factor)
        self.categories.decay(factor)
        self.pool.decay(factor)

    def evict(self, most: int) -> int:
        """Evict the rarest features until at most `most` rows are in use. Returns the number of rows evicted.

        A number is evicted with all its intervals, a category value by value; on a tie the first by name.
        """
        before = live = self.live
        if before <= most:
            return 0
        candidates: list[tuple[int, str, str, Any, int]] = []
        for name in self.numbers.slots:
            candidates.append((self.numbers.count(name), name, "", None, self.numbers.rows(name)))
        for value in self.categories.values:
            candidates.append((self.categories.count(value), value[0], repr(value[1]), value, 1))
        numbers, values = set(self.numbers.slots), set(self.categories.values)
        for _, name, _, value, rows in sorted(candidates, key=lambda candidate: candidate[:3]):
            if live <= most:
                break
            live -= rows
            if value is None:
                numbers.discard(name)
            else:
                values.discard(value)
        self.numbers.keep(numbers)
        self.categories.keep(values)
        self._invalidate()
        return before - self.live

    def copy(self) -> FeatureTable:
        """An independent copy."""
        twin = FeatureTable(self.columns)
        twin.merge(self, list(range(self.columns)))
        return twin

    def _invalidate(self) -> None:
        """Discard cached look-ups, because rows may have moved and unknown features may have become known."""
        self._read = ()
        self._known.clear()


def kind_of(name: str, value: FeatureValue) -> tuple[int, float]:
    """Return (NUMBER, value) for a number, (CATEGORY, 0.0) for a category. Raises as `FeatureTable.read`."""
    if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"the name of a feature is {name!r:.60}, a {type(name).__name__}: give text")
    if isinstance(value, str | bool | np.bool_):
        return CATEGORY, 0.0
    try:
        x = float(value)
    except OverflowError:
        x = math.inf
    except (TypeError, ValueError):
        raise TypeError(
            f"feature {name!r:.60} is a {type(value).__name__}: give a number, a string or a boolean"
        ) from None
    if not math.isfinite(x):
        raise ValueError(f"feature {name!r:.60} is {value!r:.60}: give a finite number, or leave the feature out")
    return NUMBER, x
