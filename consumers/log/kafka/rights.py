"""The error for a missing right: which user lacks which right on what, and where the rights are documented."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from ...errors import MissingRight
from .clients import (
    AuthorizationError,
    GroupAuthorizationFailedError,
    TopicAuthorizationFailedError,
    TransactionalIdAuthorizationFailedError,
)
from .connection import Connection

_NO_PRODUCER_ID = "ClusterAuthorizationFailedError"
"""What the broker answers, within another error of the library, to a producer of a user who may write to no topic."""


class Rights:
    """The rights that one client needs, with the name of its `group` on the broker and its `transactional_id` (empty:
    it has none)."""

    def __init__(self, connection: Connection, group: str = "", transactional_id: str = "") -> None:
        self._where = connection.where
        name = connection.get("sasl_plain_username")
        self._user = f"user {name}" if name else "this user"
        self._group = group
        self._transactional_id = transactional_id

    def missing(self, error: AuthorizationError, operation: str, topics: Collection[str]) -> MissingRight:
        """The error that names the right whose lack made the library raise `error`: the right to do `operation`, such
        as ``Read`` or ``Write``, with `topics` by their names on the broker, unless the error names some.

        >>> rights = Rights(Connection(bootstrap_servers=["kafka-1:9092"], sasl_plain_username="worker"))
        >>> print(rights.missing(TopicAuthorizationFailedError(), "Write", ["model"]))
        kafka://kafka-1:9092: user worker has no right Write on topic model; grant it with kafka-acls (docs/acls.md)
        """
        if isinstance(error, GroupAuthorizationFailedError):
            operation, named = "Read", f"group {self._group}"
        elif isinstance(error, TransactionalIdAuthorizationFailedError):
            operation, named = "Write", f"transactional id {self._transactional_id}"
        else:
            topics = _named(error) or topics
            named = f"topic{'s' if len(topics) > 1 else ''} {', '.join(sorted(topics))}"
        return MissingRight(
            f"{self._where}: {self._user} has no right {operation} on {named}; grant it with kafka-acls (docs/acls.md)"
        )


def refusal(errors: Collection[BaseException | None]) -> AuthorizationError | None:
    """One error that names all topics to which access was denied, of the `errors` of the records of one call (None:
    acknowledged); None if there are none."""
    refused = [error for error in errors if isinstance(error, AuthorizationError)]
    topics = {topic for error in refused for topic in _named(error)}
    if not refused and any(_NO_PRODUCER_ID in repr(error) for error in errors):
        return TopicAuthorizationFailedError()
    return TopicAuthorizationFailedError(topics) if topics else next(iter(refused), None)


def _named(error: AuthorizationError) -> Collection[str]:
    """The topics named by an error."""
    named: Any = error.args[0] if isinstance(error, TopicAuthorizationFailedError) and error.args else ()
    return [named] if isinstance(named, str) else named
