"""What `MailNB` learns of a message's numbers and categories beside its words."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from stream_nb import kernels, snapshot
from stream_nb.errors import SnapshotError
from stream_nb.kernels.layout import FEATURE_ROOM, MOMENTS, PARTS, POOL_BINS, UNIT, Cell, FeatureId, Moment, Span
from stream_nb.tabular.moments import Moments
from stream_nb.types import FeatureValue

Features = tuple[tuple[str, FeatureValue], ...]

NUMBER_ROWS = 32
"""A number takes the room of so many rows, whatever its places."""

ARRAYS = ("number_places", "number_counts", "pool_bins", "pool_counts")
"""The arrays of a snapshot."""

_VERSION = 1
_FLOATS = {float}
_MOST_KNOWN = 256
_LEAST = 4
_NUMBER, _CATEGORY = 0, 1


class NumberSummary(NamedTuple):
    """A number in one class: how many values, in messages, their mean and 1/N standard deviation."""

    n: float
    mean: float
    std: float


class FeatureTable:
    """Sums over named numbers and categories, by the number of a class (a column), and the pool of part margins.

    Of a number it keeps exact moments and counts of its places, of a category counts of its values, all in 1/256 of a
    message (see `kernels.features`); so what is added is taken back without a trace, in any order. Strings and
    booleans are categories. A name may be a number in one message and a category in another: these are two features.
    After `read`, the first `n` rows of `ids` are the message's features (`layout.FeatureId`); after `score`, `terms`
    is what `kernels.score_features` found. `numbers` maps names to numbers of `moments`; `categories`, and `values` by
    name and value, to rows of `counts`.
    """

    def __init__(self, columns: int = 0) -> None:
        self.numbers: dict[str, int] = {}
        self.categories: dict[str, int] = {}
        self.values: dict[tuple[str, str | bool], int] = {}
        self.moments = np.zeros((_LEAST, columns, MOMENTS), np.int64)
        self._normals = np.full((_LEAST, columns, 2), -1.0)
        self._spans = np.zeros((_LEAST, len(Span)), np.int64)
        self._cells = np.zeros((0, Cell.COUNTS + columns), np.int64)
        self.counts = np.zeros((_LEAST, columns), np.int64)
        self.pool = np.zeros(POOL_BINS**PARTS, np.int64)
        self._filled = np.zeros(0, np.int64)
        self._weights: tuple[float, float] | None = None
        self._read: Features = ()
        self._new = False
        self.n = 0
        self.ids = np.zeros((1, len(FeatureId)), np.int64)
        self._known: dict[tuple[str, ...], np.ndarray] = {}
        self._xs = np.zeros(FEATURE_ROOM)
        self.terms = np.zeros((FEATURE_ROOM + PARTS, columns))

    @property
    def columns(self) -> int:
        """How many classes there are."""
        return self.moments.shape[1]

    @property
    def empty(self) -> bool:
        """Nothing has been counted; features met may have rows all the same."""
        return not (self.pool.any() or _any(self.moments) or self.counts.any())

    def holds(self, column: int) -> bool:
        """Whether anything is counted of a class."""
        return _any(self.moments[:, column]) or bool(
            self._cells[:, Cell.COUNTS + column].any() or self.counts[:, column].any()
        )

    @property
    def live(self) -> int:
        """Rows in use: places of numbers, `NUMBER_ROWS` more for each number, and values of categories."""
        return int(self._spans[:, Span.USED].sum()) + NUMBER_ROWS * len(self.numbers) + len(self.values)

    # A message

    def read(self, features: Features, insert: bool) -> None:
        """Find the features of a message; with `insert`, give those that are new a row.

        Raises:
            ValueError: A number is not finite.
            TypeError: A value is no number, string or boolean.
        """
        if features is self._read and not (insert and self._new):
            return
        self._read, self._new = features, False
        kept = features[:FEATURE_ROOM]
        self.n = len(kept)
        names, values = zip(*kept, strict=True) if kept else ((), ())
        ids = self._known.get(names)
        # The usual case, at once: numbers that are floats, all of them met before under these names, none out of range.
        if ids is not None and {*map(type, values)} == _FLOATS and math.isfinite(sum(values)):
            self.ids = ids
            self._xs[: self.n] = values
        else:
            self._read_each(kept, insert)
            if not self._new and not self.ids[: self.n, FeatureId.KIND].any():
                if len(self._known) == _MOST_KNOWN:
                    self._known.clear()
                self._known[names] = self.ids

    def _read_each(self, features: Features, insert: bool) -> None:
        self.ids = np.zeros((max(self.n, 1), len(FeatureId)), np.int64)
        for i, (name, value) in enumerate(features):
            kind, x = kind_of(name, value)
            row = 0
            if kind == _NUMBER:
                slot = self._number(name) if insert else self.numbers.get(name, -1)
            else:
                key = (name, bool(value) if isinstance(value, bool | np.bool_) else str(value))
                slot = self._category(name) if insert else self.categories.get(name, -1)
                row = self._value(key) if insert else self.values.get(key, -1)
            self.ids[i], self._xs[i] = (kind, slot, row), x
            self._new |= slot < 0 or row < 0

    def score(self, result: np.ndarray, order: np.ndarray, damping: float, lead: int, positive: int) -> None:
        """Add the share of what was read to `result` (`kernels.score_features`)."""
        numbers, categories = self._weights or self.weights()
        kernels.score_features(
            self.ids, self._xs, self.n, order, self.moments, self._normals, self._spans, self._cells, self.counts,
            numbers, categories, damping, lead, positive, self.terms, result,
        )  # fmt: skip

    def add_label(self, cell: int, units: int) -> None:
        """Count a label in a cell of the pool, in 1/256 of a message."""
        before = self.pool.item(cell)
        self.pool[cell] = before + units
        self._weights = None
        if not before or not before + units:
            self._filled = np.flatnonzero(self.pool)

    def add(self, features: Features, column: int, units: int) -> None:
        """Count a message's features in a class with a weight in 1/256 of a message; less than 0 takes it back."""
        self.read(features, insert=True)
        done = 0
        while done < self.n:
            done = kernels.add_features(
                done, self.ids, self._xs, self.n, column, units, self.moments, self._normals, self._spans, self._cells,
                self.counts,
            )  # fmt: skip
            if done < self.n:
                self._make_room(int(self.ids[done, FeatureId.SLOT]))

    # Statistics as a whole

    def add_column(self) -> None:
        """One more class, with nothing counted."""
        self._hold_columns([*range(self.columns), -1])

    def keep_columns(self, columns: list[int]) -> None:
        """Drop all classes but these; the dropped ones must have nothing counted."""
        self._hold_columns(columns)

    def merge(self, other: FeatureTable, columns: list[int], sign: int = 1) -> None:
        """Add (sign 1) or take back (-1) other statistics; their class c is our columns[c]."""
        to = np.array(columns, np.int64)
        for name, slot2 in other.numbers.items():
            slot = self._number(name)
            kernels.merge_moments(other.moments[slot2], to, sign, self.moments[slot])
            cells = other.cells(name)
            done = 0
            while done < len(cells):
                done = kernels.merge_cells(done, cells, to, sign, self._spans[slot], self._cells)
                if done < len(cells):
                    self._make_room(slot)
        for name, row2 in other.categories.items():
            row = self._category(name)
            self.counts[row, to] += sign * other.counts[row2]
        for key, row2 in other.values.items():
            row = self._value(key)
            self.counts[row, to] += sign * other.counts[row2]
        self._normals[:] = -1.0
        self.pool += sign * other.pool
        self._pool_changed()

    def decay(self, factor: float) -> None:
        """Multiply everything by `factor`, 0 to 1, in whole units."""
        counts = self._cells[:, Cell.COUNTS :]
        for sums in (counts, self.counts, self.pool):
            sums[...] = np.rint(sums * factor).astype(np.int64)
        self._cells[:, Cell.HELD] = np.maximum(counts, 0).sum(axis=1)
        for slot in self.numbers.values():
            for row in self.moments[slot]:
                Moments(row).decay(factor)
        for name, row in self.categories.items():
            rows = [value for (owner, _), value in self.values.items() if owner == name]
            self.counts[row] = self.counts[rows].sum(axis=0)
        self._normals[:] = -1.0
        self._pool_changed()

    def evict(self, most: int) -> int:
        """Forget the rarest features until at most `most` rows are in use; returns how many rows went.

        A number goes with all its places, a category value by value. Of equally rare ones those first by name go.
        """
        if self.live <= most:
            return 0
        before = self.live
        rare: list[tuple[int, str, str, Any, int]] = []
        for name, slot in self.numbers.items():
            count = int(np.abs(self.moments[slot, :, Moment.COUNT]).sum())
            rare.append((count, name, "", None, NUMBER_ROWS + int(self._spans[slot, Span.USED])))
        for (name, value), row in self.values.items():
            rare.append((int(np.abs(self.counts[row]).sum()), name, repr(value), (name, value), 1))
        numbers, values, live = set(self.numbers), set(self.values), before
        for _, name, _, key, rows in sorted(rare, key=lambda one: one[:3]):
            if live <= most:
                break
            live -= rows
            if key is None:
                numbers.discard(name)
            else:
                values.discard(key)
        self._keep(numbers, values)
        return before - self.live

    def copy(self) -> FeatureTable:
        """The same statistics, sharing nothing."""
        twin = FeatureTable(self.columns)
        twin.merge(self, list(range(self.columns)))
        return twin

    def pack(self, columns: list[int]) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        """Values and arrays for a snapshot, classes in this order; equal statistics give equal ones."""
        numbers: list[list[Any]] = []
        cells = [np.zeros((0, Cell.COUNTS + len(columns)), np.int64)]
        order = [Cell.PLACE, Cell.HELD, *(Cell.COUNTS + column for column in columns)]
        for name, slot in sorted(self.numbers.items()):
            moments, own = self.moments[slot, columns], self.cells(name)[:, order]
            if _any(moments) or len(own):
                numbers.append([name, len(own), [Moments(row).state() for row in moments]])
                cells.append(own)
        values = [
            [name, value, self.counts[row, columns].tolist()]
            for (name, value), row in sorted(self.values.items(), key=lambda one: (one[0][0], repr(one[0][1])))
            if self.counts[row].any()
        ]
        joined = np.concatenate(cells)
        filled = np.flatnonzero(self.pool)
        state = {"version": _VERSION, "numbers": numbers, "categories": values}
        arrays = {
            "number_places": joined[:, Cell.PLACE],
            "number_counts": joined[:, Cell.COUNTS :],
            "pool_bins": filled,
            "pool_counts": self.pool[filled],
        }
        return state, {name: snapshot.smallest(array) for name, array in arrays.items()}

    def load(self, state: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
        """Take into an empty table what `pack` gave. Raises SnapshotError for another version, KeyError, TypeError or
        ValueError for what is no such thing."""
        if state["version"] != _VERSION:
            raise SnapshotError(
                f"snapshot with features of version {state['version']!r}, this program reads version {_VERSION}"
            )
        places, counts = arrays["number_places"].astype(np.int64), arrays["number_counts"].astype(np.int64)
        if counts.shape != (len(places), self.columns) or sum(size for _, size, _ in state["numbers"]) != len(places):
            raise ValueError(f"{len(places)} places of numbers, counts of shape {counts.shape}")
        cells = np.column_stack((places, np.maximum(counts, 0).sum(axis=1), counts))
        at = 0
        for name, size, moments in state["numbers"]:
            slot = self._number(name)
            self._make_room(slot, size)
            start = int(self._spans[slot, Span.START])
            self._cells[start : start + size] = cells[at : at + size]
            self._spans[slot, Span.USED] = size
            self.moments[slot] = [Moments.from_sums(*one).row for one in moments]
            at += size
        for name, value, held in state["categories"]:
            row = self._value((name, value))
            self.counts[row] = held
            row = self._category(name)
            self.counts[row] += held
        self.pool[arrays["pool_bins"].astype(np.int64)] = arrays["pool_counts"]
        self._pool_changed()

    # Reading

    def cells(self, name: str) -> np.ndarray:
        """The places of a number that hold a value, rising, int64[k, 2 + classes] by `layout.Cell`."""
        start, used, _ = self._spans[self.numbers[name]].tolist()
        own = self._cells[start : start + used]
        return own[own[:, Cell.COUNTS :].any(axis=1)]

    def histogram(self, name: str) -> Iterator[tuple[float, float, list[float]]]:
        """(low, high, messages by class) of each place of a number that holds a value, rising."""
        for place, _, *counts in self.cells(name).tolist():
            low = kernels.place_start(place if place >= 0 else place - 1)
            high = kernels.place_start(place if place <= 0 else place + 1)
            yield low, high, [count / UNIT for count in counts]

    def summary(self, name: str, column: int) -> NumberSummary:
        """A number in a class."""
        moments = Moments(self.moments[self.numbers[name], column])
        return NumberSummary(moments.n, moments.mean, moments.std)

    def weights(self) -> tuple[float, float]:
        """What numbers and categories weigh beside words."""
        weights = self._weights
        if weights is None:
            weights = self._weights = kernels.part_weights(self.pool, self._filled)
        return weights

    # Rows

    def _number(self, name: str) -> int:
        slot = self.numbers.get(name)
        if slot is None:
            slot = self.numbers[name] = len(self.numbers)
            self._met_anew()
            if slot == len(self._spans):
                for array in ("moments", "_normals", "_spans"):
                    setattr(self, array, _grown(getattr(self, array)))
            self._normals[slot] = -1.0
        return slot

    def _category(self, name: str) -> int:
        row = self.categories.get(name)
        if row is None:
            row = self.categories[name] = self._row()
        return row

    def _value(self, key: tuple[str, str | bool]) -> int:
        row = self.values.get(key)
        if row is None:
            row = self.values[key] = self._row()
        return row

    def _row(self) -> int:
        row = len(self.categories) + len(self.values)
        if row == len(self.counts):
            self.counts = _grown(self.counts)
        self._met_anew()
        return row

    def _met_anew(self) -> None:
        """What was read before may have found nothing where there is something now."""
        self._read = ()
        self._known.clear()

    def _make_room(self, slot: int, least: int = 0) -> None:
        """Move the places of a number to where twice as many fit, and those behind them along."""
        start, used, room = self._spans[slot].tolist()
        if not room:
            start = len(self._cells)
        end, more = start + room, max(room, 2 * _LEAST, least)
        self._cells = np.insert(self._cells, end, np.zeros((more, Cell.COUNTS + self.columns), np.int64), axis=0)
        self._spans[self._spans[:, Span.START] >= end, Span.START] += more
        self._spans[slot] = start, used, room + more

    def _pool_changed(self) -> None:
        self._filled = np.flatnonzero(self.pool)
        self._weights = None

    def _hold_columns(self, columns: list[int]) -> None:
        """Let column c be what was columns[c]; -1 is a new one."""
        kept = [c for c, before in enumerate(columns) if before >= 0]
        for name in ("moments", "_normals", "_cells", "counts", "terms"):
            old, first = getattr(self, name), Cell.COUNTS if name == "_cells" else 0
            new = np.zeros((old.shape[0], first + len(columns), *old.shape[2:]), old.dtype)
            new[:, :first] = old[:, :first]
            for c in kept:
                new[:, first + c] = old[:, first + columns[c]]
            setattr(self, name, new)
        self._normals[:] = -1.0

    def _keep(self, numbers: set[str], values: set[tuple[str, str | bool]]) -> None:
        """Forget all numbers and values of categories but these."""
        fresh = FeatureTable(self.columns)
        kept = self.copy()
        kept.numbers = {name: slot for name, slot in kept.numbers.items() if name in numbers}
        kept.values = {key: row for key, row in kept.values.items() if key in values}
        kept.categories = {
            name: slot for name, slot in kept.categories.items() if any(key[0] == name for key in values)
        }
        fresh.merge(kept, list(range(self.columns)))
        self.__dict__.update(fresh.__dict__)


def kind_of(name: str, value: FeatureValue) -> tuple[int, float]:
    """0 and the value of a number, 1 and 0.0 for a category. Raises as `FeatureTable.read`."""
    if isinstance(value, str | bool | np.bool_):
        return _CATEGORY, 0.0
    try:
        x = float(value)
    except OverflowError:
        x = math.inf
    except (TypeError, ValueError):
        raise TypeError(f"feature {name!r} is a {type(value).__name__}: give a number, a string or a boolean") from None
    if not math.isfinite(x):
        raise ValueError(f"feature {name!r} is {value!r}: give a finite number, or leave the feature out")
    return _NUMBER, x


def _any(moments: np.ndarray) -> bool:
    """Whether any of these moments has something."""
    return bool(moments[..., Moment.COUNT].any() or moments[..., Moment.SUM :].any())


def _grown(array: np.ndarray) -> np.ndarray:
    larger = np.zeros((2 * len(array), *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger
