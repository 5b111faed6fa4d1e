"""Labelled mails in memory, and how they are divided."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import NamedTuple, TypeVar

from stream_nb.types import Label, Mail

from ..errors import BadRecord, UserError
from ..ingest.formats import open_source
from ..records.messages import read_value

_WORD = re.compile(rb"[a-z0-9_\x80-\xff]+")
T = TypeVar("T")


class Labelled(NamedTuple):
    """A mail as the learner reads it, and its label."""

    mail: Mail
    label: Label


def load(
    path: str,
    limit: int | None = None,
    shuffle: int | None = None,
    headers: str = "safe",
    notify: Callable[[str], None] = lambda text: None,
) -> list[Labelled]:
    """Read the labelled mails at `path` (as `feed` does), at most `limit`; mails nobody can read are left out.

    `notify` is told which files hold no mail.

    Raises UserError for a path that is no mail, or when fewer than two classes have mails.
    """
    mails: list[Labelled] = []
    for item in open_source(path, shuffle=shuffle, notify=notify):
        if limit is not None and len(mails) == limit:
            break
        if item.label is None:
            continue
        try:
            mails.append(Labelled(read_value(item.value, item.id, headers).mail, item.label))
        except BadRecord:
            continue
    classes = {label for _, label in mails}
    if len(classes) < 2:
        raise UserError(
            f"{path}: {len(mails)} labelled mails of {len(classes)} class(es); a study needs two classes, "
            "such as a folder with sub-folders ham and spam"
        )
    return mails


def divided(rows: list[T], sizes: tuple[int, ...], seed: int) -> list[list[T]]:
    """Disjoint random samples of the given sizes, in the order of `rows`; the same for the same seed. Row Q5.

    Raises UserError when there are too few rows.

    >>> [len(part) for part in divided(list(range(10)), (6, 2, 2), seed=0)]
    [6, 2, 2]
    """
    if sum(sizes) > len(rows):
        raise UserError(f"{sum(sizes)} mails are needed ({' + '.join(map(str, sizes))}), there are {len(rows)}")
    places = random.Random(seed).sample(range(len(rows)), sum(sizes))
    parts, at = [], 0
    for size in sizes:
        parts.append([rows[i] for i in sorted(places[at : at + size])])
        at += size
    return parts


def word_set(mail: Mail) -> dict[str, int]:
    """The distinct words of a mail, each with 1: what a dict learner reads."""
    words = {
        f"{part.name}:{word.decode('utf-8', 'replace')}" if part.name else word.decode("utf-8", "replace"): 1
        for part in mail.parts
        for word in _WORD.findall(part.text.lower())
    }
    return words | dict.fromkeys([word for word, count in mail.words if count > 0], 1)
