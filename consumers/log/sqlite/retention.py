"""Which old records of a topic are deleted: the oldest, as far as they are too old and have been read.

Age is that of the clock, and a clock may be wrong: a machine without a battery for it starts in 1970 or where it
stopped, and is right once it has asked the network; or it is ahead for a while. What was written meanwhile then looks
too old at once. So a mail or label goes only when a worker has read it, too: the position that a group of workers has
committed lies behind it. Of several groups (one was renamed) the furthest counts. The log therefore grows for as long
as a worker is stopped, or behind.

A topic that no worker has read from yet keeps its latest `UNREAD_KEPT` records however old, so that a log which is fed
and never read does not grow without end.

Other topics go by age alone: what is in them comes from mails that were read. A record that is dated ahead keeps those
behind it until it is old itself, so that what is kept has no holes.
"""

from __future__ import annotations

from itertools import takewhile

from .file import SqliteFile

MORE_DELETED = 1000
"""A write deletes at most so many more old records than it adds: a backlog shrinks, and no write takes long."""

UNREAD_KEPT = 100_000


def delete_old(file: SqliteFile, topic: str, before_ms: int, added: int, positions: SqliteFile | None) -> None:
    """Delete the oldest records of a topic up to the first that is young enough or unread: mostly the first of all.

    Args:
        file: The topic's file, in a transaction.
        topic: Its name.
        before_ms: What is dated before this is too old, in milliseconds since 1970.
        added: How many records are written now.
        positions: The file with the positions of those who must have read a record before it goes; None for nobody.
    """
    most = added + MORE_DELETED
    sql = "SELECT offset, timestamp_ms FROM records WHERE topic = ? ORDER BY offset LIMIT ?"
    first = file.row(sql, (topic, 1))
    if first is None or first[1] >= before_ms:
        return
    if positions is not None:
        read_to = _read_to(file, topic, positions)
        most = min(most, read_to - first[0])  # such a topic is not compacted: its offsets are dense
        if most < 1:
            return
    old = [offset for offset, _ in takewhile(lambda row: row[1] < before_ms, file.rows(sql, (topic, most)))]
    file.execute("DELETE FROM records WHERE topic = ? AND offset <= ?", (topic, old[-1]))


def _read_to(file: SqliteFile, topic: str, positions: SqliteFile) -> int:
    """The offset of the first record that is unread, or that is kept though nobody reads the topic."""
    furthest = positions.row("SELECT max(next_offset) FROM positions WHERE topic = ?", (topic,))
    if furthest is not None and furthest[0] is not None:
        return furthest[0]
    end = file.row("SELECT next_offset FROM topics WHERE name = ?", (topic,))
    return 0 if end is None else end[0] - UNREAD_KEPT
