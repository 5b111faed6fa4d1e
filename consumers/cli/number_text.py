"""Numbers formatted for a terminal."""

from __future__ import annotations

from ..evaluation.percentage import share_percentage


def age(seconds: float) -> str:
    """Format an elapsed time of so many `seconds`; negative values count as 0.

    >>> age(12.3), age(1_200.0), age(400_000.0)
    ('12 s', '20 min', '5 d')
    """
    for most, unit_s, unit in ((90.0, 1.0, "s"), (5_400.0, 60.0, "min"), (172_800.0, 3_600.0, "h")):
        if seconds < most:
            return f"{max(0.0, seconds) / unit_s:.0f} {unit}"
    return f"{seconds / 86_400.0:.0f} d"


def percent(share: float | None, digits: int = 2) -> str:
    """Format a `share`, 0 to 1, in percent with so many decimal `digits`, "-" for None; it is never rounded to 0 or
    100 % unless it is exactly that.

    >>> percent(0.5), percent(0.9999, 1), percent(None)
    ('50.00 %', '>99.9 %', '-')
    """
    return "-" if share is None else f"{share_percentage(share, digits)} %"


def pace(per_s: float) -> str:
    """Format a rate of `per_s` per second, or per minute or hour, if that gives a readable number.

    >>> pace(0.0), pace(251.0), pace(0.2), pace(0.01)
    ('0.0/s', '251.0/s', '12.0/min', '36.0/h')
    """
    unit, seconds = ("h", 3_600) if 0.0 < per_s < 1 / 60 else ("min", 60) if 0.0 < per_s < 1.0 else ("s", 1)
    return f"{per_s * seconds:.1f}/{unit}"
