"""Errors of the plumbing; the class of an error says what happens next.

ConsumerError              a stage cannot go on: its process ends with status 1, and a supervisor starts it again
├── UserError              a mistake in a command, a setting or a path: status 2, not started again
│   ├── TopicMismatch      a topic exists with settings other than ours
│   ├── UnknownTopic       a topic does not exist
│   ├── MissingRight       the broker refuses this user a right
│   ├── LogDamaged         a file of the log is damaged, or records of it are gone
│   ├── UnknownFormat      records or files are in the format of another version
│   └── OtherModel         the log's model is not the one of the settings
├── LogUnavailable         the broker does not answer, or the files cannot be opened: status 75, started again
├── Restart                what was committed is in doubt: status 75, started again from the log
└── BadRecord              one record cannot be used: it goes to quarantine with its reason, and the stream goes on

A process that ends with one of these prints one line on stderr, and no traceback.
"""

from __future__ import annotations

from typing import ClassVar

import msgspec

STATUS_USER_ERROR = 2
"""Exit status of a process that a user's mistake ended; it must not be started again."""

STATUS_RESTART = 75
"""Exit status of a process that asks to be started again from the log (EX_TEMPFAIL)."""


class ConsumerError(Exception):
    """The root of all errors of this package; `exit_status` is that of a process which ends with it."""

    exit_status: ClassVar[int] = 1


class UserError(ConsumerError):
    """A mistake that its maker can mend; the message says how."""

    exit_status = STATUS_USER_ERROR


class TopicMismatch(UserError):
    """A topic exists with settings other than ours. What to do: follow the message, or use a fresh prefix."""


class UnknownTopic(UserError):
    """A topic does not exist. What to do: `stream-nb topics create`."""


class MissingRight(UserError):
    """The broker refuses this user a right. What to do: give it (docs/acls.md)."""


class LogDamaged(UserError):
    """A file of the log is damaged, or records of it are gone. What to do: put a backup in its place, or begin a fresh
    log."""


class UnknownFormat(UserError):
    """Records or files are in the format of another version. What to do: run one version, or start with a fresh log."""


class OtherModel(UserError):
    """The log's model is not the one of the settings. What to do: set the log's, or start with a fresh log."""


class LogUnavailable(ConsumerError):
    """The log cannot be reached or opened, which may pass: a machine that starts may have its services up before the
    broker. What to do: start the broker, or correct the address or the path."""

    exit_status = STATUS_RESTART


class Restart(ConsumerError):
    """What was committed is in doubt. The process drops its state and starts again from the log."""

    exit_status = STATUS_RESTART


class BadRecord(ConsumerError):
    """One record cannot be used.

    `reason` is a short fixed word for counting (``bad-json``), `detail` says what was wrong with the value.
    """

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail


UNDECODABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What a decoder of msgspec raises for bytes that it cannot read: brackets in brackets without end are the last one."""

PASSING = (Restart, LogUnavailable, TopicMismatch, UnknownTopic)
"""What may pass of itself for a stage that has found its log in order before: brokers come back, and topics are altered
one after the other. Such a stage starts again."""
