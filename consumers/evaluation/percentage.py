"""Percentages as text that does not hide an error."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal


def percentage(value: float | None, digits: int = 2) -> str:
    """A percentage with this `value` and number of decimal `digits`, without its sign, ``-`` for None; one that is not
    exactly 0 or 100 is never rounded to it.

    Ties are rounded up, as by JavaScript, so that the page shows the same.

    >>> percentage(99.996), percentage(99.99), percentage(100.0)
    ('>99.99', '99.99', '100.00')
    >>> percentage(0.0), percentage(0.00001, 4), percentage(3.125), percentage(None)
    ('0.00', '<0.0001', '3.13', '-')
    """
    if value is None:
        return "-"
    least = 10.0**-digits
    text = f"{Decimal(value).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP):f}"
    if value > 0.0 and float(text) == 0.0:
        return f"<{least:.{digits}f}"
    return f">{100.0 - least:.{digits}f}" if value < 100.0 and float(text) == 100.0 else text


def share_percentage(share: float | None, digits: int = 2) -> str:
    """A `share`, 0 to 1 or None, as `percentage` with so many `digits`.

    >>> share_percentage(29_999 / 30_000), share_percentage(None)
    ('>99.99', '-')
    """
    return percentage(None if share is None else 100.0 * share, digits)
