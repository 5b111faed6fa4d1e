"""Finds labels that wait for a mail although a worker has scored the mail."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Mapping

from ..log.base import Log
from ..model.replica import Replica
from ..records.replay import read_predictions
from ..settings import Settings
from .class_limit import exceeds_max_classes
from .findings import Findings


def check_waiting_labels(
    log: Log, settings: Settings, replica: Replica, ends: Mapping[int, int], findings: Findings
) -> None:
    """Check that no label waits for one of the mails that workers must remember.

    A label may wait for a mail that workers have forgotten (`[worker] remember_mails`, `remember_days`), or whose entry
    they have evicted, and, where labels name more classes than `[learner] max_classes`, for one that arrived when the
    model had no room for its class.

    `ends` are where each partition of `predictions` ended before the replica was loaded: it may not know later mails.
    """
    waiting = {(partition, entry.id): entry for partition, entry in replica.entries() if entry.awaits_mail}
    if not waiting:
        return
    oldest = time.time() - settings.worker.remember_days * 86_400
    scored_next: dict[int, int] = defaultdict(int)
    hits: list[tuple[int, str, int, float]] = []
    for record, prediction in read_predictions(log):
        scored_next[record.partition] = max(scored_next[record.partition], prediction.next_offset)
        if record.offset < ends.get(record.partition, 0) and (record.partition, prediction.id) in waiting:
            hits.append((record.partition, prediction.id, prediction.next_offset, record.timestamp))
    full = bool(hits) and exceeds_max_classes(log, settings, replica)
    for partition, message_id, next_offset, timestamp in hits:
        label = waiting[partition, message_id].label
        later = scored_next[partition] - next_offset  # mails, and those fed twice, which workers remember too
        forgotten = later >= settings.worker.remember_mails or timestamp < oldest
        evicted = next_offset in replica.ledger(partition).evicted_mails
        if forgotten or evicted or full:
            findings.left_out["labels that came after workers had forgotten their mails"] += 1
        else:
            findings.differences.append(
                f"message {message_id!r} of partition {partition}: the label {label} waits for the mail, which was "
                f"scored at {next_offset - 1}; no fault if [worker] remember_mails or remember_days was smaller then"
            )
