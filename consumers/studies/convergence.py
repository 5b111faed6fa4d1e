"""Maximum-likelihood estimates tend to the truth: a coin and a Gaussian. Row Q8; note 002, sections 1.1 and 1.2."""

from __future__ import annotations

import math

import numpy as np

from stream_nb.tabular.category_counts import CategoryCounts
from stream_nb.tabular.moments import Moments

from .charts import line_chart
from .report import Section


def study(seed: int = 0, draws: int = 20_000, heads: float = 0.3, mean: float = 2.0, std: float = 3.0) -> Section:
    """Draw from a seeded source; show the estimates after 1, 2, 3, ... draws with the truth and its usual error."""
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

    def band(truth: float, error: float) -> dict[str, list[tuple[float, float]]]:
        return {
            f"{name} 1.96 standard errors": [(n, truth + sign * 1.96 * error / math.sqrt(n)) for n in marks if n >= 10]
            for name, sign in (("truth +", 1), ("truth -", -1))
        }

    error = math.sqrt(heads * (1 - heads))
    table = [
        ("coin: P(heads)", heads, shares[-1][1], error / math.sqrt(draws)),
        ("Gaussian: mean", mean, means[-1][1], std / math.sqrt(draws)),
        ("Gaussian: variance (1/N)", std**2, variances[-1][1], std**2 * math.sqrt(2 / draws)),
    ]
    return Section(
        "Estimates tend to the truth",
        (
            f"{draws} draws, seed {seed}. The error of each estimate shrinks as one over the square root of the "
            "number of draws.",
        ),
        ((("estimate of", "truth", f"after {draws} draws", "standard error"), table),),
        (
            line_chart({"share of heads": shares, **band(heads, error)}, "flips", "share of heads", log_x=True),
            line_chart({"mean": means, **band(mean, std)}, "draws", "mean", log_x=True),
            line_chart({"variance": variances, **band(std**2, std**2 * math.sqrt(2))}, "draws", "variance", log_x=True),
        ),
        {"table": table},
    )
