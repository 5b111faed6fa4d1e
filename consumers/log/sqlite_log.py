"""The record log in SQLite files: no server, one machine, the same promises.

| file      | topics                         | written by                      |
|-----------|--------------------------------|---------------------------------|
| `in.db`   | emails, labels                 | feeds, label buttons            |
| `out.db`  | predictions, model, quarantine | the worker                      |
| `view.db` | monitor                        | the monitor                     |

An SQLite file has one writer at a time, so each stage writes a file of its own and none waits for another. A group's
positions stand in the file that its member writes, so outputs and positions are one SQLite transaction. Topics have one
partition, and a group one member: a lock that the kernel drops with the process is the fence.
"""

from __future__ import annotations

import fcntl
import sqlite3
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO

from consumers.errors import LogUnavailable, Restart, TopicMismatch, UnknownTopic
from consumers.log.base import Draft, Log, Membership, Record, TopicPartition, TopicSpec

FILES = {"emails": "in", "labels": "in", "monitor": "view"}
OTHER = "out"
WRITES = {"in": "out", "out": "view"}
"""A member that reads one file writes the next."""

FENCE_WAIT_S = 15.0
SLEEP_S = (0.001, 0.02)

SCHEMA = """
CREATE TABLE IF NOT EXISTS topics (name TEXT PRIMARY KEY, compacted INTEGER NOT NULL, next_offset INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS records (
    topic TEXT, offset INTEGER, key BLOB, value BLOB, at_ms INTEGER NOT NULL, PRIMARY KEY (topic, offset)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS newest (topic TEXT, key BLOB, offset INTEGER NOT NULL, PRIMARY KEY (topic, key))
    WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS positions (
    consumer TEXT, topic TEXT, next_offset INTEGER NOT NULL, PRIMARY KEY (consumer, topic)
) WITHOUT ROWID;
"""


class SqliteLog(Log):
    """The log in a folder; the folder is made when missing. Raises LogUnavailable when it cannot be opened."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[str, sqlite3.Connection] = {}
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for name in ("in", "out", "view"):
                self._files[name] = _open(folder / f"{name}.db")
        except (OSError, sqlite3.Error) as error:
            self.close()
            raise LogUnavailable(f"sqlite:{folder}: {error}; name a folder that can be written") from error

    def create_topics(self, specs: Sequence[TopicSpec], partitions: int) -> list[str]:
        created = []
        for spec in specs:
            file = self._file(spec.name)
            with file:
                file.execute("BEGIN IMMEDIATE")
                row = file.execute("SELECT compacted FROM topics WHERE name = ?", (spec.name,)).fetchone()
                if row is None:
                    file.execute("INSERT INTO topics VALUES (?, ?, 0)", (spec.name, spec.compacted))
                    created.append(spec.name)
                elif bool(row[0]) != spec.compacted:
                    raise TopicMismatch(
                        f"{self._folder}: topic {spec.name} is {'' if row[0] else 'not '}compacted and should "
                        f"{'not ' if row[0] else ''}be; use a fresh folder"
                    )
        return created

    def partitions(self, topic: str) -> int:
        self._topic(topic)
        return 1

    def start_offset(self, at: TopicPartition) -> int:
        first = self._file(at.topic).execute(
            "SELECT offset FROM records WHERE topic = ? ORDER BY offset LIMIT 1", (at.topic,)
        )
        row = first.fetchone()
        return self.end_offset(at) if row is None else row[0]

    def end_offset(self, at: TopicPartition) -> int:
        return self._topic(at.topic)[1]

    def read(
        self, next_offsets: Mapping[TopicPartition, int], limit: int = 1000, timeout_s: float = 0.0
    ) -> list[Record]:
        deadline = time.monotonic() + timeout_s
        pause, longest = SLEEP_S
        while True:
            found = [self._select(at, next_offset, limit) for at, next_offset in next_offsets.items()]
            if any(found) or time.monotonic() >= deadline:
                return _fair(found, limit)
            time.sleep(pause)
            pause = min(longest, 1.5 * pause)

    def read_at(self, at: TopicPartition, offset: int) -> Record | None:
        found = self._select(at, offset, 1)
        return found[0] if found and found[0].offset == offset else None

    def append(self, drafts: Sequence[Draft]) -> None:
        for name in dict.fromkeys(_file_of(draft.topic) for draft in drafts):
            try:
                self.write(name, [draft for draft in drafts if _file_of(draft.topic) == name])
            except sqlite3.Error as error:
                raise LogUnavailable(
                    f"sqlite:{self._folder}: {name}.db: {error}; is the disk full or read-only?"
                ) from error

    def join(self, group: str, topics: Sequence[str], member: str) -> SqliteMembership:
        return SqliteMembership(self, group, topics, _fence(self._folder / f"{group}.lock", group))

    def close(self) -> None:
        for file in self._files.values():
            file.close()
        self._files = {}

    def write(self, name: str, drafts: Iterable[Draft], positions: Mapping[tuple[str, str], int] | None = None) -> None:
        """Append drafts to one file and set group positions there, in one transaction."""
        file = self._files[name]
        with file:
            file.execute("BEGIN IMMEDIATE")
            now_ms = int(time.time() * 1000)
            ends: dict[str, list[int]] = {}
            for draft in drafts:
                if draft.topic not in ends:
                    ends[draft.topic] = list(self._topic(draft.topic))
                compacted, offset = ends[draft.topic]
                ends[draft.topic][1] += 1
                at_ms = now_ms if draft.at is None else round(draft.at * 1000)
                if compacted:
                    self._replace(file, draft, offset)
                    if draft.value is None:
                        continue
                file.execute(
                    "INSERT INTO records VALUES (?, ?, ?, ?, ?)", (draft.topic, offset, draft.key, draft.value, at_ms)
                )
            file.executemany(
                "UPDATE topics SET next_offset = ? WHERE name = ?", [(end, topic) for topic, (_, end) in ends.items()]
            )
            file.executemany(
                "INSERT OR REPLACE INTO positions VALUES (?, ?, ?)",
                [(group, topic, offset) for (group, topic), offset in (positions or {}).items()],
            )

    def position(self, name: str, group: str, topic: str) -> int | None:
        """A group's committed next_offset, kept in file `name`; None when there is none yet."""
        row = self._files[name].execute(
            "SELECT next_offset FROM positions WHERE consumer = ? AND topic = ?", (group, topic)
        )
        found = row.fetchone()
        return None if found is None else found[0]

    def _file(self, topic: str) -> sqlite3.Connection:
        return self._files[_file_of(topic)]

    def _topic(self, topic: str) -> tuple[bool, int]:
        row = self._file(topic).execute("SELECT compacted, next_offset FROM topics WHERE name = ?", (topic,)).fetchone()
        if row is None:
            raise UnknownTopic(f"{self._folder}: no topic {topic!r}; run `stream-nb topics create`")
        return bool(row[0]), row[1]

    def _select(self, at: TopicPartition, next_offset: int, limit: int) -> list[Record]:
        rows = self._file(at.topic).execute(
            "SELECT offset, key, value, at_ms FROM records WHERE topic = ? AND offset >= ? ORDER BY offset LIMIT ?",
            (at.topic, next_offset, limit),
        )
        return [Record(at.topic, 0, offset, key, value, at_ms / 1000) for offset, key, value, at_ms in rows]

    def _replace(self, file: sqlite3.Connection, draft: Draft, offset: int) -> None:
        """Drop the record that this key had before: a compacted topic keeps the newest, and no tombstone."""
        old = file.execute("SELECT offset FROM newest WHERE topic = ? AND key = ?", (draft.topic, draft.key)).fetchone()
        if old is not None:
            file.execute("DELETE FROM records WHERE topic = ? AND offset = ?", (draft.topic, old[0]))
        if draft.value is None:
            file.execute("DELETE FROM newest WHERE topic = ? AND key = ?", (draft.topic, draft.key))
        else:
            file.execute("INSERT OR REPLACE INTO newest VALUES (?, ?, ?)", (draft.topic, draft.key, offset))


