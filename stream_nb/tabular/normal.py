"""The normal distribution."""

from __future__ import annotations

import math
from typing import NamedTuple

HALF_LOG_TAU = 0.5 * math.log(2 * math.pi)


class Normal(NamedTuple):
    """A normal distribution: its mean and its standard deviation, 0 if all values are equal."""

    mean: float
    std: float

    def log_density(self, x: float) -> float:
        """log of (2 pi std^2)^-1/2 exp(-(x - mean)^2 / (2 std^2)), for a standard deviation above 0.

        -inf only where the logarithm itself exceeds the range of floats, about 10^154 standard deviations out.
        """
        difference = x - self.mean
        # Halves, because the difference of two numbers of opposite signs may exceed the range of floats.
        z = difference / self.std if math.isfinite(difference) else 2.0 * ((0.5 * x - 0.5 * self.mean) / self.std)
        return -0.5 * z * z - math.log(self.std) - HALF_LOG_TAU

    def share_below(self, x: float) -> float:
        """The share of the distribution below `x`, 0 to 1, for a finite standard deviation above 0.

        >>> Normal(2.0, 3.0).share_below(2.0)
        0.5
        """
        return 0.5 * math.erfc((self.mean - x) / self.std / math.sqrt(2.0))
