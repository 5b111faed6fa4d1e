"""Errors of the plumbing; the class of an error decides what happens next.

ConsumerError              a stage cannot go on: its process exits with status 1, and a supervisor restarts it
├── UserError              a mistake in a command, a setting or a path: status 2, not restarted
│   ├── TopicMismatch      a topic exists with settings other than ours
│   ├── UnknownTopic       a topic does not exist
│   ├── MissingRight       the broker denies this user a right
│   ├── LogDamaged         a file of the log is damaged, or some of its records are missing
│   ├── UnknownFormat      records or files are in the format of another version
│   └── OtherModel         the settings name another model than the log's
├── LogUnavailable         the broker does not answer, or the files cannot be opened: status 75, restarted
├── FilterUnavailable      no filter answers, or it cannot write a label: status 75, an MTA tries again
├── MailServerUnavailable  the mail server does not answer when a feed starts: status 75, restarted
├── Restart                it is unknown what was committed: status 75, restarted from the log
└── BadRecord              one record cannot be used: it goes to quarantine with the reason, and the stream goes on

A process that ends with one of these errors prints one line on stderr, and no traceback.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import ClassVar

import msgspec

STATUS_USER_ERROR = 2
"""Exit status after a user's mistake; the process must not be restarted."""

STATUS_RESTART = 75
"""Exit status of a process that asks to be restarted from the log (EX_TEMPFAIL)."""


class ConsumerError(Exception):
    """The root of all errors of this package; a process that it ends exits with `exit_status`."""

    exit_status: ClassVar[int] = 1


class UserError(ConsumerError):
    """A mistake that the user can fix; the message says how."""

    exit_status = STATUS_USER_ERROR


class TopicMismatch(UserError):
    """A topic exists with settings other than ours. What to do: follow the message, or use a fresh prefix."""


class UnknownTopic(UserError):
    """A topic does not exist. What to do: `stream-nb topics create`."""


class MissingRight(UserError):
    """The broker denies this user a right. What to do: grant it (docs/acls.md)."""


class LogDamaged(UserError):
    """A file of the log is damaged, or some of its records are missing. What to do: restore a backup, or start with a
    fresh log."""


class UnknownFormat(UserError):
    """Records or files are in the format of another version. What to do: run one version, or start with a fresh log."""


class OtherModel(UserError):
    """The settings name another model than the log's. What to do: set the log's model, or start with a fresh log."""


class LogUnavailable(ConsumerError):
    """The log cannot be reached or opened. This may be temporary: after a boot, services may be up before the broker.
    What to do: start the broker, or correct the address or the path."""

    exit_status = STATUS_RESTART


class FilterUnavailable(ConsumerError):
    """No filter answers, or it cannot write a label now. What to do: start it, or correct [filter] host and port."""

    exit_status = STATUS_RESTART


class MailServerUnavailable(ConsumerError):
    """The mail server does not answer when a feed starts, or no access token can be had. This may be temporary, as for
    the log. What to do: start the server, or correct the address."""

    exit_status = STATUS_RESTART


class Restart(ConsumerError):
    """It is unknown what was committed. The process drops its state and starts again from the log."""

    exit_status = STATUS_RESTART


class BadRecord(ConsumerError):
    """One record cannot be used.

    `reason` is a short fixed word to count by (``bad-json``), `detail` describes what is wrong with the value.
    """

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail


UNDECODABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""Errors that a msgspec decoder raises for bytes it cannot decode; RecursionError is for brackets nested too deeply."""

PASSING = (Restart, LogUnavailable, TopicMismatch, UnknownTopic)
"""Errors that may be temporary once a stage has found its log in order: brokers come back, and topics are altered one
by one. Such a stage starts again."""


@contextmanager
def compiling_or_error() -> Generator[None]:
    """Raise UserError if the block needs a kernel and numba may not compile here."""
    try:
        yield
    except ImportError as error:
        if error.name != "numba":
            raise
        raise UserError(str(error)) from error
