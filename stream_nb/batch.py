"""Mini-batches as in river: messages in a list, a column, or a dataframe of pandas, polars, ..."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from stream_nb.features.class_counts import checked_label
from stream_nb.types import ClassName

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw

_NO_SEQUENCE: tuple[Any, ...] = (str, bytes, Mapping, set, frozenset)
"""Types of a single message or label, and those whose items have no order."""


class Batch(NamedTuple):
    """Messages in order, and the dataframe or column that contained them, so that predictions have its type; None for a
    list."""

    messages: list[Any]
    like: nw.DataFrame[Any] | nw.Series[Any] | None

    @classmethod
    def of(cls, X: Any, zeros: bool) -> Batch:
        """The messages of `X`: the rows of a dataframe, each a dict of its cells by column, or the items of anything
        else.

        Missing cells (None, nan, NA) are left out. Raises TypeError for a single message or a set, ValueError for a
        column in which a message is missing.

        Args:
            X: Messages.
            zeros: Whether a feature of value 0 differs from a missing feature.
        """
        kind = cast("type[Any]", type(X))
        if issubclass(kind, list) or kind is tuple:
            return cls(list(X), None)
        if _is_sequence(kind):
            if getattr(X, "ndim", 1) > 1:
                raise TypeError(
                    f"messages of type {kind.__name__} with {X.ndim} dimensions: give a pandas or polars dataframe, "
                    "whose columns name the features"
                )
            column = _native(X, series_only=True)
            if column is None:
                return cls(list(X), None)
            if column.null_count():
                at = column.is_null().to_list().index(True)
                raise ValueError(f"message {at} of the column is missing: leave it out, or give an empty text")
            return cls(column.to_list(), column)
        table = None if issubclass(kind, _NO_SEQUENCE) else _native(X, eager_only=True)
        if table is None:
            raise TypeError(
                f"messages of type {kind.__name__}: give a list of messages, a column of texts, or a pandas or polars "
                "dataframe with one message per row"
            )
        sparse = not zeros and hasattr(kind, "sparse")
        return cls(_sparse_rows(X, table) if sparse else _rows(table, zeros), table)

    def labels(self, labels: list[ClassName | None]) -> Any:
        """The labels, one per message, as a list or as a column of the dataframe library of the messages."""
        if self.like is None:
            return labels
        from river.utils import dataframe  # here, because its import takes half as long as that of stream_nb

        return dataframe.to_native_series(labels, name=None, like=cast("Any", self.like))

    def probabilities(self, rows: list[dict[ClassName, float]], classes: tuple[ClassName, ...]) -> Any:
        """The class probabilities of each message, as a list or as a dataframe of the library of the messages."""
        if self.like is None:
            return rows
        from river.utils import dataframe

        columns = {label: [row[label] for row in rows] for label in classes}
        return dataframe.to_native_frame(columns, like=cast("Any", self.like))


def checked_labels_of(y: Any) -> list[ClassName]:
    """The labels in `y`. Raises TypeError for a single label, which iterates over letters, a set or a dataframe; and
    TypeError or ValueError, with its position, for an invalid label."""
    kind = cast("type[Any]", type(y))
    if not _is_sequence(kind):
        raise TypeError(
            f"labels of type {kind.__name__}: give a list with one label for each message; for a dataframe, a column"
        )
    labels: list[ClassName] = []
    for label in y:
        try:
            labels.append(checked_label(label))
        except (TypeError, ValueError) as error:
            raise numbered(error, len(labels)) from error
    return labels


def numbered(error: TypeError | ValueError, number: int) -> TypeError | ValueError:
    """The error of one message or label, with its position in the batch."""
    return type(error)(f"message {number}: {error}")


def _is_sequence(kind: type[Any]) -> bool:
    """Whether objects of this type have items, and are neither dataframes nor a single message; a `Mail` is a named
    tuple."""
    has_items = hasattr(kind, "__iter__") and not issubclass(kind, _NO_SEQUENCE)
    return has_items and not hasattr(kind, "columns") and not hasattr(kind, "_fields")


def _native(X: Any, **kind: bool) -> Any:
    """The dataframe or column wrapped by narwhals, which river depends on; None for anything else."""
    import narwhals.stable.v2 as nw

    try:
        return nw.from_native(X, **cast("Any", kind))
    except TypeError:
        return None


def _rows(table: nw.DataFrame[Any], zeros: bool) -> list[Any]:
    rows: list[dict[Any, Any]] = [{} for _ in range(len(table))]
    for name, column in zip(table.columns, table.iter_columns(), strict=True):
        for row, value, missing in zip(rows, column.to_list(), column.is_null().to_list(), strict=True):
            if not missing and value == value and (zeros or value != 0):
                row[name] = value
    return rows


def _sparse_rows(X: Any, table: nw.DataFrame[Any]) -> list[Any]:
    """The rows of a pandas dataframe, without cells of value 0; fast if it is sparse, like those of river's
    BagOfWords."""
    try:
        cells = X.sparse.to_coo()
    except (AttributeError, ValueError):  # a column is not sparse, or its fill value is not 0
        return _rows(table, zeros=False)
    names = table.columns
    rows: list[dict[Any, Any]] = [{} for _ in range(len(table))]
    for row, column, value in zip(cells.row.tolist(), cells.col.tolist(), cells.data.tolist(), strict=True):
        if value == value:
            rows[row][names[column]] = value
    return rows
