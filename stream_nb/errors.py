"""Errors of the learner. A wrong argument raises a plain ValueError or TypeError.

ValueError
├── SnapshotError   the bytes are not a snapshot of the requested model
└── MailError       a mail cannot be read; `reason` is a fixed word for counting
"""

from __future__ import annotations


class SnapshotError(ValueError):
    """The bytes are not a complete, undamaged snapshot of the requested model; the message says what is wrong."""


class MailError(ValueError):
    """A mail cannot be read: `reason` is ``empty`` or ``oversized``, and the message gives the details."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