class SqliteMembership(Membership):
    """The one seat of a group; it holds the lock file as long as it lives."""

    def __init__(self, log: SqliteLog, group: str, topics: Sequence[str], fence: IO[bytes]) -> None:
        self._log = log
        self._group = group
        self._writes = WRITES[_file_of(topics[0])]
        self._fence = fence
        self._places = frozenset(TopicPartition(topic, 0) for topic in topics)
        self._assignment: frozenset[TopicPartition] = frozenset()
        self._positions: dict[TopicPartition, int] = {}

    def poll(self, limit: int = 1000, timeout_s: float = 0.5) -> list[Record]:
        if not self._assignment:
            self._assignment = self._places
            self._positions = {at: self.committed(at) for at in self._places}
            return []
        records = self._log.read(self._positions, limit, timeout_s)
        for record in records:
            self._positions[TopicPartition(record.topic, record.partition)] = record.offset + 1
        return records

    @property
    def assignment(self) -> frozenset[TopicPartition]:
        return self._assignment

    def behind(self, at: TopicPartition) -> int | None:
        return self._log.end_offset(at) - self._positions[at]

    def committed(self, at: TopicPartition) -> int:
        position = self._log.position(self._writes, self._group, at.topic)
        return self._log.start_offset(at) if position is None else position

    def seek(self, at: TopicPartition, next_offset: int) -> None:
        self._positions[at] = next_offset

    def commit(self, drafts: Sequence[Draft], next_offsets: Mapping[TopicPartition, int]) -> None:
        elsewhere = {draft.topic for draft in drafts if _file_of(draft.topic) != self._writes}
        if elsewhere:
            raise ValueError(f"group {self._group!r} writes {self._writes}.db and cannot commit to {elsewhere}")
        positions = {(self._group, at.topic): next_offset for at, next_offset in next_offsets.items()}
        try:
            self._log.write(self._writes, drafts, positions)
        except sqlite3.Error as error:
            raise Restart(f"commit to {self._writes}.db: {error}") from error

    def close(self) -> None:
        self._fence.close()


def _fair(found: list[list[Record]], limit: int) -> list[Record]:
    """At most `limit` records, none of a topic with a backlog at the price of a topic with few."""
    records: list[Record] = []
    for left, some in zip(range(len(found), 0, -1), sorted(found, key=len), strict=True):
        records += some[: max(1, (limit - len(records)) // left)]
    return records[:limit]


def _file_of(topic: str) -> str:
    return FILES.get(topic, OTHER)


def _open(path: Path) -> sqlite3.Connection:
    file = sqlite3.connect(path, timeout=30.0, isolation_level=None)
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "wal_autocheckpoint=4000", f"mmap_size={1 << 30}"):
        file.execute(f"PRAGMA {pragma}")
    file.executescript(SCHEMA)
    return file


def _fence(path: Path, group: str) -> IO[bytes]:
    """Hold the group's lock; a predecessor that is just ending is waited for."""
    lock = path.open("wb")
    deadline = time.monotonic() + FENCE_WAIT_S
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return lock
        except BlockingIOError:
            if time.monotonic() > deadline:
                lock.close()
                raise LogUnavailable(
                    f"sqlite:{path.parent}: group {group!r} has a member already; stop it first (SQLite has one "
                    "partition and so one worker; Kafka takes many)"
                ) from None
            time.sleep(0.05)
