"""Class priors by one of four rules, applied when the statistics are read."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from stream_nb.features.class_counts import checked_label
from stream_nb.parameter import Parameter
from stream_nb.types import ClassName, Label

RULES = ("learned", "smoothed", "uniform")

Prior = str | Mapping[ClassName, float]
"""The rule of P(class), with N_c of N messages in the class and C classes: ``learned`` N_c / N; ``smoothed``
(N_c + 1) / (N + C); ``uniform`` 1 / C (maximum likelihood decisions); or a mapping from class to share."""


def parameter() -> Parameter[Prior]:
    """The option `prior` of a model: the name of a rule, or a share of 0 or more for each class."""

    def check(name: str, prior: Prior) -> Prior:
        if isinstance(prior, Mapping):
            try:
                shares = {checked_label(label): float(share) for label, share in prior.items()}
            except (TypeError, ValueError):
                shares = {}
            if not all(0 <= share < math.inf for share in shares.values()) or not any(shares.values()):
                raise ValueError(f"{name} is {dict(prior)!r}: give each class a share of 0 or more, not all 0")
            return shares
        if not isinstance(prior, str) or prior not in RULES:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ValueError(f"{name} is {prior!r:.60}: give one of {', '.join(RULES)}, or a share for each class")
        return prior

    return Parameter(check)


def weights(prior: Prior, labels: Iterable[Label]) -> tuple[float, dict[ClassName, float]]:
    """Return (weight of each message, constant weight of each class): a class's prior is proportional to
    messages * weight + constant.

    Args:
        prior: A rule of `RULES`, or a share of 0 or more for each class.
        labels: The classes.
    """
    if isinstance(prior, Mapping):
        return 0.0, {label: float(prior.get(label, 0.0)) for label in labels}
    return float(prior != "uniform"), dict.fromkeys(labels, float(prior != "learned"))


def log_priors(prior: Prior, counts: Mapping[ClassName, float]) -> dict[ClassName, float]:
    """log P(y) of each class in `counts`. With a mapping as prior, a class that is missing or has share 0 gets -inf.

    Args:
        prior: A rule of `RULES`, or a share of 0 or more for each class.
        counts: Messages of each class, 0 or more.

    >>> log_priors("learned", {"ham": 3, "spam": 1})["spam"] == math.log(1 / 4)
    True
    """
    per_message, constants = weights(prior, counts)
    shares = {label: constants[label] + per_message * count for label, count in counts.items()}
    total = math.fsum(shares.values())
    return {label: math.log(share / total) if share > 0 else -math.inf for label, share in shares.items()}
