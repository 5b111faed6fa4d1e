"""The weights of a message's parts, learned from the margins of each part by itself."""

import numpy as np
import pytest
from scipy.optimize import minimize

from stream_nb.kernels.layout import POOL_BINS, STARTER_CELLS
from stream_nb.tabular.part_pool import PartPool

MIDDLE = POOL_BINS // 2
WIDTH = 8.0 / (POOL_BINS - 1)


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


def test_before_the_first_label_the_weights_are_those_of_the_priors():
    assert PartPool().weights(2) == pytest.approx((0.5 / 3.5, 0.5 / 3.5))


def test_a_part_that_was_right_weighs_more_than_one_that_was_wrong():
    numbers, categories = pool_of((cell(words=2, numbers=2, categories=-2), 256 * 50)).weights(2)
    assert numbers > 0.5 / 3.5 > categories >= 0.0


def test_a_part_that_is_right_one_time_in_three_weighs_more_among_more_classes():
    """This is chance with three classes, and much better than chance with twelve."""
    pool = pool_of((cell(numbers=4), 256 * 20), (cell(numbers=-1), 256 * 40))
    assert pool.weights(12)[0] > pool.weights(3)[0]
    uninformative = pool_of((cell(), 256 * 60))
    assert uninformative.weights(12) == PartPool().weights(2)


def test_subtracting_a_label_restores_the_weights():
    pool = pool_of((cell(1, 2), 256))
    before = pool.weights(2)
    pool.add(cell(0, -3, 1), 256)
    assert pool.weights(2) != before
    pool.add(cell(0, -3, 1), -256)
    assert pool.weights(2) == before


def test_pools_are_merged_in_any_order_unmerged_and_decayed():
    first_pool, second_pool = pool_of((cell(1, 2), 256), (cell(-1), 512)), pool_of((cell(1, 2), 100))
    forwards, backwards = PartPool(), PartPool()
    for first, second, merged in ((first_pool, second_pool, forwards), (second_pool, first_pool, backwards)):
        merged.merge(first, 1)
        merged.merge(second, 1)
    assert (forwards.counts == backwards.counts).all() and forwards.weights(2) == backwards.weights(2)
    forwards.merge(second_pool, -1)
    assert forwards.weights(2) == first_pool.weights(2)
    forwards.decay(0.0)
    assert forwards.weights(2) == PartPool().weights(2)


def labels_of(slopes, classes):
    """For 300 labels, the margins in bins of the labelled class by each part, which are right as these slopes say."""
    rng = np.random.default_rng(1)
    margins = rng.integers(-MIDDLE, MIDDLE + 1, (300, len(slopes)))
    right = rng.random(300) < 1 / (1 + (classes - 1) * np.exp(-WIDTH * margins @ slopes))
    return np.where(right, 1, -1)[:, None] * margins


def fitted(margins, classes, means, variance):
    """The slopes of maximum likelihood, with normal priors, of the curve that the docstrings of the kernels define."""

    def loss(slopes):
        likelihood = np.log1p((classes - 1) * np.exp(-WIDTH * margins @ slopes)).sum()
        return likelihood + ((slopes - means) ** 2).sum() / (2 * variance)

    return minimize(loss, means, bounds=[(0.1, 50.0), *[(0.0, 50.0)] * (len(means) - 1)]).x


@pytest.mark.parametrize("classes", [2, 5])
@pytest.mark.parametrize("slopes", [(1.0, 0.5, 0.2), (2.0, 0.0, 3.0)], ids=str)
def test_the_weights_of_parts_have_the_maximum_likelihood(classes, slopes):
    margins = labels_of(slopes, classes)
    words, numbers, categories = fitted(margins, classes, np.array([3.5, 0.5, 0.5]), variance=1.0)
    pool = pool_of(*((cell(*label), 256) for label in margins.tolist()))
    assert pool.weights(classes) == pytest.approx((numbers / words, categories / words), abs=0.005)


@pytest.mark.parametrize("classes", [2, 5])
@pytest.mark.parametrize("slopes", [(1.0, 0.2), (1.0, 0.8), (0.5, 2.0)], ids=str)
def test_the_share_of_a_starter_has_the_maximum_likelihood(classes, slopes):
    margins = labels_of(slopes, classes)
    own, starter = fitted(margins, classes, np.array([3.5, 3.5]), variance=4.0)
    cells = (STARTER_CELLS + (MIDDLE + m) * POOL_BINS + MIDDLE + s for m, s in margins.tolist())
    pool = pool_of(*((place, 256) for place in cells))
    assert pool.starter_share(classes) == pytest.approx(min(starter / own, 1.0), abs=1e-3)
