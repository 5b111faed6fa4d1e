"""Counts with the singular or plural of a noun."""

from __future__ import annotations


def many(number: int, one: str, more: str = "") -> str:
    """A `number` with the noun that it counts, `one` or `more`; by default the plural is `one` with an s.

    >>> many(1, "mail"), many(2_000, "mail"), many(2, "file holds", "files hold")
    ('1 mail', '2,000 mails', '2 files hold')
    """
    return f"{number:,} {one if number == 1 else more or f'{one}s'}"
