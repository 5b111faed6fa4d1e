"""Maximum-likelihood estimates tend to the truth: a coin and a Gaussian. Row Q8; note 002, sections 1.1 and 1.2."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from stream_nb.tabular.category_counts import CategoryCounts
from stream_nb.tabular.moments import Moments

from ..errors import UserError
from .charts import Line, band, line_chart
from .report import Section

_OTHERS = 400


def study(seed: int = 0, draws: int = 20_000, heads: float = 0.3, mean: float = 2.0, std: float = 3.0) -> Section:
    """Draw from a seeded source; show the estimates after 1, 2, 3, ... draws with the truth and its usual error.

    Raises UserError for fewer than 10 draws, a chance of heads outside 0 to 1, or a deviation not above 0.
    """
    if draws < 10 or not 0.0 < heads < 1.0 or not std > 0.0:
        raise UserError(
            f"convergence: draws {draws}, heads {heads:g}, std {std:g}; give 10 or more, between 0 and 1, above 0"
        )
    rng = np.random.default_rng(seed)
    coin, numbers = CategoryCounts(), Moments()
    marks = sorted({round(1.15**i) for i in range(2, 200) if 1.15**i <= draws} | {draws})
    shares, means, variances = [], [], []
    for n in range(1, draws + 1):
        coin.add(bool(rng.random() < heads))
        numbers.add(rng.normal(mean, std))
        if n in marks:
            shares.append((n, coin.count(True) / n))
            means.append((n, numbers.mean))
            variances.append((n, numbers.variance))
    coin_error, variance_error = math.sqrt(heads * (1 - heads)), std**2 * math.sqrt(2)
    inside = _coverage(seed, draws, heads, mean, std)
    table = [
        ("coin: P(heads)", heads, shares[-1][1], coin_error / math.sqrt(draws), inside[0]),
        ("Gaussian: mean", mean, means[-1][1], std / math.sqrt(draws), inside[1]),
        ("Gaussian: variance (1/N)", std**2, variances[-1][1], variance_error / math.sqrt(draws), inside[2]),
    ]
    head = ("estimate of", "truth", f"after {draws:,} draws", "standard error", f"of {_OTHERS} other runs within 1.96")
    return Section(
        "Estimates tend to the truth",
        (
            f"{draws:,} draws, seed {seed}. The error of each estimate shrinks as one over the square root of the "
            "number of draws: the dashed lines are the truth and 1.96 standard errors on either side. At any one "
            f"number of draws 95 % of all runs lie between them; the last column counts it over {_OTHERS} runs with "
            "other seeds. One run may well stay outside for a while, since its estimates after 1,000 and 1,200 draws "
            "share most of their draws.",
        ),
        ((head, table),),
        (
            _picture("share of heads", shares, heads, coin_error, "flips (number)", "heads (share of flips)"),
            _picture("mean", means, mean, std, "draws (number)", "mean (units of the numbers)"),
            _picture("variance", variances, std**2, variance_error, "draws (number)", "variance (units squared)"),
        ),
        {"table": table},
    )


def _coverage(seed: int, draws: int, heads: float, mean: float, std: float) -> tuple[float, float, float]:
    """The shares of other runs whose estimates end within 1.96 standard errors of the truth."""
    rng = np.random.default_rng([seed, 1])
    n = min(draws, 2000)
    flips = rng.binomial(n, heads, _OTHERS) / n
    numbers = rng.normal(mean, std, (_OTHERS, n))
    errors = np.array([math.sqrt(heads * (1 - heads)), std, std**2 * math.sqrt(2)]) / math.sqrt(n) * 1.96
    off = np.abs(np.array([flips - heads, numbers.mean(axis=1) - mean, numbers.var(axis=1) - std**2]))
    return tuple(float(share) for share in (off <= errors[:, None]).mean(axis=1))


def _picture(name: str, points: Sequence[tuple[float, float]], truth: float, error: float, x: str, y: str) -> str:
    marks = [n for n, _ in points]
    late = [n for n in marks if n >= 10]
    lower, upper = ([(n, truth + sign * 1.96 * error / math.sqrt(n)) for n in late] for sign in (-1, 1))
    return line_chart(
        {
            name: points,
            "truth": Line([(marks[0], truth), (marks[-1], truth)], dashed=True),
            "truth and 1.96 standard errors on either side": band(lower, upper),
        },
        x,
        y,
        log_x=True,
    )
