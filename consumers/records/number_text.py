"""Numbers in text for people: counts, percentages that do not hide an error, times and rates."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal


def many(number: int, one: str, more: str = "") -> str:
    """A `number` with the noun that it counts, `one` or `more`; by default the plural is `one` with an s.

    >>> many(1, "mail"), many(2_000, "mail"), many(2, "file holds", "files hold")
    ('1 mail', '2,000 mails', '2 files hold')
    """
    return f"{number:,} {one if number == 1 else more or f'{one}s'}"


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


def percent(share: float | None, digits: int = 2) -> str:
    """A `share`, 0 to 1, as `share_percentage` with so many `digits` and its sign, ``-`` for None.

    >>> percent(0.5), percent(0.9999, 1), percent(None)
    ('50.00 %', '>99.9 %', '-')
    """
    return "-" if share is None else f"{share_percentage(share, digits)} %"


def age(seconds: float) -> str:
    """An elapsed time of so many `seconds`; negative values count as 0.

    >>> age(12.3), age(1_200.0), age(400_000.0)
    ('12 s', '20 min', '5 d')
    """
    for most, unit_s, unit in ((90.0, 1.0, "s"), (5_400.0, 60.0, "min"), (172_800.0, 3_600.0, "h")):
        if seconds < most:
            return f"{max(0.0, seconds) / unit_s:.0f} {unit}"
    return f"{seconds / 86_400.0:.0f} d"


def pace(per_s: float) -> str:
    """A rate of `per_s` per second, or per minute or hour, if that gives a readable number.

    >>> pace(0.0), pace(251.0), pace(0.2), pace(0.01)
    ('0.0/s', '251.0/s', '12.0/min', '36.0/h')
    """
    unit, seconds = ("h", 3_600) if 0.0 < per_s < 1 / 60 else ("min", 60) if 0.0 < per_s < 1.0 else ("s", 1)
    return f"{per_s * seconds:.1f}/{unit}"
