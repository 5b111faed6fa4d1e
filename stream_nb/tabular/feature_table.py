"""Numbers and categories of messages: what they are, their counts by class, and their share in a score."""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import countOf
from typing import Any

import numpy as np

from stream_nb import kernels
from stream_nb.kernels.layout import FEATURE_ROOM, PARTS, FeatureId, Place
from stream_nb.tabular.arrays import with_columns
from stream_nb.tabular.category_table import CategoryTable
from stream_nb.tabular.number_table import NumberTable
from stream_nb.tabular.part_pool import PartPool
from stream_nb.types import FeatureValue

Features = tuple[tuple[str, FeatureValue], ...]

_MOST_KNOWN = 256
_NUMBER, _CATEGORY = 0, 1


class FeatureTable:
    """Sums over named numbers and categories, by the number of a class (a column), and the pool of part margins.

    Of a number it keeps exact moments and counts of its places, of a category counts of its values, all in 1/256 of a
    message (see `kernels.feature_counts`); so what is added is taken back without a trace, in any order. Strings and
    booleans are categories. A name may be a number in one message and a category in another: these are two features.
    After `read`, the first `n` rows of `ids` are the message's features (`layout.FeatureId`); after `score`, `terms`
    and `weights` are what `kernels.score_features` found.
    """

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
        self._workspace = kernels.Workspace()
        self._workspace.nest(Place.NUMBERS, self.numbers.workspace)
        self._workspace.nest(Place.CATEGORIES, self.categories.workspace)
        self._workspace.nest(Place.POOL, self.pool.workspace)
        self._workspace.bind(Place.FEATURE_IDS, self.ids)
        self._workspace.bind(Place.FEATURE_VALUES, self._xs)
        self._workspace.bind(Place.FEATURE_WEIGHTS, self.weights)
        self._addresses = self._workspace.addresses
        self.terms = np.zeros((FEATURE_ROOM + PARTS, columns))

    @property
    def terms(self) -> np.ndarray:
        """What the features (before their weights), and then the parts, of the message scored last gave each class,
        float64[:, classes]."""
        return self._workspace[Place.FEATURE_TERMS]

    @terms.setter
    def terms(self, terms: np.ndarray) -> None:
        self._workspace.bind(Place.FEATURE_TERMS, terms)

    @property
    def columns(self) -> int:
        """How many classes there are."""
        return self.numbers.columns

    @property
    def empty(self) -> bool:
        """Nothing has been counted; features met may have rows all the same."""
        return not self.pool.counts.any() and self.numbers.empty and self.categories.empty

    @property
    def live(self) -> int:
        """Rows in use: places of numbers, `NUMBER_ROWS` more for each number, and values of categories."""
        return self.numbers.live + len(self.categories.values)

    def holds(self, column: int) -> bool:
        """Whether anything is counted of a class."""
        return self.numbers.holds(column) or self.categories.holds(column)

    # A message

    def read(self, features: Features, insert: bool) -> None:
        """Find the features of a message; with `insert`, give those that are new a row.

        Raises:
            ValueError: A number is not finite.
            TypeError: A value is no number, string or boolean, or the features are a dict.
        """
        if features is self._read and not (insert and self._new):
            return
        if isinstance(features, dict):  # names of two letters would be taken for pairs
            raise TypeError("the features of a mail are a dict: give pairs of name and value, as tuple(x.items())")
        self._read, self._new = features, False
        kept = features if len(features) <= FEATURE_ROOM else features[:FEATURE_ROOM]
        self.n = len(kept)
        names, values = zip(*kept, strict=True) if kept else ((), ())
        ids = self._known.get(names)
        # The usual case, at once: numbers that are floats, all of them met before under these names, none out of range.
        if ids is not None and countOf(map(type, values), float) == self.n and math.isfinite(sum(values)):
            if ids is not self._ids_of:
                self.ids[: self.n], self._ids_of = ids, ids
            self._xs[: self.n] = values
        else:
            self._read_each(kept, insert)
            if not self._new and not self.ids[: self.n, FeatureId.KIND].any():
                if len(self._known) == _MOST_KNOWN:
                    self._known.clear()
                self._known[names] = self._ids_of = self.ids[: self.n].copy()

    def _read_each(self, features: Features, insert: bool) -> None:
        numbers, categories = self.numbers, self.categories
        self._ids_of = None
        for i, (name, value) in enumerate(features):
            kind, x = kind_of(name, value)
            row = 0
            if kind == _NUMBER:
                slot = numbers.slot(name) if insert else numbers.slots.get(name, -1)
            else:
                key = (name, bool(value) if isinstance(value, bool | np.bool_) else str(value))
                slot = categories.slot(name) if insert else categories.names.get(name, -1)
                row = categories.row(key) if insert else categories.values.get(key, -1)
            self.ids[i], self._xs[i] = (kind, slot, row), x
            self._new |= slot < 0 or row < 0

    def score(self, result: np.ndarray, order: np.ndarray, damping: float, lead: int, positive: int) -> int:
        """Add the share of what was read to `result` (`kernels.score_features`); how many features are known."""
        return kernels.score_features(self.n, order, damping, lead, positive, self._addresses, result)

    def pool_cell(self, order: np.ndarray, column: int) -> int:
        """The cell of the pool for a label of the message scored last (`kernels.pool_cell`)."""
        return int(kernels.pool_cell(self.terms, order, column))

    def gradients(self, order: np.ndarray, column: int, units: int, result: np.ndarray) -> list[int]:
        """What a label of the message scored last adds for its numbers (`kernels.number_gradients`); [] without any."""
        gradients = np.empty(self.n, np.int64)
        count = kernels.number_gradients(self.n, order, column, units, self._addresses, result, gradients)
        return gradients[:count].tolist()

    def learn(self, features: Features, order: np.ndarray, column: int, units: int, result: np.ndarray) -> None:
        """Count a label of the message scored last: its cell of the pool, gradients, and its features as in `add`."""
        self.read(features, insert=True)
        self._finish(kernels.learn_features(self.n, order, column, units, self._addresses, result), column, units)

    def add(self, features: Features, column: int, units: int, gradients: Sequence[int] = (), sign: int = 1) -> None:
        """Count a message's features in a class with a weight in 1/256 of a message, less than 0 takes it back; and
        `sign` times the `gradients` of its numbers."""
        self.read(features, insert=True)
        if gradients:
            kernels.add_gradients(self.n, np.array(gradients, np.int64), sign, self._addresses)
        self._finish(0, column, units)

    def _finish(self, done: int, column: int, units: int) -> None:
        """Count what was read but for the first `done`."""
        while done < self.n:
            done = kernels.add_features(done, self.n, column, units, self._addresses)
            if done < self.n:
                self.numbers.make_room(int(self.ids[done, FeatureId.SLOT]))

    # Statistics as a whole

    def add_column(self) -> None:
        """One more class, with nothing counted."""
        self.keep_columns([*range(self.columns), -1])

    def keep_columns(self, columns: list[int]) -> None:
        """Let class c be what was columns[c], -1 a new one; those dropped must have nothing counted."""
        self.numbers.hold_columns(columns)
        self.categories.hold_columns(columns)
        self.terms = with_columns(self.terms, columns)

    def merge(self, other: FeatureTable, columns: list[int], sign: int = 1) -> None:
        """Add (sign 1) or take back (-1) other statistics; their class c is our columns[c]."""
        self.numbers.merge(other.numbers, columns, sign)
        self.categories.merge(other.categories, columns, sign)
        self.pool.merge(other.pool, sign)
        self._forget_reading()

    def decay(self, factor: float) -> None:
        """Multiply everything by `factor`, 0 to 1, in whole units."""
        self.numbers.decay(factor)
        self.categories.decay(factor)
        self.pool.decay(factor)

    def evict(self, most: int) -> int:
        """Forget the rarest features until at most `most` rows are in use; returns how many rows went.

        A number goes with all its places, a category value by value. Of equally rare ones those first by name go.
        """
        before = live = self.live
        if before <= most:
            return 0
        rare: list[tuple[int, str, str, Any, int]] = []
        for name in self.numbers.slots:
            rare.append((self.numbers.count(name), name, "", None, self.numbers.rows(name)))
        for value in self.categories.values:
            rare.append((self.categories.count(value), value[0], repr(value[1]), value, 1))
        numbers, values = set(self.numbers.slots), set(self.categories.values)
        for _, name, _, value, rows in sorted(rare, key=lambda one: one[:3]):
            if live <= most:
                break
            live -= rows
            if value is None:
                numbers.discard(name)
            else:
                values.discard(value)
        self.numbers.keep(numbers)
        self.categories.keep(values)
        self._forget_reading()
        return before - self.live

    def copy(self) -> FeatureTable:
        """The same statistics, sharing nothing."""
        twin = FeatureTable(self.columns)
        twin.merge(self, list(range(self.columns)))
        return twin

    def _forget_reading(self) -> None:
        """What was read before may stand elsewhere now, or have found nothing where there is something."""
        self._read = ()
        self._known.clear()


def kind_of(name: str, value: FeatureValue) -> tuple[int, float]:
    """0 and the value of a number, 1 and 0.0 for a category. Raises as `FeatureTable.read`."""
    if isinstance(value, str | bool | np.bool_):
        return _CATEGORY, 0.0
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
    return _NUMBER, x
