"""Counts by class, as the mail model and the textbook models have them: classes come, go and keep their numbers."""

import numpy as np
import pytest

from stream_nb.features.class_counts import checked_label
from stream_nb.features.extractor import Extractor
from stream_nb.features.hash_key import STUDY_KEY
from stream_nb.mail_nb.statistics import MailStatistics
from stream_nb.text.statistics import WordStatistics

KINDS = [MailStatistics, lambda: WordStatistics(STUDY_KEY)]
every = pytest.mark.parametrize("new", KINDS, ids=["mail", "words"])


def add(statistics, text, label, amount=256):
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


@every
def test_a_class_joins_with_the_next_number_and_empty_counters(new):
    statistics = new()
    assert (statistics.classes, statistics.totals.shape) == ((), (0, statistics.TOTALS))
    assert [statistics.column(label) for label in ("spam", "ham", "spam")] == [0, 1, 0]
    assert statistics.classes == ("spam", "ham")
    assert statistics.sorted_classes() == ["ham", "spam"]
    assert not statistics.totals.any() and not statistics.holds(0)
    assert statistics.table.rows.shape[1] == 4 + 2 * statistics.COUNTERS


@every
def test_classes_is_another_tuple_when_classes_are_others_and_the_epoch_rises(new):
    statistics = new()
    statistics.column("spam")
    classes, epoch = statistics.classes, statistics.epoch
    statistics.column("spam")
    assert statistics.classes is classes and statistics.epoch == epoch
    statistics.column("ham")
    assert statistics.classes is not classes and statistics.epoch > epoch


@every
def test_what_is_merged_is_taken_back_and_empty_classes_go(new):
    statistics, other = new(), new()
    add(statistics, "a b", "ham")
    add(other, "b c", "spam")
    add(other, "a", "ham")
    before = statistics.arrays("totals")
    statistics.merge(other)
    assert statistics.classes == ("ham", "spam")
    assert statistics.table.live == 3
    statistics.merge(other, -1)
    assert statistics.classes == ("ham",)
    for name, array in statistics.arrays("totals").items():
        assert np.array_equal(array, before[name]), name


@every
def test_a_class_that_goes_takes_none_of_the_others_with_it(new):
    statistics, spam = new(), new()
    add(spam, "a b", "spam")
    add(statistics, "a b", "spam")
    add(statistics, "b c", "ham")
    statistics.merge(spam, -1)
    assert statistics.columns == {"ham": 0}
    assert statistics.table.sums().tolist() == [512] * statistics.COUNTERS


@every
def test_decay_keeps_the_sums_true(new):
    statistics = new()
    add(statistics, "a b c", "ham", 100)
    statistics.decay(0.333)
    sums = statistics.table.sums().tolist()
    assert sums == [99] * statistics.COUNTERS
    assert statistics.totals[0, statistics.SUMS].tolist() == sums
    statistics.decay(0.0)
    assert statistics.classes == ()
    for factor in (-0.1, 1.1, float("nan")):
        with pytest.raises(ValueError, match="decay factor"):
            statistics.decay(factor)


@every
def test_evicted_features_leave_the_sums(new):
    statistics = new()
    add(statistics, "a b", "ham")
    add(statistics, "a", "ham")
    assert statistics.evict(1, Extractor(STUDY_KEY, False, None, counted=True).hash_multipliers) == 1
    assert statistics.totals[0, statistics.SUMS].tolist() == [512] * statistics.COUNTERS


@every
def test_a_copy_shares_nothing(new):
    statistics = new()
    add(statistics, "a", "ham")
    twin = statistics.copy()
    add(twin, "b", "spam")
    assert statistics.classes == ("ham",) and statistics.table.live == 1


@pytest.mark.parametrize(("label", "expected"), [(np.str_("ham"), str), (np.int64(3), int), ("ham", str), (3, int)])
def test_labels_of_numpy_become_those_of_python(label, expected):
    assert checked_label(label) == label and type(checked_label(label)) is expected
