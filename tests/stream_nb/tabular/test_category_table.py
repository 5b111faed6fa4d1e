"""Categories by class: counts of values and their categories, merging and eviction."""

from stream_nb.tabular.category_table import CategoryTable
from stream_nb.tabular.feature_table import FeatureTable

ROWS = [
    ("format", "html", 0),
    ("format", "plain", 1),
    ("format", "html", 1),
    ("signed", True, 0),
    ("signed", "True", 0),
]


def category_table(rows=ROWS, columns=2):
    table = FeatureTable(columns)
    for name, value, column in rows:
        table.add(((name, value),), column, 256)
    return table.categories


def contents(table):
    return {value: counts.tolist() for value, counts in table.in_order()}


def test_values_and_their_category_are_counted_by_class():
    table = category_table()
    assert contents(table) == {
        ("format", "html"): [256, 256],
        ("format", "plain"): [0, 256],
        ("signed", "True"): [256, 0],
        ("signed", True): [256, 0],
    }
    assert table.counts[table.names["format"]].tolist() == [256, 512]
    assert table.count(("format", "html")) == 512


def test_values_are_listed_in_the_same_order_in_any_order_of_learning():
    assert list(contents(category_table())) == list(contents(category_table(ROWS[::-1])))


def test_unmerging_restores_the_counts():
    table, other = category_table(), category_table([("format", "text", 0)])
    before = contents(table)
    table.merge(other, [1, 0], 1)
    assert contents(table)["format", "text"] == [0, 256]
    table.merge(other, [1, 0], -1)
    assert contents(table) == before
    assert table.counts[table.names["format"]].tolist() == [256, 512]


def test_columns_of_classes_are_moved_added_and_dropped():
    table = category_table()
    table.hold_columns([1, -1, 0])
    assert contents(table)["format", "html"] == [256, 0, 256]
    assert [table.holds(column) for column in range(3)] == [True, False, True]


def test_evicted_values_are_taken_out_of_the_sum_of_their_category():
    table = category_table()
    table.keep({("format", "html")})
    assert contents(table) == {("format", "html"): [256, 256]}
    assert set(table.names) == {"format"}
    assert table.counts[table.names["format"]].tolist() == [256, 256]


def test_after_decay_the_sum_of_a_category_equals_its_values_and_0_empties_it():
    table = category_table([("format", f"value {k}", 0) for k in range(5)])
    table.decay(0.3)
    assert table.counts[table.names["format"]].tolist() == [5 * 77, 0]
    table.decay(0.0)
    assert table.empty and contents(table) == {}
    assert CategoryTable(2).empty
