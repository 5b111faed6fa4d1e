"""Losses of a score: what an answer h costs when the truth is y, y being -1 or +1.

h is any real number whose sign is the answer. For the running means of `Losses`, h = 2 P(positive) - 1 =
tanh(log-odds / 2): the prediction on the labels' own scale from -1 to +1, so that no mail costs more than
4 (L2), 2 (hinge) or e (exponential); log loss, which is finite for finite log-odds, reads the log-odds
themselves.
"""

from __future__ import annotations

import math

from stream_nb.exact_sum import ExactSum


def zero_one(y: int, h: float) -> float:
    """Return 1.0 when sign(h) is not y, else 0.0; h = 0 answers -1, like every cut "positive if h > 0".

    Args:
        y: The truth, -1 or +1.
        h: The answer, any number.

    >>> zero_one(+1, -0.3), zero_one(-1, -0.3), zero_one(+1, 0.0)
    (1.0, 0.0, 1.0)
    """
    return float((h > 0) != (y > 0))


def squared(y: int, h: float) -> float:
    """Return the L2 loss (h - y)^2.

    Args:
        y: The truth, -1 or +1.
        h: The answer, any number.

    >>> squared(+1, 0.5)
    0.25
    """
    return (h - y) ** 2


def hinge(y: int, h: float) -> float:
    """Return max(0, 1 - y h).

    Args:
        y: The truth, -1 or +1.
        h: The answer, any number.

    >>> hinge(+1, 0.25), hinge(+1, 3.0), hinge(-1, 3.0)
    (0.75, 0.0, 4.0)
    """
    return max(0.0, 1.0 - y * h)


def exponential(y: int, h: float) -> float:
    """Return exp(-y h); infinite beyond the largest float.

    Args:
        y: The truth, -1 or +1.
        h: The answer, any number.

    >>> exponential(+1, 0.0)
    1.0
    """
    try:
        return math.exp(-y * h)
    except OverflowError:
        return math.inf


def log_loss(y: int, log_odds: float) -> float:
    """Return -log P(y) = log(1 + exp(-y log_odds)) in nats, without overflow at any log-odds.

    Args:
        y: The truth, -1 or +1.
        log_odds: Log-odds of +1, in nats.

    >>> log_loss(+1, 0.0)
    0.693147
    >>> log_loss(-1, 1000.0)
    1000.0
    """
    margin = y * log_odds
    return max(0.0, -margin) + math.log1p(math.exp(-abs(margin)))


class Losses:
    """Running means of the five losses over log-odds of the positive class; takes back exactly what it was
    given.

    For the last n mails: ``river.utils.Rolling(Losses, window_size=n)``. A mail whose truth had probability 0
    makes the log loss infinite while it is held. Before the first mail every mean is None.

    >>> losses = Losses()
    >>> losses.update(True, 2.0)
    >>> losses.update(False, 1.0)
    >>> losses.get()
    {'zero_one': 0.5, 'squared': 1.09731, 'hinge': 0.85026, 'exponential': 1.02717, 'log_loss': 0.72009}
    >>> losses.revert(False, 1.0)
    >>> losses.get()['zero_one']
    0.0
    """

    names = ("zero_one", "squared", "hinge", "exponential", "log_loss")

    def __init__(self) -> None:
        self.n = 0
        self._infinite = 0
        self._sums = {name: ExactSum() for name in self.names}

    def update(self, is_positive: bool, log_odds: float) -> None:
        """Count one mail. Raises ValueError when `log_odds` is NaN.

        Args:
            is_positive: The truth.
            log_odds: Log-odds of the positive class, in nats.
        """
        self._count(is_positive, log_odds, sign=1)

    def revert(self, is_positive: bool, log_odds: float) -> None:
        """Take back one mail counted before. Raises ValueError when nothing is held.

        Args:
            is_positive: The truth, as it was counted.
            log_odds: The log-odds, as they were counted.
        """
        if self.n == 0:
            raise ValueError("no mail is held: revert only what update counted")
        self._count(is_positive, log_odds, sign=-1)

    def _count(self, is_positive: bool, log_odds: float, sign: int) -> None:
        if math.isnan(log_odds):
            raise ValueError("log_odds is NaN: a mail without a score has no loss, leave it out")
        y = 1 if is_positive else -1
        h = math.tanh(log_odds / 2)
        costs = (zero_one(y, log_odds), squared(y, h), hinge(y, h), exponential(y, h), log_loss(y, log_odds))
        self.n += sign
        for name, cost in zip(self.names, costs, strict=True):
            if cost == math.inf:
                self._infinite += sign
            elif sign > 0:
                self._sums[name].add(cost)
            else:
                self._sums[name].remove(cost)

    def get(self) -> dict[str, float | None]:
        """Return the mean of each loss by name."""
        if self.n == 0:
            return dict.fromkeys(self.names)
        means: dict[str, float | None] = {name: self._sums[name].value() / self.n for name in self.names}
        if self._infinite:
            means["log_loss"] = math.inf
        return means
