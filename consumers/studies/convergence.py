"""Maximum-likelihood estimates converge to the truth: a coin and a Gaussian.

Source: Wasserman, All of Statistics (2004), sections 9.4 and 9.7.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from stream_nb.tabular.category_counts import CategoryCounts
from stream_nb.tabular.moments import Moments

from ..errors import UserError
from .charts import Line, Point, band, line_chart
from .report import Section

_MEAN, _STD = 2.0, 3.0  # of the Gaussian
_OTHERS = 400
_OTHERS_DRAWS = 2000


def study(seed: int = 0, draws: int = 20_000, heads: float = 0.3) -> Section:
    """Draw from a seeded source, and show the estimates after more and more draws, with truth and standard error.

    Args:
        seed: Seed of all draws.
        draws: Number of draws, 10 or more.
        heads: P(heads) of the coin, above 0 and below 1.

    Raises:
        UserError: A value is out of range.
    """
    if draws < 10 or not 0.0 < heads < 1.0:
        raise UserError(
            f"study convergence: draws {draws}, heads {heads:g}; give draws of 10 or more, heads between 0 and 1"
        )
    rng = np.random.default_rng(seed)
    coin, numbers = CategoryCounts(), Moments()
    sizes = {round(1.15**i) for i in range(2, 200) if 1.15**i <= draws} | {draws}
    shares: list[Point] = []
    means: list[Point] = []
    variances: list[Point] = []
    for n in range(1, draws + 1):
        coin.add(bool(rng.random() < heads))
        numbers.add(rng.normal(_MEAN, _STD))
        if n in sizes:
            shares.append((n, coin.count(True) / n))
            means.append((n, numbers.mean))
            variances.append((n, numbers.variance))
    coin_error, variance_error = math.sqrt(heads * (1 - heads)), _STD**2 * math.sqrt(2)
    within = _coverage(seed, draws, heads)
    table = [
        ("coin: P(heads)", heads, shares[-1][1], coin_error / math.sqrt(draws), within[0]),
        ("Gaussian: mean", _MEAN, means[-1][1], _STD / math.sqrt(draws), within[1]),
        ("Gaussian: variance (1/N)", _STD**2, variances[-1][1], variance_error / math.sqrt(draws), within[2]),
    ]
    head = ("estimate of", "truth", f"after {draws:,} draws", "standard error", f"of {_OTHERS} other runs within 1.96")
    return Section(
        "Estimates converge to the truth",
        (
            f"{draws:,} draws, seed {seed}. The standard error of each estimate falls with the square root of the "
            "number of draws: the dashed lines are the truth and 1.96 standard errors on either side. After any given "
            f"number of draws 95 % of all runs are between them; the last column is the share of {_OTHERS} runs of "
            f"{min(draws, _OTHERS_DRAWS):,} draws with other seeds. One run may stay outside for a while, because its "
            "estimates after 1,000 and 1,200 draws share most of their draws.",
        ),
        ((head, table),),
        (
            _picture("share of heads", shares, heads, coin_error, "flips (number)", "heads (share of flips)"),
            _picture("mean", means, _MEAN, _STD, "draws (number)", "mean (units of the numbers)"),
            _picture("variance", variances, _STD**2, variance_error, "draws (number)", "variance (units squared)"),
        ),
        {"table": table},
    )


def _coverage(seed: int, draws: int, heads: float) -> list[float]:
    """For each estimate, the share of other runs that end within 1.96 standard errors of the truth."""
    rng = np.random.default_rng([seed, 1])
    n = min(draws, _OTHERS_DRAWS)
    flips = rng.binomial(n, heads, _OTHERS) / n
    numbers = rng.normal(_MEAN, _STD, (_OTHERS, n))
    errors = np.array([math.sqrt(heads * (1 - heads)), _STD, _STD**2 * math.sqrt(2)]) / math.sqrt(n) * 1.96
    off = np.abs(np.array([flips - heads, numbers.mean(axis=1) - _MEAN, numbers.var(axis=1) - _STD**2]))
    return [float(share) for share in (off <= errors[:, None]).mean(axis=1)]


def _picture(name: str, points: Sequence[Point], truth: float, error: float, x: str, y: str) -> str:
    sizes = [n for n, _ in points]
    errors = [(n, 1.96 * error / math.sqrt(n)) for n in sizes if n >= 10]
    lower, upper = [(n, truth - width) for n, width in errors], [(n, truth + width) for n, width in errors]
    return line_chart(
        {
            name: points,
            "truth": Line([(sizes[0], truth), (sizes[-1], truth)], dashed=True),
            "truth and 1.96 standard errors on either side": band(lower, upper),
        },
        x,
        y,
        log_x=True,
    )
