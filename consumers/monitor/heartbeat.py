"""Do the stages run? The monitor writes what it knows about this every few seconds, so that silence can be noticed."""

from __future__ import annotations

import msgspec

HEARTBEAT_S = 5.0
MONITOR_SILENT_S = 20.0
"""After so long without a heartbeat the monitor counts as silent."""
WORKER_SILENT_S = 30.0
"""After so long without a record of a worker, while records wait, the worker counts as silent."""


class Heartbeat(msgspec.Struct, frozen=True):
    """The record `heartbeat`; times are in seconds since 1970, and 0 says never.

    `timestamp` is when the monitor wrote it. `mails_waiting` and `labels_waiting` count what no worker has processed
    yet; `worker_at` is when a worker last wrote to the log, `idle_at` when this monitor last found nothing waiting. A
    worker is therefore silent since the later of the two. `unread` counts the predictions and labels that the monitor
    itself has not read: while they are many, the other figures are old.
    """

    timestamp: float
    mails_waiting: int
    labels_waiting: int
    worker_at: float
    idle_at: float
    unread: int
