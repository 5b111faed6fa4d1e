"""The order of mails from many files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import TypeVar

from .base import MailFile, shuffled

Merged = TypeVar("Merged")


def in_order(files: list[MailFile], shuffle: int | None) -> list[MailFile]:
    """Files in natural order of their names, or in the random order with the seed `shuffle`.

    Mails in an mbox keep their order, and the mbox files of a class follow each other by name. The mails of each class,
    and all mails in files of their own, are then merged evenly (`merged_evenly`). Otherwise a learner would see all
    mails of one class before the first of another.
    """
    if shuffle is not None:
        return shuffled(sorted(files, key=lambda file: (file.folder, file.path.name, file.path, file.span)), shuffle)
    rows: dict[str | None, list[MailFile]] = {}
    for file in sorted(files, key=lambda file: (natural(file.path.name), file.folder, file.path, file.span)):
        rows.setdefault(file.label if file.in_mbox else None, []).append(file)
    return merged_evenly(rows.values())


def merged_evenly(rows: Iterable[Sequence[Merged]]) -> list[Merged]:
    """The items of all `rows`, each row in its order: number k of n is placed at (k + 1/2) / n.

    >>> merged_evenly(["abcd", "xy"])
    ['a', 'x', 'b', 'c', 'y', 'd']
    """
    keys = [
        ((number + 0.5) / len(row), position, number, item)
        for position, row in enumerate(rows)
        for number, item in enumerate(row)
    ]
    return [item for *_, item in sorted(keys, key=itemgetter(0, 1))]


def natural(name: str) -> tuple[list[str | int], str]:
    """A sort key for the `name` of a file or folder that compares numbers by value; names that differ only in leading
    zeros have a fixed order, too.

    >>> sorted(["mail10", "mail9", "mail09"], key=natural)
    ['mail09', 'mail9', 'mail10']
    """
    pieces = re.split("([0-9]+)", name)
    return [int(piece) if number % 2 else piece for number, piece in enumerate(pieces)], name
