"""Counters of keyed features by class, and totals of each class: the state of a model over words."""

from __future__ import annotations

import abc
from collections.abc import Iterable
from typing import Any, ClassVar, Self

import numpy as np

from stream_nb import kernels, snapshot
from stream_nb.features import eviction
from stream_nb.features.count_table import CountTable
from stream_nb.kernels.layout import MOST_UNITS, UNIT, Slot
from stream_nb.types import ClassName, Label


class ClassCounts(abc.ABC):
    """Sums over messages in integer units of 1/256, so that they do not depend on order and can be subtracted exactly.

    `columns` maps each class to its number c. Row c of `totals` (int64) holds its totals; its counters in `table` begin
    at column `COUNTERS` c. A subclass defines how many counters and totals a class has, and which of the totals
    (`SUMS`) are the sums of its counters. `epoch` increases with every change that can affect a score. In `workspace`
    the totals are bound and the table is nested. `classes` is a new tuple whenever the classes change.
    """

    COUNTERS: ClassVar[int]
    TOTALS: ClassVar[int]
    SUMS: ClassVar[slice]

    def __init__(self) -> None:
        self.workspace: Any = kernels.Workspace()
        self.epoch: int = 0
        self.columns: dict[ClassName, int] = {}
        self.classes: tuple[ClassName, ...] = ()
        self.hold([], np.zeros((0, self.TOTALS), np.int64), CountTable())

    @property
    def totals(self) -> np.ndarray:
        """Totals of each class, int64[classes, TOTALS]."""
        return self.workspace[Slot.TOTALS]

    def hold(self, classes: Iterable[Label], totals: np.ndarray, table: CountTable) -> None:
        """Replace all counts by these; the totals of class number c are row c of `totals`.

        Raises:
            ValueError: A class occurs twice, or the numbers of classes, totals and counters differ.
        """
        columns = {label: column for column, label in enumerate(checked_labels(classes))}
        if not len(columns) * self.COUNTERS == len(totals) * self.COUNTERS == table.columns:
            raise ValueError(f"{len(columns)} classes, totals of {len(totals)}, {table.columns} counters of a feature")
        self.columns = columns
        self.classes = tuple(self.columns)
        self.table = table
        self.workspace.nest(Slot.TABLE, table.workspace)
        self.workspace.bind(Slot.TOTALS, totals)
        self.changed()

    def known_column(self, label: Label) -> int:
        """The number of a class. Raises KeyError if there is no such class."""
        if label not in self.columns:
            raise unknown_class(label, self.classes)
        return self.columns[label]

    def changed(self) -> None:
        """Mark everything that was computed from these counts as out of date."""
        self.epoch += 1

    def sorted_classes(self) -> list[ClassName]:
        """Return the classes in an order that does not depend on the order of learning."""
        return sorted(self.columns, key=lambda label: (type(label).__name__, label))

    def column(self, label: Label) -> int:
        """Return the number of a class; a new class is added with empty counters."""
        column = self.columns.get(label)
        if column is None:
            label = checked_label(label)
            self.table.add_column(self.COUNTERS)
            totals = np.vstack((self.totals, np.zeros(self.TOTALS, np.int64)))
            self.hold([*self.classes, label], totals, self.table)
            column = self.columns[label]
        return column

    @abc.abstractmethod
    def copy(self) -> Self:
        """Return equal counts that share nothing with these."""

    def merge(self, other: Self, sign: int = 1) -> None:
        """Add (sign 1) or subtract (-1) other counts made with the same hash key.

        Raises:
            ValueError: A total would be too large for its integer; nothing has changed.
        """
        self.check_room(other, sign)
        columns = [self.column(label) for label in other.classes]
        self.table.merge(other.table, self.counters(columns), sign)
        np.add.at(self.totals, columns, sign * other.totals)
        self.changed()
        self.forget_empty(other.classes)

    def check_room(self, other: ClassCounts, sign: int) -> None:
        """Raise ValueError if a total would be too large after `merge`."""
        for label, theirs in zip(other.classes, other.totals, strict=True):
            own = self.totals[self.columns[label]] if label in self.columns else 0
            if (np.abs(own + sign * theirs) > MOST_UNITS).any():
                raise too_many(label)

    def decay(self, factor: float) -> None:
        """Multiply every counter and total by `factor`, 0 to 1, rounded to units. Raises ValueError outside of that."""
        check_factor(factor)
        self.table.scale(factor)
        self.totals[:] = np.rint(self.totals * factor).astype(np.int64)
        self.totals[:, self.SUMS] = self.table.sums().reshape(-1, self.COUNTERS)
        self.changed()
        self.forget_empty(self.classes)

    def evict(self, most: int, hash_multipliers: np.ndarray) -> int:
        """Evict the rarest features until at most `most` are left; return how many were evicted."""
        evicted, lost = eviction.evict(self.table, most, hash_multipliers)
        self.totals[:, self.SUMS] -= lost.reshape(-1, self.COUNTERS)
        self.changed()
        return evicted

    def compact(self, hash_multipliers: np.ndarray) -> None:
        """Free the rows of features whose counters are all 0."""
        eviction.evict(self.table, self.table.live, hash_multipliers)
        self.changed()

    def holds(self, column: int) -> bool:
        """Return whether anything is counted for a class."""
        return bool(self.totals[column].any())

    def forget_empty(self, labels: Iterable[Label]) -> None:
        """Drop those of these classes for which nothing is counted, as if they had never been learned."""
        empty = [label for label in labels if not self.holds(self.columns[label])]
        if empty:
            self.keep_classes([label for label in self.classes if label not in empty])

    def keep_classes(self, kept: list[ClassName]) -> None:
        """Drop all other classes and their counts."""
        columns = [self.columns[label] for label in kept]
        self.table.keep_columns(self.counters(columns))
        self.hold(kept, self.totals[columns], self.table)

    def counters(self, columns: list[int]) -> list[int]:
        """Return the table's columns of the classes with these numbers."""
        return [self.COUNTERS * c + k for c in columns for k in range(self.COUNTERS)]

    def arrays(self, totals: str) -> dict[str, np.ndarray]:
        """Return the arrays of a snapshot, equal for equal counts. The array of totals gets the name `totals`."""
        columns = [self.columns[label] for label in self.sorted_classes()]
        arrays = {totals: snapshot.smallest(self.totals[columns])}
        for name, array in self.table.canonical(self.counters(columns))._asdict().items():
            arrays[name] = array if name == "words" else snapshot.smallest(array)
        return arrays


def unknown_class(label: Label, classes: Iterable[ClassName]) -> KeyError:
    """The exception for a class that a model does not have."""
    return KeyError(f"class {label!r:.80} is not among {list(classes)}")


def too_many(label: Label) -> ValueError:
    """The exception for counts of a class that would be too large."""
    most = f"{MOST_UNITS // UNIT:,}"
    return ValueError(
        f"class {label!r:.80} would have counts above {most}: call decay(0.5) first, or give smaller counts"
    )


def checked_label(label: Label | np.generic[Any]) -> Label:
    """Return a label as it is stored: text, bool, int or float. A numpy scalar or a member of an enumeration becomes
    the equal one of these, so that equal labels are one class and equal models give equal bytes.

    Raises:
        TypeError: The label is neither text nor a number or bool. None is no label: such a message teaches nothing.
        ValueError: The label is nan, which equals no label, not even itself.
    """
    if type(label) is str:
        return label
    kept: Any = label.item() if isinstance(label, np.generic) else label
    if isinstance(kept, str):
        return str.__str__(kept)  # of a subclass, `str(kept)` may be anything
    if not isinstance(kept, int | float):
        raise TypeError(f"label {kept!r:.80} of type {type(kept).__name__}: give text, a bool or a number")
    if kept != kept:
        raise ValueError("label nan: leave out messages without a label")
    if isinstance(kept, bool):
        return kept
    return int.__int__(kept) if isinstance(kept, int) else float.__float__(kept)


def checked_labels(labels: Iterable[Label]) -> list[ClassName]:
    """`checked_label` of each. Raises ValueError, too, if one occurs twice: kernels would write beyond their arrays."""
    checked = [checked_label(label) for label in labels]
    if len(set(checked)) < len(checked):
        raise ValueError("a class occurs twice")
    return checked


def check_factor(factor: Any) -> None:
    """Raise ValueError unless `factor` is a number from 0 to 1."""
    try:
        fits = bool(0.0 <= factor <= 1.0)
    except (TypeError, ValueError):
        fits = False
    if not fits:
        raise ValueError(f"decay factor is {factor!r:.60}: give a number from 0 (forget all) to 1 (forget nothing)")
