"""Messages and counts by class: their laws, and that a refused operation changes nothing."""

import math
import re

import numpy as np
import pytest

from stream_nb.tabular.category_counts import CategoryCounts
from stream_nb.tabular.statistics import FeatureStatistics

ROWS = [([("colour", "red"), ("shape", 3)], "ham"), ([("colour", "blue")], "spam"), ([], "spam")]


def statistics_of(rows=ROWS):
    statistics = FeatureStatistics(CategoryCounts)
    for values, label in rows:
        statistics.add(values, label)
    return statistics


def test_messages_and_counts_by_class_are_in_a_fixed_order():
    statistics = statistics_of()
    assert statistics.messages == {"ham": 1.0, "spam": 2.0}
    assert list(statistics_of(ROWS[::-1]).units) == list(statistics.units) == ["ham", "spam"]
    red = statistics.get("colour", "ham")
    assert red is not None and red.count("red") == 1.0
    assert statistics.get("shape", "spam") is None and statistics.get("size", "ham") is None


def test_removing_all_messages_empties_the_statistics():
    statistics = statistics_of()
    for values, label in ROWS:
        statistics.remove(values, label)
    assert statistics == FeatureStatistics(CategoryCounts)
    assert statistics.features == {} and statistics.units == {}


def test_equal_statistics_have_equal_states_in_any_order():
    assert statistics_of(ROWS[::-1]).state() == statistics_of().state()
    assert FeatureStatistics[CategoryCounts].from_state(CategoryCounts, statistics_of().state()) == statistics_of()


@pytest.mark.parametrize(("name", "same"), [(np.int64(1), 1), (np.float32(0.5), 0.5), (np.str_("a"), "a")])
def test_numpy_names_are_stored_as_the_equal_python_names(name, same):
    statistics, other = statistics_of([([(name, 1.0)], "ham")]), statistics_of([([(same, 1.0)], "ham")])
    assert statistics == other and statistics.state() == other.state()
    assert type(statistics.state()["features"][0][0]) is type(same)


@pytest.mark.parametrize("name", [("a", "b"), b"a", math.nan], ids=repr)
def test_storing_a_feature_name_that_is_no_text_or_number_is_refused(name):
    with pytest.raises(TypeError, match=rf"feature {re.escape(repr(name))} cannot be stored"):
        statistics_of([([(name, 1.0)], "ham")]).state()


def test_merged_shards_equal_the_whole():
    merged = statistics_of(ROWS[:1])
    merged.merge(statistics_of(ROWS[1:]))
    assert merged == statistics_of()


@pytest.mark.parametrize(
    ("values", "label", "says"),
    [
        ([("colour", "red")], "work", "class 'work' has "),
        ([("colour", "red"), ("size", 1)], "ham", "feature 'size' of class 'ham'"),
        ([("colour", "red"), ("shape", 4)], "ham", "feature 'shape' of class 'ham'"),
    ],
)
def test_removing_what_was_not_learned_is_refused_and_changes_nothing(values, label, says):
    statistics = statistics_of()
    with pytest.raises(ValueError, match=says):
        statistics.remove(values, label)
    assert statistics == statistics_of()
    with pytest.raises(ValueError, match=says):
        statistics.unmerge(statistics_of([(values, label)]))
    assert statistics == statistics_of()


def test_no_values_are_left_of_a_class_whose_last_message_goes():
    """A class of values without messages made GaussianNB raise KeyError when it scored the next message."""
    statistics = statistics_of([([("colour", "red"), ("size", 1)], "ham"), ([("shape", 4)], "spam")])
    before = statistics.state()
    with pytest.raises(ValueError, match="class 'ham' would have no message, but values of 'size'"):
        statistics.remove([("colour", "red")], "ham")
    with pytest.raises(ValueError, match="class 'ham' would have no message, but values of 'colour'"):
        statistics.unmerge(statistics_of([([("size", 1)], "ham")]))
    assert statistics.state() == before
    statistics.remove([("colour", "red"), ("size", 1)], "ham")
    assert statistics == statistics_of([([("shape", 4)], "spam")])


def test_removing_a_message_reads_the_sums_of_its_own_features_only():
    class Counted(CategoryCounts):
        reads = 0

        @property
        def empty(self) -> bool:
            Counted.reads += 1
            return super().empty

    statistics = FeatureStatistics(Counted)
    for k in range(50):
        statistics.add([(f"feature {k}", "a")], "ham")
    statistics.remove([("feature 7", "a")], "ham")
    assert Counted.reads == 1 and len(statistics.features) == 49


def test_decay_scales_messages_drops_empty_counts_and_refuses_invalid_factors():
    statistics = statistics_of()
    statistics.decay(0.5)
    assert statistics.messages == {"ham": 0.5, "spam": 1.0}
    statistics.decay(0.0)
    assert statistics == FeatureStatistics(CategoryCounts)
    for factor in (-1.0, 1.5, float("nan")):
        with pytest.raises(ValueError, match="decay factor"):
            statistics.decay(factor)


@pytest.mark.parametrize(
    ("state", "error", "message"),
    [
        ({}, KeyError, "classes"),
        ({"classes": [["ham", 256]]}, KeyError, "features"),
        ({"classes": 3, "features": []}, TypeError, "not iterable"),
        ({"classes": [["ham", -256]], "features": []}, ValueError, "'ham' has -256 messages, in 1/256"),
        ({"classes": [["ham", "256"]], "features": []}, ValueError, "has '256' messages, in 1/256"),
        ({"classes": [], "features": [["a", "ham", [["b", 0]]]]}, ValueError, "count of 'b' is 0"),
        ({"classes": [["spam", 256]], "features": [["a", "ham", [["b", 256]]]]}, ValueError, "which has no messages"),
    ],
)
def test_an_invalid_state_is_refused(state, error, message):
    with pytest.raises(error, match=message):
        FeatureStatistics[CategoryCounts].from_state(CategoryCounts, state)
