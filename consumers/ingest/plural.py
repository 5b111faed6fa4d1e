"""Numbers of things, for people."""

from __future__ import annotations


def many(number: int, one: str, more: str = "") -> str:
    """A number and what it counts.

    Args:
        number: How many.
        one: One of them.
        more: Several of them; by default `one` with an s.

    >>> many(1, "mail"), many(2_000, "mail"), many(2, "file holds", "files hold")
    ('1 mail', '2,000 mails', '2 files hold')
    """
    return f"{number:,} {one if number == 1 else more or f'{one}s'}"
