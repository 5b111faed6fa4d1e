"""Many messages at once, as river's mini-batches have them: in a list, or in a table of pandas, polars, ..."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from stream_nb.types import Label

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw

_ONE: tuple[Any, ...] = (str, bytes, Mapping)


class Batch(NamedTuple):
    """Messages in order, and the table or column that they came in, which predictions of them are shaped like; None
    where they came in a list."""

    messages: list[Any]
    like: nw.DataFrame[Any] | nw.Series[Any] | None

    @classmethod
    def of(cls, X: Any, zeros: bool) -> Batch:
        """The messages of `X`: of a table the rows, each a dict of its cells by column; of anything else the items.

        A cell that is missing (None, nan, NA) is left out. Raises TypeError for one message, whose items are none.

        Args:
            X: Messages.
            zeros: Whether a feature with the value 0 is another thing than a feature left out.
        """
        kind = cast("type[Any]", type(X))
        if issubclass(kind, list | tuple):
            return cls(list(X), None)
        if _is_several(kind):
            column = _native(X, series_only=True)
            return cls(list(X), None) if column is None else cls(column.to_list(), column)
        table = None if issubclass(kind, _ONE) else _native(X, eager_only=True)
        if table is None:
            raise TypeError(
                f"messages of type {kind.__name__}: give a list of messages, a column of texts, or a table of "
                "pandas or polars with a message a row"
            )
        return cls(_rows(table) if zeros or not hasattr(kind, "sparse") else _rows_without_zeros(X, table), table)

    def labels(self, labels: list[Label | None]) -> Any:
        """One label a message, in the kind of thing that the messages came in."""
        if self.like is None:
            return labels
        from river.utils import dataframe  # half as slow to import as all of this package

        return dataframe.to_native_series(labels, name=None, like=cast("Any", self.like))

    def chances(self, rows: list[dict[Label, float]], classes: tuple[Label, ...]) -> Any:
        """The probabilities of the classes for each message, in the kind of thing that the messages came in."""
        if self.like is None:
            return rows
        from river.utils import dataframe

        columns = {label: [row[label] for row in rows] for label in classes}
        return dataframe.to_native_frame(columns, like=cast("Any", self.like))


def labels_of(y: Any) -> list[Any]:
    """The items of `y`. Raises TypeError for one label, whose letters are none, and for a table."""
    kind = cast("type[Any]", type(y))
    if not _is_several(kind):
        raise TypeError(
            f"labels of type {kind.__name__}: give a list with one label a message; of a pandas table a column"
        )
    return list(y)


def _is_several(kind: type[Any]) -> bool:
    return not issubclass(kind, _ONE) and not hasattr(kind, "columns")


def _native(X: Any, **kind: bool) -> Any:
    """The table or column as narwhals (which river needs) wraps it, whatever library it is of; None for what is none"""
    import narwhals.stable.v2 as nw

    try:
        return nw.from_native(X, **cast("Any", kind))
    except TypeError:
        return None


def _rows(table: nw.DataFrame[Any]) -> list[Any]:
    rows: list[dict[Any, Any]] = [{} for _ in range(len(table))]
    for name, column in zip(table.columns, table.iter_columns(), strict=True):
        for row, value, missing in zip(rows, column.to_list(), column.is_null().to_list(), strict=True):
            if not missing and value == value:
                row[name] = value
    return rows


def _rows_without_zeros(X: Any, table: nw.DataFrame[Any]) -> list[Any]:
    """The rows of a table of pandas; where it is sparse, as river's BagOfWords makes it, without what is 0 in them."""
    try:
        cells = X.sparse.to_coo()
    except (AttributeError, ValueError):  # not all of it is sparse, or something else than 0 is left out
        return _rows(table)
    names = table.columns
    rows: list[dict[Any, Any]] = [{} for _ in range(len(table))]
    for row, column, value in zip(cells.row.tolist(), cells.col.tolist(), cells.data.tolist(), strict=True):
        if value == value:
            rows[row][names[column]] = value
    return rows
