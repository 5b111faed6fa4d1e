"""Sums of updates as bytes, and applying them to a model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from stream_nb import flat
from stream_nb.errors import SnapshotError
from stream_nb.features import count_changes
from stream_nb.features.class_counts import checked_labels
from stream_nb.features.count_changes import CountChanges
from stream_nb.kernels.layout import DOUBT_UNIT, MAIL_TOTALS, MailTotal, MailUpdate
from stream_nb.mail_nb.originator_counts import ARRAYS as ORIGINATORS
from stream_nb.mail_nb.originator_counts import OriginatorCounts
from stream_nb.mail_nb.sources import read_sources
from stream_nb.mail_nb.statistics import MailStatistics
from stream_nb.tabular import feature_snapshot
from stream_nb.tabular.feature_table import FeatureTable
from stream_nb.types import ClassName, Label, Update

_BIN, _BIN_GAIN, _ALL_GAIN = int(MailUpdate.BIN), int(MailUpdate.BIN_GAIN), int(MailUpdate.ALL_GAIN)
_SOURCE_LABELS, _SOURCE_DOUBT = int(MailUpdate.SOURCE_LABELS), int(MailUpdate.SOURCE_DOUBT)
_MASS, _TAKEN = int(MailTotal.MASS), int(MailTotal.TAKEN)
_MARGINS, _ALL_MARGINS = int(MailTotal.MARGINS), int(MailTotal.ALL_MARGINS)
# Integers, because access to enum members is slow.
_KIND = "MailNB updates"
_FEATURES = {1: "features", -1: "reverted features"}
"""Added and reverted numbers and categories are stored separately, because packed counts cannot be negative."""


class UpdateTotals:
    """The sum of updates except for their words and pairs. `columns` maps each class to its column."""

    def __init__(self) -> None:
        self.columns: dict[ClassName, int] = {}
        self.totals: list[list[int]] = []
        """Totals of each class, laid out by `MailTotal`."""
        self.sources: dict[str, list[int]] = {}
        """Labels and doubt of each source."""
        self.tabular: dict[int, FeatureTable] = {}
        """The numbers and categories that were added (1) and reverted (-1)."""
        self.originators = OriginatorCounts()

    def column(self, label: Label) -> int:
        """The column of a class; a new class is added."""
        column = self.columns.get(label)
        if column is None:
            column = self.columns[label] = len(self.columns)
            self.totals.append([0] * MAIL_TOTALS)
            self.originators.add_column()
        return column

    def add(self, update: Update, sign: int, features: int) -> None:
        """Add `sign` times an update of a message that has this number of words, pairs and n-grams."""
        own, tallies = self.totals[self.column(update.label)], update.tallies
        for k, amount in enumerate(tallies[:_BIN]):
            own[k] += sign * amount
        own[_MARGINS + tallies[_BIN]] += sign * tallies[_BIN_GAIN]
        own[_ALL_MARGINS + tallies[_BIN]] += sign * tallies[_ALL_GAIN]
        self.add_source(update.source, sign * tallies[_SOURCE_LABELS], sign * tallies[_SOURCE_DOUBT])
        if update.corrects:
            self.add_source(update.corrects, sign, sign * int(DOUBT_UNIT))
        if update.rival is not None:
            theirs, taken = self.totals[self.column(update.rival)], sign * update.taken * features
            theirs[_MASS] -= taken
            theirs[_TAKEN] += taken
        if update.originator is not None:
            for label, _ in update.originator.runs:
                self.column(label)
            self.originators.add_update(update.originator, self.columns, sign)

    def add_source(self, name: str, labels: int, doubt: int) -> None:
        """Add to the sums of a source."""
        sums = self.sources.setdefault(name, [0, 0])
        sums[0] += labels
        sums[1] += doubt

    def table(self, sign: int) -> FeatureTable:
        """The numbers and categories that were added (1) or reverted (-1), with a column for each class."""
        table = self.tabular.get(sign)
        if table is None:
            table = self.tabular[sign] = FeatureTable()
        while table.columns < len(self.columns):
            table.add_column()
        return table

    def pack(self, hashing: str, words: Callable[[Sequence[int]], list[np.ndarray]]) -> bytes:
        """The sum as bytes, for models with this `MailModel.hashing`. `words` is called with the order of the columns
        and returns the changes of words and pairs."""
        labels = sorted(self.columns, key=lambda label: (type(label).__name__, label))
        order = [self.columns[label] for label in labels]
        arrays = [np.array([self.totals[column] for column in order], np.int64), *words(order)]
        header: dict[str, Any] = {
            "kind": _KIND,
            "key": hashing,
            "classes": labels,
            "sources": [[name, *sums] for name, sums in self.sources.items()],
        }
        for sign in sorted(self.tabular, reverse=True):
            header[_FEATURES[sign]], more = feature_snapshot.pack(self.table(sign), order)
            arrays += [more[name] for name in feature_snapshot.ARRAYS]
        if not self.originators.empty:
            header[ORIGINATORS[0]] = True
            arrays += self.originators.pack(order).values()
        return flat.pack(header, arrays)


class Updates(NamedTuple):
    """The unpacked result of `UpdateTotals.pack`; columns are in the order of `classes`."""

    classes: list[ClassName]
    totals: np.ndarray
    changes: CountChanges
    sources: dict[str, np.ndarray]
    tabular: dict[int, FeatureTable]
    originators: OriginatorCounts

    @classmethod
    def unpack(cls, data: bytes, hashing: str, hash_multipliers: np.ndarray) -> Self:
        """Unpack bytes. Raises SnapshotError if they are invalid, or hashed with another key or other options."""
        header, arrays = flat.unpack(data)
        try:
            if header["key"] != hashing:
                raise ValueError("their words are hashed with another key, or only one side has n-grams")
            if header["kind"] != _KIND:
                raise ValueError(f"they are {str(header['kind'])[:40]!r}, not {_KIND!r}")
            classes, sources = checked_labels(header["classes"]), read_sources(header["sources"])
            totals = arrays[0].astype(np.int64).reshape(len(classes), MAIL_TOTALS)
            at = 1 + count_changes.ARRAYS
            changes = CountChanges.read(arrays[1:at], len(classes), hash_multipliers)
            tabular: dict[int, FeatureTable] = {}
            for sign, name in _FEATURES.items():
                if name in header:
                    own: dict[str, np.ndarray] = dict(zip(feature_snapshot.ARRAYS, arrays[at:], strict=False))
                    own["number_counts"] = own["number_counts"].reshape(-1, len(classes))
                    tabular[sign] = feature_snapshot.unpack(header[name], own, len(classes))
                    at += len(feature_snapshot.ARRAYS)
            originator_arrays: dict[str, np.ndarray] = {}
            if ORIGINATORS[0] in header:
                originator_arrays.update(zip(ORIGINATORS, arrays[at:], strict=False))
            originators = OriginatorCounts.unpack(originator_arrays, len(classes))
        except (KeyError, TypeError, ValueError, IndexError, OverflowError) as error:
            raise malformed(error) from error
        return cls(classes, totals, changes, sources, tabular, originators)


def apply_changes(
    statistics: MailStatistics, data: bytes, less: Sequence[bytes], hashing: str, hash_multipliers: np.ndarray
) -> None:
    """Add the updates in `data`, and subtract those in `less`. `hashing` and `hash_multipliers` are those of the model.

    Raises SnapshotError, and changes no count, if any of them is invalid, or hashed with another key or other options.
    """
    signed = ((1, data), *((-1, each) for each in less))
    updates = [(sign, Updates.unpack(each, hashing, hash_multipliers)) for sign, each in signed]
    for sign, each in updates:
        columns = [statistics.column(label) for label in each.classes]
        each.changes.add_to(statistics.table, columns, sign)
        for kind, table in each.tabular.items():
            statistics.tabular.merge(table, columns, sign * kind)
        statistics.originators.merge(each.originators, columns, sign)
        for column, totals in zip(columns, each.totals, strict=True):  # faster than np.add.at for so few classes
            statistics.totals[column] += sign * totals
        statistics.add_sources(each.sources, sign)
    # Last, because a class or source may be empty only until `less` is subtracted.
    statistics.forget({name for _, each in updates for name in each.sources})
    statistics.changed()


def less(
    statistics: MailStatistics,
    hashing: str,
    hash_multipliers: np.ndarray,
    rows: np.ndarray,
    amounts: np.ndarray,
    taken: np.ndarray | int,
) -> bytes:
    """Changes that subtract `amounts`, int64[rows, classes], from the counters in these rows of the table, and `taken`,
    int64[classes], from the totals `MailTotal.TAKEN`."""
    changes = count_changes.pack_less(statistics.table, rows, amounts, hash_multipliers)
    totals = np.zeros((len(statistics.classes), MAIL_TOTALS), np.int64)
    totals[:, MailTotal.MASS] = -amounts.sum(axis=0, dtype=np.int64)
    totals[:, MailTotal.TAKEN] = -taken
    header = {"kind": _KIND, "key": hashing, "classes": list(statistics.classes), "sources": []}
    return flat.pack(header, [totals, *changes])


def malformed(error: Exception) -> SnapshotError:
    """The exception for bytes that are not valid updates."""
    return SnapshotError(f"updates with missing or malformed parts: {error}")
