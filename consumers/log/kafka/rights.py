"""What a user who lacks a right is told: which right, on what, and where the rights are listed."""

from __future__ import annotations

from collections.abc import Collection

from ...errors import LogUnavailable


def missing_right(where: str, operation: str, topics: Collection[str]) -> LogUnavailable:
    """The error of a user who may not do `operation` on these topics, as the broker names them.

    >>> print(missing_right("kafka://kafka-1:9092", "Write", ["model"]))
    kafka://kafka-1:9092: this user has no right Write on topic model; give it with kafka-acls (docs/acls.md)
    """
    named = f"topic{'s' if len(topics) > 1 else ''} {', '.join(sorted(topics))}"
    return LogUnavailable(
        f"{where}: this user has no right {operation} on {named}; give it with kafka-acls (docs/acls.md)"
    )
