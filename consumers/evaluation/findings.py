"""What the checks of a log have found."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


@dataclass(slots=True)
class Findings:
    """What has been found so far; every check adds to it.

    Attributes:
        mails: The number of mails that were checked.
        updates: The number of updates that were checked.
        differences: A line for each difference.
        left_out: The number of things that could not be checked, by kind and reason.
    """

    mails: int = 0
    updates: int = 0
    differences: list[str] = field(default_factory=list[str])
    left_out: Counter[str] = field(default_factory=Counter[str])
