"""Errors of the plumbing; each class carries what to do about it.

ConsumerError
├── UserError          a mistake in a command, a setting or a path: one line on stderr, status 2
│   ├── TopicMismatch  a topic exists with other settings than ours
│   ├── UnknownTopic   a topic is not there
│   ├── LogUnavailable the broker does not answer, or the files cannot be opened
│   └── UnknownFormat  records or files are in the format of another version
├── Restart            any doubt about what was committed: drop all state, start again from the log
└── BadRecord           one record that cannot be used: it goes to quarantine with `reason`, the stream goes on
"""

from __future__ import annotations

STATUS_USER_ERROR = 2
"""Exit status of a process that a user's mistake ended; it must not be started again."""

STATUS_RESTART = 75
"""Exit status of a process that ended in doubt and asks to be started again from the log."""


class ConsumerError(Exception):
    """The root of all errors of this package."""


class UserError(ConsumerError):
    """A mistake its maker can mend; the message says how."""


class TopicMismatch(UserError):
    """A topic exists with settings other than ours. Operator action: follow the message, or use a fresh prefix."""


class UnknownTopic(UserError):
    """A topic does not exist. Operator action: `stream-nb topics create`."""


class LogUnavailable(UserError):
    """The log cannot be reached or opened. Operator action: start the broker, or mend the path."""


class UnknownFormat(UserError):
    """Records or files are in the format of another version. What to do: run one version, or start with a fresh log."""


class Restart(ConsumerError):
    """What was committed is in doubt. The process drops its state and starts again from the log."""


class BadRecord(ConsumerError):
    """One record cannot be used; `reason` is a short fixed word for counting, `detail` says what was wrong."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail
