"""The statistics of `MailNB`: what it learns and all it ever reads."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

import numpy as np

from stream_nb import kernels, snapshot
from stream_nb.errors import SnapshotError
from stream_nb.features.count_table import Canonical, CountTable
from stream_nb.types import Label


class MailStatistics:
    """Counters of features by class, tallies of the labels of each class, and of each source of labels.

    Everything is integers, so `combine` undoes itself with sign -1 and sums do not depend on order. `columns` maps
    each class to its counter in the table and its row of `tallies` (int64[classes, TALLIES], laid out in
    `stream_nb.kernels.mail_nb_score`); `tallies` is another array whenever the classes are others. `sources` maps the
    name of a source to its labels and the doubt in them (int64[2], doubt in 1/65536), `pooled` is the sum over all
    sources. `version` changes with everything that can change a score.
    """

    def __init__(self) -> None:
        self.columns: dict[Label, int] = {}
        self.tallies = np.zeros((0, kernels.TALLIES), np.int64)
        self.sources: dict[str, np.ndarray] = {}
        self.pooled = np.zeros(2, np.int64)
        self.table = CountTable()
        self.version = 0

    @property
    def labels_learned(self) -> int:
        """How many labels count in the statistics now."""
        return int(self.tallies[:, kernels.LABELS].sum())

    def sorted_labels(self) -> list[Label]:
        """The classes in an order that does not depend on which came first."""
        return sorted(self.columns, key=lambda label: (type(label).__name__, label))

    def column(self, label: Label) -> int:
        """The number of a class; a new class joins with empty counters."""
        column = self.columns.get(label)
        if column is None:
            column = self.columns[label] = len(self.columns)
            self.table.add_column()
            self.tallies = np.vstack((self.tallies, np.zeros(kernels.TALLIES, np.int64)))
            self.version += 1
        return column

    def source(self, name: str) -> np.ndarray:
        """Labels and doubt of a source, to be added to; a new source joins at 0."""
        sums = self.sources.get(name)
        if sums is None:
            sums = self.sources[name] = np.zeros(2, np.int64)
        return sums

    def combine(self, other: Self, sign: int) -> None:
        """Add (sign 1) or take back (-1) other statistics made with the same hash key."""
        columns = [self.column(label) for label in other.columns]
        self.table.merge(other.table, columns, sign)
        np.add.at(self.tallies, columns, sign * other.tallies)
        for name, sums in list(other.sources.items()):
            mine = self.source(name)
            mine += sign * sums
            self.pooled += sign * sums
        self.version += 1
        if sign < 0:
            self.forget_empty(other.sources)

    def decay(self, factor: float) -> None:
        """Multiply every counter by `factor`, in whole units."""
        self.table.scale(factor)
        self.tallies = np.rint(self.tallies * factor).astype(np.int64)
        self.tallies[:, kernels.MASS] = self.table.sums()
        self.sources = {name: np.rint(sums * factor).astype(np.int64) for name, sums in self.sources.items()}
        self.pooled = _sum(self.sources)
        self.version += 1
        self.forget_empty(list(self.sources))

    def evict(self, most: int, hash_multipliers: np.ndarray) -> int:
        """Forget the rarest features until at most `most` are left; returns how many went."""
        gone, lost = self.table.evict(most, hash_multipliers)
        self.tallies[:, kernels.MASS] -= lost
        self.version += 1
        return gone

    def forget_empty(self, sources: Iterable[str]) -> None:
        """Drop classes, and those of `sources`, of which nothing is left: it is as if they had never come."""
        for name in sources:
            if not self.sources[name].any():
                del self.sources[name]
        kept = [label for label, column in self.columns.items() if self.tallies[column].any()]
        if len(kept) < len(self.columns):
            columns = [self.columns[label] for label in kept]
            self.table.keep_columns(columns)
            self.tallies = self.tallies[columns]
            self.columns = {label: column for column, label in enumerate(kept)}
            self.version += 1

    def copy(self) -> MailStatistics:
        """The same statistics, sharing nothing."""
        twin = MailStatistics()
        twin.columns = dict(self.columns)
        twin.tallies = self.tallies.copy()
        twin.sources = {name: sums.copy() for name, sums in self.sources.items()}
        twin.pooled = self.pooled.copy()
        twin.table = self.table.copy()
        return twin

    def pack(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        """Values and arrays for a snapshot; equal statistics give equal ones, whatever the order of learning."""
        labels = self.sorted_labels()
        columns = [self.columns[label] for label in labels]
        sources = [[name, *sums.tolist()] for name, sums in sorted(self.sources.items()) if sums.any()]
        arrays = {"tallies": snapshot.smallest(self.tallies[columns])}
        for name, array in self.table.canonical(columns)._asdict().items():
            arrays[name] = array if name == "words" else snapshot.smallest(array)
        return {"classes": labels, "sources": sources}, arrays

    @classmethod
    def unpack(cls, values: dict[str, Any], arrays: dict[str, np.ndarray], hash_multipliers: np.ndarray) -> Self:
        """What `pack` gave. Raises SnapshotError when parts are missing or misshapen."""
        try:
            counts, arrays = cls(), dict(arrays)
            counts.columns = {label: column for column, label in enumerate(values["classes"])}
            counts.sources = {name: np.array(sums, np.int64) for name, *sums in values["sources"]}
            if any(sums.shape != (2,) for sums in counts.sources.values()):
                raise ValueError("a source has two sums")
            counts.pooled = _sum(counts.sources)
            counts.tallies = arrays.pop("tallies").astype(np.int64).reshape(-1, kernels.TALLIES)
            counts.table = CountTable.from_canonical(Canonical(**arrays), hash_multipliers)
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise SnapshotError(f"snapshot of mail counts with parts missing or misshapen: {error}") from error
        return counts


def _sum(sources: dict[str, np.ndarray]) -> np.ndarray:
    return sum(sources.values(), np.zeros(2, np.int64))
