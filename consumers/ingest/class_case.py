"""Classes whose names differ only in case: separate ones, because a class is its exact name, but often meant as one."""

from __future__ import annotations

from collections.abc import Iterable

from ..records.values import Label
from .formats.columns import shown_names


def note_on_case(classes: Iterable[Label]) -> str | None:
    """What to say of `classes` whose names differ only in case; None if there are none.

    >>> note_on_case(["spam", "ham", "Spam"])
    'classes differ only in case, and are learned as separate ones: Spam, spam; give them one name if they are the same'
    >>> note_on_case(["spam", "ham"])
    """
    by_folded: dict[str, set[Label]] = {}
    for name in classes:
        by_folded.setdefault(name.casefold(), set()).add(name)
    alike = [name for _, names in sorted(by_folded.items()) if len(names) > 1 for name in sorted(names)]
    if not alike:
        return None
    return (
        f"classes differ only in case, and are learned as separate ones: {shown_names(alike)}; give them one name if "
        "they are the same"
    )
