"""Messages and sums by class: their laws, and that a failed operation changes nothing."""

import math
import re

import numpy as np
import pytest

from stream_nb.tabular.category_counts import CategoryCounts
from stream_nb.tabular.statistics import FeatureStatistics

ROWS = [([("colour", "red"), ("shape", 3)], "ham"), ([("colour", "blue")], "spam"), ([], "spam")]


def learned(rows=ROWS):
    statistics = FeatureStatistics(CategoryCounts)
    for values, label in rows:
        statistics.add(values, label)
    return statistics


def test_messages_and_sums_by_class_in_a_fixed_order():
    statistics = learned()
    assert statistics.messages == {"ham": 1.0, "spam": 2.0}
    assert list(learned(ROWS[::-1]).units) == list(statistics.units) == ["ham", "spam"]
    red = statistics.get("colour", "ham")
    assert red is not None and red.count("red") == 1.0
    assert statistics.get("shape", "spam") is None and statistics.get("size", "ham") is None


def test_what_is_added_is_taken_back():
    statistics = learned()
    for values, label in ROWS:
        statistics.remove(values, label)
    assert statistics == FeatureStatistics(CategoryCounts)
    assert statistics.features == {} and statistics.units == {}


def test_equal_statistics_have_equal_states_in_any_order():
    assert learned(ROWS[::-1]).state() == learned().state()
    assert FeatureStatistics[CategoryCounts].from_state(CategoryCounts, learned().state()) == learned()


@pytest.mark.parametrize(("name", "same"), [(np.int64(1), 1), (np.float32(0.5), 0.5), (np.str_("a"), "a")])
def test_names_from_numpy_are_stored_as_the_names_that_equal_them(name, same):
    statistics, other = learned([([(name, 1.0)], "ham")]), learned([([(same, 1.0)], "ham")])
    assert statistics == other and statistics.state() == other.state()
    assert type(statistics.state()["features"][0][0]) is type(same)


@pytest.mark.parametrize("name", [("a", "b"), b"a", math.nan], ids=repr)
def test_a_name_that_json_does_not_know_or_that_equals_no_name_is_refused(name):
    with pytest.raises(TypeError, match=rf"feature {re.escape(repr(name))} cannot be stored"):
        learned([([(name, 1.0)], "ham")]).state()


def test_merged_shards_are_the_whole():
    merged = learned(ROWS[:1])
    merged.merge(learned(ROWS[1:]))
    assert merged == learned()


@pytest.mark.parametrize(
    ("values", "label", "says"),
    [
        ([("colour", "red")], "work", "class 'work' has "),
        ([("colour", "red"), ("size", 1)], "ham", "feature 'size' of class 'ham'"),
        ([("colour", "red"), ("shape", 4)], "ham", "feature 'shape' of class 'ham'"),
    ],
)
def test_what_was_not_learned_is_refused_and_nothing_has_changed(values, label, says):
    statistics = learned()
    with pytest.raises(ValueError, match=says):
        statistics.remove(values, label)
    assert statistics == learned()
    with pytest.raises(ValueError, match=says):
        statistics.unmerge(learned([(values, label)]))
    assert statistics == learned()


def test_decay_keeps_shares_and_drops_what_is_left_empty():
    statistics = learned()
    statistics.decay(0.5)
    assert statistics.messages == {"ham": 0.5, "spam": 1.0}
    statistics.decay(0.0)
    assert statistics == FeatureStatistics(CategoryCounts)
    for factor in (-1.0, 1.5, float("nan")):
        with pytest.raises(ValueError, match="decay factor"):
            statistics.decay(factor)


@pytest.mark.parametrize(
    "state",
    [
        {},
        {"classes": [["ham", 256]]},
        {"classes": 3, "features": []},
        {"classes": [], "features": [["a", "ham", [["b", 0]]]]},
    ],
)
def test_what_is_no_state_is_refused(state):
    with pytest.raises((KeyError, TypeError, ValueError)):
        FeatureStatistics[CategoryCounts].from_state(CategoryCounts, state)
