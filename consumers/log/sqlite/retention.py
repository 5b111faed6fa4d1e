"""Deletes the oldest records of a topic, as far as they have expired and have been read.

Age depends on the clock, which may be wrong: a machine without a clock battery starts in 1970, or at the time when it
stopped, until it has asked the network; or its clock is ahead for a while. Records written in the meantime seem expired
once the clock is right. So a mail or label is deleted only after a worker has read it: a worker group has committed a
position after it. If there are several groups (one was renamed), the furthest position counts. So the log grows while
the worker is stopped or behind.

If no worker has ever read a topic, its latest `UNREAD_KEPT` records are kept, however old, so that a log that is fed
and never read does not grow forever.

Other topics expire by age alone, because their records come from mails that were read. A record dated in the future
keeps the records after it until it expires itself, so that the kept records have no gaps.
"""

from __future__ import annotations

from itertools import takewhile

from .file import SqliteFile

MORE_DELETED = 1000
"""A write deletes at most this many more records than it adds: a backlog shrinks, and no write takes long."""

UNREAD_KEPT = 100_000


def delete_old(file: SqliteFile, topic: str, before_ms: int, added: int, positions: SqliteFile | None) -> None:
    """Delete the oldest records of a topic, up to the first one that is unread or has not expired.

    Args:
        file: The topic's file, in a transaction.
        topic: The topic's name.
        before_ms: Records with an earlier timestamp have expired, in milliseconds since 1970.
        added: How many records are written now.
        positions: The file with the positions of the groups that must have read a record first; None if none must.
    """
    most = added + MORE_DELETED
    sql = "SELECT offset, timestamp_ms FROM records WHERE topic = ? ORDER BY offset LIMIT ?"
    first = file.row(sql, (topic, 1))
    if first is None or first[1] >= before_ms:
        return
    if positions is not None:
        read_to = _read_to(file, topic, positions)
        most = min(most, read_to - first[0])  # the offsets have no gaps, because such a topic is not compacted
        if most < 1:
            return
    old = [offset for offset, _ in takewhile(lambda row: row[1] < before_ms, file.rows(sql, (topic, most)))]
    file.execute("DELETE FROM records WHERE topic = ? AND offset <= ?", (topic, old[-1]))


def _read_to(file: SqliteFile, topic: str, positions: SqliteFile) -> int:
    """The offset of the first unread record; if no group reads the topic, of the first record to keep."""
    furthest = positions.row("SELECT max(next_offset) FROM positions WHERE topic = ?", (topic,))
    if furthest is not None and furthest[0] is not None:
        return furthest[0]
    end = file.row("SELECT next_offset FROM topics WHERE name = ?", (topic,))
    return 0 if end is None else end[0] - UNREAD_KEPT
