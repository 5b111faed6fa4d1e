"""Types of numeric options. Each type only accepts values that the commands can handle."""

from __future__ import annotations

import math
from typing import Any

import click

_LEAST_RATE = 1e-6

SEED = click.IntRange(min=0)
"""A seed of random draws; numpy does not accept negative seeds."""


def count(least: int, most: int = 1_000_000_000) -> click.IntRange:
    """The type of a whole number of mails, words, ..., from `least` to `most`."""
    return click.IntRange(least, most)


class FiniteType(click.types.FloatParamType):
    """A finite number; click's own type accepts inf, and nan, which passes every range check."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Convert `value`, as typed or the default; fails if it is not finite."""
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"{value!r} is not a finite number.", param, ctx)
        return number + 0.0  # -0.0 is 0.0


class FiniteRange(click.FloatRange, FiniteType):
    """A finite number within a range."""


class ShareType(click.ParamType):  # pyright: ignore[reportMissingTypeArgument]  older click's has no argument
    """A share of mails, above 0 and at most 1, or in percent: 10%, 0.1."""

    name = "share"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Parse `value`, as typed; fails outside the range."""
        text = str(value)
        try:
            share = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
        except ValueError:
            share = 0.0
        if not 0.0 < share <= 1.0:
            self.fail(f"{value!r}: give a share above 0 and at most 1, or a percentage such as 10%", param, ctx)
        return share


class RateType(FiniteType):
    """Mails per second: 0 for full speed, otherwise at least 0.000001 (one mail in twelve days)."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The rate `value`, as typed or by default; fails for negative rates and for rates below 0.000001."""
        rate = super().convert(value, param, ctx)
        if rate != 0.0 and rate < _LEAST_RATE:
            self.fail(f"{value!r}: give at least {_LEAST_RATE:.6f}, or 0 for full speed", param, ctx)
        return rate


SMOOTHING = FiniteRange(0, 1e300)
"""Lambda, in the range that the library accepts."""
