"""Numbers and categories of a message: those in its features, else measured on its text."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from stream_nb.types import Mail

from ..errors import UserError
from ..model.textbook_input import numbers
from .corpus import Labelled, has_words


def mail_numbers(mail: Mail) -> dict[str, float]:
    """Ten numbers of a mail's text (see `UNITS`); an empty mail has sizes and shares of 0.

    >>> from stream_nb.types import Part
    >>> mail_numbers(Mail((Part("", b"WIN $$$ now!"),)))["capitals"]
    0.25
    """
    text = b"\n".join(part.text for part in mail.parts)
    words = text.split()
    size = max(1, len(text))
    return {
        "log bytes": math.log1p(len(text)),
        "log words": math.log1p(len(words)),
        "log longest line": math.log1p(max(map(len, text.split(b"\n")))),
        "word length": sum(map(len, words)) / max(1, len(words)),
        "distinct words": len(set(words)) / max(1, len(words)),
        "capitals": sum(65 <= c <= 90 for c in text) / size,
        "digits": sum(48 <= c <= 57 for c in text) / size,
        "high bytes": sum(c >= 128 for c in text) / size,
        "exclamations": text.count(b"!") / size,
        "links": text.lower().count(b"http") / max(1, len(words)),
    }


UNITS = {
    "log bytes": "log(1 + bytes)",
    "log words": "log(1 + words)",
    "log longest line": "log(1 + bytes)",
    "word length": "bytes",
    "distinct words": "share of words",
    "capitals": "share of bytes",
    "digits": "share of bytes",
    "high bytes": "share of bytes",
    "exclamations": "share of bytes",
    "links": "per word",
}
"""The unit of each number of `mail_numbers`."""


def axis_label(feature: str) -> str:
    """The name of a number, `feature`, with its unit, if known."""
    return f"{feature} ({UNITS.get(feature, 'as given')})"


def numbers_of(mails: Sequence[Labelled], feature: str | None) -> list[Mapping[str, float]]:
    """The numbers of each message: those in its features, or, if no message has any, those measured on the text. Only
    those named in `feature`, separated by commas, are kept; None for all.

    Raises:
        UserError: No message has a number, or a number of one of these names.
    """
    rows: list[Mapping[str, float]] = [numbers(mail.mail) for mail in mails]
    if not any(rows) and not has_words(mails):
        raise UserError("no message has a number, or a word to measure; name a table with numbers")
    if not any(rows):
        rows = [mail_numbers(mail.mail) for mail in mails]
    if feature is None:
        return rows
    known, wanted = {name for row in rows for name in row}, [name.strip() for name in feature.split(",")]
    missing = [name for name in wanted if name not in known]
    if missing:
        raise UserError(f"--feature {missing[0]}: the numbers are {', '.join(sorted(known))}")
    return [{name: row[name] for name in wanted if name in row} for row in rows]


def with_features(mails: Sequence[Labelled]) -> list[Mail]:
    """The messages with their own numbers and categories, or, if none has any, with those measured on the text."""
    read = [mail.mail for mail in mails]
    if any(mail.features for mail in read):
        return read
    return [mail._replace(features=(*mail_categories(mail).items(), *mail_numbers(mail).items())) for mail in read]


def mail_categories(mail: Mail) -> dict[str, bool | str]:
    """Four categories of a mail's text."""
    text = b"\n".join(part.text for part in mail.parts).lower()
    return {
        "has a subject": any(part.name == "subject" and part.text.strip() for part in mail.parts),
        "has a link": b"http" in text,
        "exclaims": b"!" in text,
        "length": "short" if len(text) < 300 else "middling" if len(text) < 2000 else "long",
    }
