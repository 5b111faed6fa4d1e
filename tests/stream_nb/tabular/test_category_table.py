"""Categories by class: counts of values and categories, merging and eviction."""

from stream_nb.tabular.category_table import CategoryTable
from stream_nb.tabular.feature_table import FeatureTable

ROWS = [
    ("format", "html", 0),
    ("format", "plain", 1),
    ("format", "html", 1),
    ("signed", True, 0),
    ("signed", "True", 0),
]


def counted(rows=ROWS, columns=2):
    table = FeatureTable(columns)
    for name, value, column in rows:
        table.add(((name, value),), column, 256)
    return table.categories


def contents(table):
    return {value: counts.tolist() for value, counts in table.in_order()}


def test_counts_of_values_and_of_the_category():
    table = counted()
    assert contents(table) == {
        ("format", "html"): [256, 256],
        ("format", "plain"): [0, 256],
        ("signed", "True"): [256, 0],
        ("signed", True): [256, 0],
    }
    assert table.counts[table.names["format"]].tolist() == [256, 512]
    assert table.count(("format", "html")) == 512


def test_the_order_in_which_values_came_does_not_show():
    assert list(contents(counted())) == list(contents(counted(ROWS[::-1])))


def test_what_is_merged_is_taken_back():
    table, other = counted(), counted([("format", "text", 0)])
    before = contents(table)
    table.merge(other, [1, 0], 1)
    assert contents(table)["format", "text"] == [0, 256]
    table.merge(other, [1, 0], -1)
    assert contents(table) == before
    assert table.counts[table.names["format"]].tolist() == [256, 512]


def test_columns_are_moved_added_and_dropped():
    table = counted()
    table.hold_columns([1, -1, 0])
    assert contents(table)["format", "html"] == [256, 0, 256]
    assert [table.holds(column) for column in range(3)] == [True, False, True]


def test_forgotten_values_stay_in_the_sum_of_their_category():
    table = counted()
    table.keep({("format", "html")})
    assert contents(table) == {("format", "html"): [256, 256]}
    assert set(table.names) == {"format"}
    assert table.counts[table.names["format"]].tolist() == [256, 512]


def test_decay_adds_up_again():
    table = counted([("format", f"value {k}", 0) for k in range(5)])
    table.decay(0.3)
    assert table.counts[table.names["format"]].tolist() == [5 * 77, 0]
    table.decay(0.0)
    assert table.empty and contents(table) == {}
    assert CategoryTable(2).empty
