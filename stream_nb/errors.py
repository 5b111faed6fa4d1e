"""Errors of the learner; a caller's wrong argument is a plain ValueError or TypeError."""

from __future__ import annotations


class SnapshotError(ValueError):
    """Bytes that are not a whole, undamaged snapshot of the model asked for; the message says what is wrong."""
