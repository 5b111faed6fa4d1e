"""Counts by class of the mail model and the textbook models: classes are added and removed."""

import numpy as np
import pytest

from stream_nb.features.class_counts import checked_label
from stream_nb.features.extractor import Extractor
from stream_nb.features.hash_key import STUDY_KEY
from stream_nb.mail_nb.statistics import MailStatistics
from stream_nb.text.statistics import WordStatistics

KINDS = [MailStatistics, lambda: WordStatistics(STUDY_KEY)]
both_kinds = pytest.mark.parametrize("new", KINDS, ids=["mail", "words"])


def count_words(statistics, text, label, amount=256):
    """Count each word of a text once in a class."""
    extractor = Extractor(STUDY_KEY, False, None, counted=True)
    extractor.extract(text)
    column = statistics.column(label)
    statistics.table.find(extractor)
    statistics.table.insert(extractor, abs(amount))
    rows = extractor.row_ids[: extractor.n]
    for counter in statistics.counters([column]):
        statistics.table.counts[rows, counter] += amount
    statistics.totals[column, statistics.SUMS] += amount * extractor.n
    statistics.table.sizes[1] = int(statistics.table.counts.any(axis=1).sum())
    statistics.changed()


@both_kinds
def test_a_new_class_has_the_next_column_and_empty_counters(new):
    statistics = new()
    assert (statistics.classes, statistics.totals.shape) == ((), (0, statistics.TOTALS))
    assert [statistics.column(label) for label in ("spam", "ham", "spam")] == [0, 1, 0]
    assert statistics.classes == ("spam", "ham")
    assert statistics.sorted_classes() == ["ham", "spam"]
    assert not statistics.totals.any() and not statistics.holds(0)
    assert statistics.table.rows.shape[1] == 4 + 2 * statistics.COUNTERS


@both_kinds
def test_a_new_class_replaces_the_tuple_of_classes_and_raises_the_epoch(new):
    statistics = new()
    statistics.column("spam")
    classes, epoch = statistics.classes, statistics.epoch
    statistics.column("spam")
    assert statistics.classes is classes and statistics.epoch == epoch
    statistics.column("ham")
    assert statistics.classes is not classes and statistics.epoch > epoch


@both_kinds
def test_unmerging_restores_the_counts_and_removes_empty_classes(new):
    statistics, other = new(), new()
    count_words(statistics, "a b", "ham")
    count_words(other, "b c", "spam")
    count_words(other, "a", "ham")
    before = statistics.arrays("totals")
    statistics.merge(other)
    assert statistics.classes == ("ham", "spam")
    assert statistics.table.live == 3
    statistics.merge(other, -1)
    assert statistics.classes == ("ham",)
    for name, array in statistics.arrays("totals").items():
        assert np.array_equal(array, before[name]), name


@both_kinds
def test_removing_an_empty_class_keeps_the_counts_of_the_others(new):
    statistics, spam = new(), new()
    count_words(spam, "a b", "spam")
    count_words(statistics, "a b", "spam")
    count_words(statistics, "b c", "ham")
    statistics.merge(spam, -1)
    assert statistics.columns == {"ham": 0}
    assert statistics.table.sums().tolist() == [512] * statistics.COUNTERS


@both_kinds
def test_decay_keeps_sums_equal_to_their_counts_and_refuses_invalid_factors(new):
    statistics = new()
    count_words(statistics, "a b c", "ham", 100)
    statistics.decay(0.333)
    sums = statistics.table.sums().tolist()
    assert sums == [99] * statistics.COUNTERS
    assert statistics.totals[0, statistics.SUMS].tolist() == sums
    statistics.decay(0.0)
    assert statistics.classes == ()
    for factor in (-0.1, 1.1, float("nan")):
        with pytest.raises(ValueError, match="decay factor"):
            statistics.decay(factor)


@both_kinds
def test_eviction_subtracts_the_evicted_counts_from_the_sums(new):
    statistics = new()
    count_words(statistics, "a b", "ham")
    count_words(statistics, "a", "ham")
    assert statistics.evict(1, Extractor(STUDY_KEY, False, None, counted=True).hash_multipliers) == 1
    assert statistics.totals[0, statistics.SUMS].tolist() == [512] * statistics.COUNTERS


@both_kinds
def test_changing_a_copy_leaves_the_original_unchanged(new):
    statistics = new()
    count_words(statistics, "a", "ham")
    duplicate = statistics.copy()
    count_words(duplicate, "b", "spam")
    assert statistics.classes == ("ham",) and statistics.table.live == 1


@pytest.mark.parametrize(("label", "expected"), [(np.str_("ham"), str), (np.int64(3), int), ("ham", str), (3, int)])
def test_numpy_labels_become_python_labels(label, expected):
    assert checked_label(label) == label and type(checked_label(label)) is expected


@both_kinds
def test_only_the_classes_that_a_change_concerns_are_searched_for_counts(new, monkeypatch):
    statistics = new()
    for label in "abcdef":
        column = statistics.column(label)
        statistics.totals[column] = 256 * (label not in "be")
    searched: list[int] = []
    monkeypatch.setattr(type(statistics), "holds", lambda self, c: searched.append(c) or self.totals[c].any())
    statistics.forget_empty(("a", "b", "f"))
    assert searched == [0, 1, 5] and statistics.classes == ("a", "c", "d", "e", "f")
