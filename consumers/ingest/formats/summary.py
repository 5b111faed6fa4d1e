"""A one-line summary of a source, for people, before its mails are fed."""

from __future__ import annotations

import itertools
from collections import Counter

from ...records.number_text import many
from .base import MailSource

NOT_SENT = "; labels are not sent without --labels"


def summarize(source: MailSource, limit: int | None = None, count: bool = False, sent: bool = True) -> str:
    """The number of mails, files and mails of each class, as text.

    Args:
        limit: The maximal number of mails; None for all.
        count: Whether to read a source to its end if the numbers are not known otherwise.
        sent: Whether labels are sent; if not, a summary with classes says so.

    Raises:
        UserError: Reading fails.
    """
    if source.files is not None:
        files = source.files[:limit]
        found = many(len({file.path for file in files}), "file")
        return f"{many(len(files), 'mail')} from {found}: {_classes(Counter(file.label for file in files), sent)}"
    if count:
        labels = Counter(item.label for item in itertools.islice(source, limit))
        return f"{many(labels.total(), 'mail')} ({source.about}): {_classes(labels, sent)}"
    label = "" if source.label is None else f" of the class {source.label}"
    if source.total is not None:
        return f"{many(source.total, 'mail')}{label} ({source.about})"
    unknown = "their number and classes are" if source.label is None else "their number is"
    return f"mails{label} ({source.about}); {unknown} only known at the end"


def _classes(labels: Counter[str | None], sent: bool) -> str:
    named = sorted((label, number) for label, number in labels.items() if label is not None)
    parts = [f"{number:,} {label}" for label, number in named]
    if labels[None]:
        parts.append(f"{labels[None]:,} without a class")
    return (", ".join(parts) or "none") + (NOT_SENT if named and not sent else "")
