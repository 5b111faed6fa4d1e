"""Numbers by class: moments and intervals, growth, merging and eviction."""

import numpy as np
import pytest

from stream_nb.tabular.feature_table import FeatureTable
from stream_nb.tabular.moments import Moments
from stream_nb.tabular.number_table import NUMBER_ROWS, NumberTable

ROWS = [("size", 1.0, 0), ("size", 8.0, 1), ("size", 1.0, 0), ("links", -2.5, 1)]


def number_table(rows=ROWS, columns=2):
    table = FeatureTable(columns)
    for name, value, column in rows:
        table.add(((name, value),), column, 256)
    return table.numbers


def contents(table):
    return {
        name: (table.cells_of(name).tolist(), [row.sums() for row in table.moments_of(name)])
        for name in sorted(table.slots)
        if table.counts_any(name)
    }


def test_moments_and_histograms_of_numbers_by_class():
    table = number_table()
    assert list(table.histogram("size")) == [(1.0, 1.015625, [2.0, 0.0]), (8.0, 8.125, [0.0, 1.0])]
    assert list(table.histogram("links")) == [(-2.53125, -2.5, [0.0, 1.0])]
    assert table.summary("size", 0) == (2.0, 1.0, 0.0)
    assert (table.count("size"), table.rows("size")) == (3 * 256, NUMBER_ROWS + 2)
    assert table.live == 2 * NUMBER_ROWS + 3


def test_tables_with_many_intervals_grow_and_keep_intervals_sorted():
    rows = [(f"n{k % 7}", float(k * k % 1013), k % 2) for k in range(700)]
    table = number_table(rows)
    assert contents(table) == contents(number_table(rows[::-1]))
    for name in table.slots:
        intervals = [interval for interval, *_ in table.cells_of(name).tolist()]
        assert intervals == sorted(set(intervals)) and len(intervals) > 50


def test_ever_new_numbers_rarely_move_the_intervals_of_all():
    table, arrays = FeatureTable(2), set()
    for number in range(2000):
        table.add(((f"n{number}", 1.0), (f"n{number // 2}", float(number))), number % 2, 256)
        arrays.add(len(table.numbers.cells))
    assert len(arrays) < 20
    used = np.zeros(len(table.numbers.cells), bool)
    for start, _, room in table.numbers.spans.tolist():
        assert not used[start : start + room].any(), "spans overlap"
        used[start : start + room] = True
    assert not table.numbers.cells[~used].any()


def test_room_for_the_first_slot_can_be_made_after_another_number_was_inserted():
    table = NumberTable(1)
    table.slot("late")
    cells = np.array([[-3, 256, 256], [0, 256, 256], [7, 512, 512]])
    table.insert("early", cells, [0, 0], [Moments()])
    table.make_room(table.slots["late"])
    assert (table.cells_of("early") == cells).all()
    assert len(table.cells_of("late")) == 0


def test_unmerging_restores_the_counts():
    table, other = number_table(), number_table([("size", 3.0, 0), ("lines", 0.0, 1)])
    before = contents(table)
    table.merge(other, [1, 0], 1)
    assert table.summary("size", 1).n == 2.0 and table.summary("lines", 0).n == 1.0
    table.merge(other, [1, 0], -1)
    assert contents(table) == before


def test_columns_of_classes_are_moved_added_and_dropped():
    table = number_table()
    table.hold_columns([1, -1, 0])
    assert (table.columns, table.summary("size", 2).n, table.summary("size", 1).n) == (3, 2.0, 0.0)
    assert [table.holds(column) for column in range(3)] == [True, False, True]
    assert next(table.histogram("size")) == (1.0, 1.015625, [0.0, 0.0, 2.0])


def test_after_keep_the_table_equals_one_that_counted_only_the_kept_numbers():
    table = number_table()
    table.keep({"links"})
    assert contents(table) == contents(number_table(ROWS[3:]))
    assert table.live == NUMBER_ROWS + 1


def test_decay_halves_counts_and_keeps_the_mean_and_0_empties_the_table():
    table = number_table()
    table.decay(0.5)
    assert table.summary("size", 0) == (1.0, 1.0, 0.0) and not table.empty
    table.decay(0.0)
    assert table.empty and not table.holds(0)
    assert NumberTable(2).empty and NumberTable().live == 0


def test_an_unknown_number_has_no_summary():
    with pytest.raises(KeyError):
        number_table().summary("lines", 0)
