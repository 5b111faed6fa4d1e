"""Errors of the learner; a caller's wrong argument is a plain ValueError or TypeError.

ValueError
├── SnapshotError   bytes are not a snapshot of the model asked for
└── MailError       one mail cannot be read; `reason` is a fixed word for counting
"""

from __future__ import annotations


class SnapshotError(ValueError):
    """Bytes that are not a whole, undamaged snapshot of the model asked for; the message says what is wrong."""


class MailError(ValueError):
    """A mail that cannot be read; `reason` is ``empty`` or ``oversized``, the message says what was wrong."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
