"""Numbers and categories are shrunk to a few messages, for a starter."""

from __future__ import annotations

from random import Random

import pytest

from stream_nb.kernels.layout import UNIT
from stream_nb.kernels.tabular.number_layout import Cell
from stream_nb.tabular import feature_snapshot
from stream_nb.tabular.feature_table import FeatureTable
from stream_nb.tabular.shrink import shrunk

Row = tuple[tuple[tuple[str, float | str], ...], int]


def random_rows(n: int) -> list[Row]:
    draw = Random(1)
    rows: list[Row] = []
    for i in range(n):
        column = i % 2
        rows.append(
            (
                (("size", draw.gauss(100.0 + 50.0 * column, 10.0)), ("kind", draw.choice("aab" if column else "bbc"))),
                column,
            )
        )
    return rows


def feature_table(learned: list[Row]) -> FeatureTable:
    table = FeatureTable(2)
    for features, column in learned:
        table.add(features, column, UNIT)
    return table


def packed(table: FeatureTable) -> tuple[object, dict[str, list[object]]]:
    state, arrays = feature_snapshot.pack(table, [0, 1])
    return state, {name: array.tolist() for name, array in arrays.items()}


def test_shrinking_keeps_two_messages_of_each_class_with_mean_deviation_and_shares():
    table = feature_table(random_rows(600))
    before = packed(table)
    small = shrunk(table, 2.0)
    for column in (0, 1):
        was, now = table.numbers.summary("size", column), small.numbers.summary("size", column)
        assert now.n == 2.0 and now.mean == pytest.approx(was.mean, rel=1e-9) and now.std == pytest.approx(was.std)
        assert now.std > 8.0
    cells, all_cells = small.numbers.cells_of("size"), table.numbers.cells_of("size")
    assert cells[:, Cell.COUNTS :].sum(axis=0).tolist() == [2 * UNIT, 2 * UNIT]
    assert len(cells) > 0.8 * len(all_cells) > 50  # although each interval has less than 1/256 of two messages' weight
    shrunk_values = {value[1]: counts.tolist() for value, counts in small.categories.in_order()}
    kinds = {value[1]: counts.tolist() for value, counts in table.categories.in_order()}
    assert [sum(column) for column in zip(*shrunk_values.values(), strict=True)] == [2 * UNIT, 2 * UNIT]
    for value, counts in shrunk_values.items():
        assert counts == pytest.approx([count / 150 for count in kinds[value]], abs=1.0)
    assert small.categories.counts[small.categories.names["kind"]].tolist() == [2 * UNIT, 2 * UNIT]
    assert packed(table) == before


def test_shrinking_extreme_numbers_gives_finite_means():
    table = FeatureTable(1)
    for n in range(7):  # mean plus deviation exceeds the largest float
        table.add((("size", 1.7e308 if n else -1.7e308),), 0, UNIT)
    summary = shrunk(table, 2.0).numbers.summary("size", 0)
    assert summary.n == 2.0 and 0.0 < summary.mean < float("inf")


def test_a_table_of_few_messages_is_not_changed():
    for few in (1, 2, 4):
        table = feature_table(random_rows(few))
        assert packed(shrunk(table, 2.0)) == packed(table)


def test_shrinking_gives_the_same_table_in_any_order_of_learning():
    learned = random_rows(200)
    assert packed(shrunk(feature_table(learned), 2.0)) == packed(shrunk(feature_table(learned[::-1]), 2.0))


def test_shrinking_drops_the_statistics_of_weights():
    table = feature_table(random_rows(40))
    table.pool.add(7, UNIT)
    table.numbers.sums[table.numbers.slots["size"]] = (5, 25)
    assert packed(shrunk(table, 2.0)) == packed(shrunk(feature_table(random_rows(40)), 2.0))


def test_shrinking_drops_negative_counts():
    table = feature_table(random_rows(40))
    for features, _ in random_rows(40):
        table.add(features, 0, -UNIT)  # including those of the other class, which this class never had
    small = shrunk(table, 2.0)
    assert small.numbers.summary("size", 0).n == 0.0 and small.numbers.summary("size", 1).n == 2.0
    assert not (small.numbers.cells_of("size")[:, Cell.COUNTS] < 0).any()
    for features, column in random_rows(40):
        table.add(features, column, -UNIT)
    assert shrunk(table, 2.0).empty
