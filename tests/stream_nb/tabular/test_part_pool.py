"""The weights of a message's parts, learned from the margins of each part alone."""

import pytest

from stream_nb.kernels.layout import POOL_BINS
from stream_nb.tabular.part_pool import PartPool

MIDDLE = POOL_BINS // 2


def cell(words=0, numbers=0, categories=0):
    """The cell whose margins are this many bins above 0."""
    place = 0
    for margin in (words, numbers, categories):
        place = place * POOL_BINS + MIDDLE + margin
    return place


def pool_of(*labels):
    pool = PartPool()
    for place, units in labels:
        pool.add(place, units)
    return pool


def test_before_the_first_label_the_priors_decide():
    assert PartPool().weights(2) == pytest.approx((0.5 / 3.5, 0.5 / 3.5))


def test_a_part_that_is_right_weighs_more_than_one_that_is_wrong():
    numbers, categories = pool_of((cell(words=2, numbers=2, categories=-2), 256 * 50)).weights(2)
    assert numbers > 0.5 / 3.5 > categories >= 0.0


def test_among_many_classes_a_part_need_not_be_right_more_often_than_not():
    """Right one time in three: no better than chance with three classes, much better with twelve."""
    pool = pool_of((cell(numbers=4), 256 * 20), (cell(numbers=-1), 256 * 40))
    assert pool.weights(12)[0] > pool.weights(3)[0]
    silent = pool_of((cell(), 256 * 60))
    assert silent.weights(12) == PartPool().weights(2)


def test_labels_are_taken_back_without_a_trace():
    pool = pool_of((cell(1, 2), 256))
    before = pool.weights(2)
    pool.add(cell(0, -3, 1), 256)
    assert pool.weights(2) != before
    pool.add(cell(0, -3, 1), -256)
    assert pool.weights(2) == before


def test_pools_merge_in_any_order_and_decay():
    one, two = pool_of((cell(1, 2), 256), (cell(-1), 512)), pool_of((cell(1, 2), 100))
    ahead, back = PartPool(), PartPool()
    for first, second, into in ((one, two, ahead), (two, one, back)):
        into.merge(first, 1)
        into.merge(second, 1)
    assert (ahead.counts == back.counts).all() and ahead.weights(2) == back.weights(2)
    ahead.merge(two, -1)
    assert ahead.weights(2) == one.weights(2)
    ahead.decay(0.0)
    assert ahead.weights(2) == PartPool().weights(2)
