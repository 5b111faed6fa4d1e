"""Loss functions: the cost of a prediction h when the true label is y, -1 or +1.

h is a real number whose sign is the predicted label. Any other y raises ValueError. For its running means `Losses` uses
h = 2 P(positive) - 1 = tanh(log-odds / 2), which has the scale of the labels, -1 to +1: no mail costs more than 4 (L2),
2 (hinge) or e (exponential). Log loss is computed from the log-odds themselves; it is finite for finite log-odds.
"""

from __future__ import annotations

import math

from stream_nb.exact_sum import ExactSum
from stream_nb.metrics.roc import check_positive


def zero_one(y: int, h: float) -> float:
    """Return 1.0 if sign(h) is not y, else 0.0; h = 0 predicts -1, as with every rule "positive if h > 0".

    Args:
        y: The true label, -1 or +1.
        h: The prediction, any number.

    >>> zero_one(+1, -0.3), zero_one(-1, -0.3), zero_one(+1, 0.0)
    (1.0, 0.0, 1.0)
    """
    return float((h > 0) != (_checked(y) > 0))


def squared(y: int, h: float) -> float:
    """Return the L2 loss (h - y)^2; inf beyond the largest float.

    Args:
        y: The true label, -1 or +1.
        h: The prediction, any number.

    >>> squared(+1, 0.5)
    0.25
    """
    difference = h - _checked(y)
    return difference * difference  # ** would raise OverflowError


def hinge(y: int, h: float) -> float:
    """Return max(0, 1 - y h).

    Args:
        y: The true label, -1 or +1.
        h: The prediction, any number.

    >>> hinge(+1, 0.25), hinge(+1, 3.0), hinge(-1, 3.0)
    (0.75, 0.0, 4.0)
    """
    return max(0.0, 1.0 - _checked(y) * h)


def exponential(y: int, h: float) -> float:
    """Return exp(-y h); inf beyond the largest float.

    Args:
        y: The true label, -1 or +1.
        h: The prediction, any number.

    >>> exponential(+1, 0.0)
    1.0
    """
    try:
        return math.exp(-_checked(y) * h)
    except OverflowError:
        return math.inf


def log_loss(y: int, log_odds: float) -> float:
    """Return -log P(y) = log(1 + exp(-y log_odds)) in nats, without overflow for any log-odds.

    Args:
        y: The true label, -1 or +1.
        log_odds: Log-odds of +1, in nats.

    >>> log_loss(+1, 0.0)
    0.693147
    >>> log_loss(-1, 1000.0)
    1000.0
    """
    margin = _checked(y) * log_odds
    return max(0.0, -margin) + math.log1p(math.exp(-abs(margin)))


def _checked(y: int) -> int:
    """Return a label. Raises ValueError unless it is -1 or +1: with 0, a loss would be a number, but a wrong one."""
    if y not in (-1, 1):
        raise ValueError(f"y is {y!r:.60}: give -1 or +1")
    return y


class Losses:
    """Running means of the five losses, computed from log-odds of the positive class; `revert` exactly undoes `update`.

    For the last n mails use ``river.utils.Rolling(Losses, window_size=n)``. A mail whose true label had probability 0
    makes the log loss inf as long as it is counted. Without mails every mean is None.

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
        """Add one mail. Raises ValueError if `log_odds` is NaN or `is_positive` is no truth value.

        Args:
            is_positive: Whether the mail is positive.
            log_odds: Log-odds of the positive class, in nats.
        """
        self._count(is_positive, log_odds, sign=1)

    def revert(self, is_positive: bool, log_odds: float) -> None:
        """Remove one mail that was added before. Raises ValueError if there is no mail.

        Args:
            is_positive: As it was passed to `update`.
            log_odds: As it was passed to `update`.
        """
        if self.n == 0:
            raise ValueError("there is no mail to remove: revert only what update has added")
        self._count(is_positive, log_odds, sign=-1)

    def _count(self, is_positive: bool, log_odds: float, sign: int) -> None:
        if math.isnan(log_odds):
            raise ValueError("log_odds is NaN: leave out mails without a score")
        check_positive(is_positive)
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
