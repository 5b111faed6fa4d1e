"""Snapshots of the table of features: a round trip, equality for equal counts, and refusal of damaged ones."""

import copy

import numpy as np
import pytest

from stream_nb import SnapshotError
from stream_nb.tabular import feature_snapshot
from stream_nb.tabular.feature_table import FeatureTable

ROWS = [((("size", 3.0), ("format", "html")), 0), ((("size", -1e300), ("signed", True)), 1), ((("size", 3.0),), 1)]


def feature_table(rows=ROWS):
    table = FeatureTable(2)
    for features, column in rows:
        table.add(features, column, 256)
        table.pool.add(100 + column, 256)
    return table


def equal(first, second):
    return first[0] == second[0] and all(
        np.array_equal(first[1][name], second[1][name]) for name in feature_snapshot.ARRAYS
    )


def test_a_table_is_restored_from_its_snapshot():
    packed = feature_snapshot.pack(feature_table(), [0, 1])
    table = feature_snapshot.unpack(*packed, columns=2)
    assert equal(feature_snapshot.pack(table, [0, 1]), packed)
    assert table.pool.weights(2) == feature_table().pool.weights(2)
    assert table.numbers.summary("size", 1) == feature_table().numbers.summary("size", 1)


def test_snapshots_are_equal_in_any_order_of_messages_and_classes():
    swapped = [(features, 1 - column) for features, column in ROWS[::-1]]
    first, second = feature_table(), feature_table(swapped)
    second.pool = first.pool
    assert equal(feature_snapshot.pack(first, [0, 1]), feature_snapshot.pack(second, [1, 0]))


def test_the_snapshot_after_unlearning_everything_is_that_of_an_empty_table():
    table = feature_table()
    for features, column in ROWS:
        table.add(features, column, -256)
        table.pool.add(100 + column, -256)
    assert equal(feature_snapshot.pack(table, [0, 1]), feature_snapshot.pack(FeatureTable(2), [0, 1]))


def test_another_version_is_refused_with_both_versions():
    state, arrays = feature_snapshot.pack(feature_table(), [0, 1])
    with pytest.raises(SnapshotError, match=r"version 7.*reads version 2"):
        feature_snapshot.unpack(state | {"version": 7}, arrays, 2)


@pytest.mark.parametrize(
    "damage",
    [
        lambda state, arrays: arrays.pop("pool_bins"),
        lambda state, arrays: arrays.update(number_places=arrays["number_places"][:-1]),
        lambda state, arrays: arrays.update(pool_bins=np.array([10**6, 1])),
        lambda state, arrays: state.update(numbers=[["size", 1, []]]),
        lambda state, arrays: state["categories"][0].__setitem__(2, [1, 2, 3]),
        lambda state, arrays: state.pop("categories"),
    ],
)
def test_a_damaged_snapshot_is_refused(damage):
    state, arrays = copy.deepcopy(feature_snapshot.pack(feature_table(), [0, 1]))
    damage(state, arrays)
    with pytest.raises((KeyError, TypeError, ValueError, IndexError)):
        feature_snapshot.unpack(state, arrays, 2)
