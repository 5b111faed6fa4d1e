"""Are the stages alive? What the monitor knows of it, told every few seconds, so that silence can be noticed."""

from __future__ import annotations

import msgspec


class Heartbeat(msgspec.Struct, frozen=True):
    """The record `heartbeat`; times are in seconds since 1970, and 0 says never.

    `at` is when the monitor wrote it. `mails_waiting` and `labels_waiting` count what no worker has acted on yet;
    `worker_at` is when a worker last put anything on the log, `idle_at` when this monitor last saw nothing waiting.
    A worker is therefore silent since the later of the two. `unread` counts the predictions and labels that the monitor
    itself has not read: while they are many, the other figures are of the past.
    """

    at: float
    mails_waiting: int
    labels_waiting: int
    worker_at: float
    idle_at: float
    unread: int
