"""Counters of keyed features by class, with totals of each class: what a model over words learns and reads."""

from __future__ import annotations

import abc
from collections.abc import Iterable
from typing import Any, ClassVar, Self, cast

import numpy as np

from stream_nb import kernels, snapshot
from stream_nb.features import eviction
from stream_nb.features.count_table import CountTable
from stream_nb.kernels.layout import Place
from stream_nb.types import Label


class ClassCounts(abc.ABC):
    """Sums over messages in whole units of 1/256, so that they do not depend on order and can be taken back.

    `columns` maps each class to its number c: its row of `totals` (int64), and its counters in `table`, from column
    `COUNTERS` c on. A subclass says how many counters and totals a class has, and which of the totals (`SUMS`) are the
    sums of its counters. `epoch` rises with everything that can change a score. `workspace` has the totals, and the
    table nested. `classes` is another tuple whenever the classes are others.
    """

    COUNTERS: ClassVar[int]
    TOTALS: ClassVar[int]
    SUMS: ClassVar[slice]

    def __init__(self) -> None:
        self.workspace: Any = kernels.Workspace()
        self.epoch: int = 0
        self.columns: dict[Label, int] = {}
        self.classes: tuple[Label, ...] = ()
        self.hold([], np.zeros((0, self.TOTALS), np.int64), CountTable())

    @property
    def totals(self) -> np.ndarray:
        """Totals of each class, int64[classes, TOTALS]."""
        return self.workspace[Place.TOTALS]

    def hold(self, classes: Iterable[Label], totals: np.ndarray, table: CountTable) -> None:
        """Take these counts for its own, instead of those it had; class number c is the one with row c of `totals`."""
        self.columns = {checked_label(label): column for column, label in enumerate(classes)}
        self.classes = tuple(self.columns)
        self.table = table
        self.workspace.nest(Place.TABLE, table.workspace)
        self.workspace.bind(Place.TOTALS, totals)
        self.changed()

    def changed(self) -> None:
        """Note that what has been read of these counts is out of date."""
        self.epoch += 1

    def sorted_classes(self) -> list[Label]:
        """The classes in an order that does not depend on which came first."""
        return sorted(self.columns, key=lambda label: (type(label).__name__, label))

    def column(self, label: Label) -> int:
        """The number of a class; a new class joins with empty counters."""
        column = self.columns.get(label)
        if column is None:
            label = checked_label(label)
            for _ in range(self.COUNTERS):
                self.table.add_column()
            totals = np.vstack((self.totals, np.zeros(self.TOTALS, np.int64)))
            self.hold([*self.classes, label], totals, self.table)
            column = self.columns[label]
        return column

    @abc.abstractmethod
    def copy(self) -> Self:
        """The same counts, sharing nothing."""

    def merge(self, other: Self, sign: int = 1) -> None:
        """Add (sign 1) or take back (-1) other counts made with the same hash key."""
        columns = [self.column(label) for label in other.classes]
        self.table.merge(other.table, self.counters(columns), sign)
        np.add.at(self.totals, columns, sign * other.totals)
        self.changed()
        self.forget_empty()

    def decay(self, factor: float) -> None:
        """Multiply every counter and total by `factor`, 0 to 1, in whole units. Raises ValueError outside."""
        check_factor(factor)
        self.table.scale(factor)
        self.totals[:] = np.rint(self.totals * factor).astype(np.int64)
        self.totals[:, self.SUMS] = self.table.sums().reshape(-1, self.COUNTERS)
        self.changed()
        self.forget_empty()

    def evict(self, most: int, hash_multipliers: np.ndarray) -> int:
        """Forget the rarest features until at most `most` are left; returns how many went."""
        gone, lost = eviction.evict(self.table, most, hash_multipliers)
        self.totals[:, self.SUMS] -= lost.reshape(-1, self.COUNTERS)
        self.changed()
        return gone

    def compact(self, hash_multipliers: np.ndarray) -> None:
        """Give back the rows of features of which nothing is left."""
        eviction.evict(self.table, self.table.live, hash_multipliers)
        self.changed()

    def holds(self, column: int) -> bool:
        """Whether anything is counted of a class."""
        return bool(self.totals[column].any())

    def forget_empty(self) -> None:
        """Drop classes of which nothing is left: it is as if they had never come."""
        kept = [label for label, column in self.columns.items() if self.holds(column)]
        if len(kept) < len(self.columns):
            self.keep_classes(kept)

    def keep_classes(self, kept: list[Label]) -> None:
        """Drop all other classes with what is counted of them."""
        columns = [self.columns[label] for label in kept]
        self.table.keep_columns(self.counters(columns))
        self.hold(kept, self.totals[columns], self.table)

    def counters(self, columns: list[int]) -> list[int]:
        """The table's columns of classes with these numbers."""
        return [self.COUNTERS * c + k for c in columns for k in range(self.COUNTERS)]

    def arrays(self, totals: str) -> dict[str, np.ndarray]:
        """Arrays for a snapshot, classes in a fixed order: equal counts give equal ones; `totals` names the totals."""
        columns = [self.columns[label] for label in self.sorted_classes()]
        arrays = {totals: snapshot.smallest(self.totals[columns])}
        for name, array in self.table.canonical(self.counters(columns))._asdict().items():
            arrays[name] = array if name == "words" else snapshot.smallest(array)
        return arrays


def checked_label(label: Label | np.generic[Any]) -> Label:
    """A label as it is kept: a scalar of numpy as Python's, so that equal labels are one class and can be written down.

    Raises:
        TypeError: It is neither text nor a number or bool; None, say, since a message without a label teaches nothing.
        ValueError: It is nan, which no other label is equal to.
    """
    if type(label) is str:
        return label
    kept: Any = label.item() if isinstance(label, np.generic) else label
    if not isinstance(kept, str | int | float):
        raise TypeError(f"label {kept!r:.80} of type {type(kept).__name__}: give text, a bool or a number")
    if kept != kept:
        raise ValueError("label nan: leave out messages without a label")
    return cast(Label, kept)


def check_factor(factor: Any) -> None:
    """Raise ValueError unless counts can be multiplied by this: a number from 0 to 1."""
    try:
        fits = bool(0.0 <= factor <= 1.0)
    except (TypeError, ValueError):
        fits = False
    if not fits:
        raise ValueError(f"decay factor is {factor!r:.60}: give a number from 0 (forget all) to 1 (nothing)")
