"""The normal distribution, compared with scipy."""

import math

import pytest
from scipy.stats import norm

from stream_nb import GaussianNB
from stream_nb.tabular.normal import Normal


@pytest.mark.parametrize(("mean", "std"), [(0.0, 1.0), (-3.5, 0.01), (1e6, 1e-3), (1e-200, 1e-210), (5.0, 1e200)])
@pytest.mark.parametrize("deviations", [-40.0, -1.0, 0.0, 0.5, 1e6])
def test_M5_the_log_density_is_that_of_scipy(mean, std, deviations):
    x = mean + deviations * std
    assert Normal(mean, std).log_density(x) == pytest.approx(norm.logpdf(x, mean, std), rel=1e-12)


def test_M5_a_density_below_the_smallest_float_has_a_logarithm():
    assert math.exp(Normal(0.0, 1.0).log_density(100.0)) == 0.0
    assert Normal(0.0, 1.0).log_density(100.0) == pytest.approx(-5000.0 - 0.5 * math.log(2 * math.pi))


def test_M5_a_difference_beyond_the_largest_float_counts_as_its_deviations():
    model = GaussianNB()
    for x in (-1.75e308, -0.25e308):
        model.learn_one({"x": x}, "low")
    assert model.normals("x") == {"low": Normal(-1e308, 0.75e308)}
    three_deviations = -4.5 - math.log(0.75e308) - 0.5 * math.log(2 * math.pi)
    assert model.log_likelihoods({"x": 1.25e308}) == {"low": pytest.approx(three_deviations, rel=1e-14)}
