"""The record log in SQLite files: no server, one machine, the same promises.

| file      | topics                         | written by                      |
|-----------|--------------------------------|---------------------------------|
| `in.db`   | emails, labels                 | feeds, label buttons            |
| `out.db`  | predictions, model, quarantine | the worker                      |
| `view.db` | monitor                        | the monitor                     |

An SQLite file has one writer at a time, so each stage writes a file of its own and none waits for another. A group's
positions stand in the file that its member writes, so outputs and positions are one SQLite transaction. Topics have one
partition. Files, and folders made for them, are their owner's alone.

Records are kept for a time (`[sqlite] retention_days`), those of a compacted topic as long as they are the newest of
their key. Each write to a topic lets its oldest records go in the same transaction; SQLite uses their room again.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Mapping, Sequence
from itertools import takewhile
from pathlib import Path

from ...errors import LogUnavailable, TopicMismatch, UnknownTopic
from ...runtime.pause import pause
from ...runtime.private_files import make_file, make_folder
from ...settings import SqliteSettings
from ..base import Log, ProducerRecord, Record, TopicPartition, TopicSpec
from .consumer import SqliteGroupConsumer

FILES = {"emails": "in", "labels": "in", "monitor": "view"}
OTHER = "out"
WRITES = {"in": "out", "out": "view"}
"""A member that reads one file writes the next."""

SLEEP_S = (0.001, 0.02)
LET_GO_MORE = 1000
"""A write lets go of at most so many more old records than it adds: a backlog goes, and no write takes long."""

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
    """The log in a folder. Raises LogUnavailable when it cannot be opened, or, without `create`, is not there."""

    def __init__(self, folder: Path, kept: SqliteSettings | None = None, create: bool = True) -> None:
        if not create and not (folder / "in.db").is_file():
            raise LogUnavailable(
                f"sqlite:{folder}: no log is here; check --log and STREAM_NB_LOG, or begin one with `stream-nb feed`"
            )
        self._folder = folder
        self._keep_ms = round((kept or SqliteSettings()).retention_days * 86_400_000)
        self._files: dict[str, sqlite3.Connection] = {}
        try:
            make_folder(folder)
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
        wait_s, longest = SLEEP_S
        while True:
            found = [self._select(at, next_offset, limit) for at, next_offset in next_offsets.items()]
            if any(found) or time.monotonic() >= deadline:
                return _fair(found, limit)
            pause(wait_s)
            wait_s = min(longest, 1.5 * wait_s)

    def read_at(self, at: TopicPartition, offset: int) -> Record | None:
        found = self._select(at, offset, 1)
        return found[0] if found and found[0].offset == offset else None

    def append(self, drafts: Sequence[ProducerRecord]) -> None:
        for name in dict.fromkeys(_file_of(draft.topic) for draft in drafts):
            self.write(name, [draft for draft in drafts if _file_of(draft.topic) == name])

    def join(self, group: str, topics: Sequence[str], member: str) -> SqliteGroupConsumer:
        return SqliteGroupConsumer(self, group, topics, WRITES[_file_of(topics[0])], self._folder / f"{group}.lock")

    def close(self) -> None:
        for file in self._files.values():
            file.close()
        self._files = {}

    def write(
        self, name: str, drafts: Sequence[ProducerRecord], positions: Mapping[tuple[str, str], int] | None = None
    ) -> None:
        """Append drafts to the file of their topics and set group positions there, in one transaction.

        Raises LogUnavailable when the file refuses, and ValueError for a topic of another file.
        """
        file = self._files[name]
        try:
            with file:
                file.execute("BEGIN IMMEDIATE")
                self._add(name, drafts)
                file.executemany(
                    "INSERT OR REPLACE INTO positions VALUES (?, ?, ?)",
                    [(group, topic, offset) for (group, topic), offset in (positions or {}).items()],
                )
        except sqlite3.Error as error:
            raise LogUnavailable(
                f"sqlite:{self._folder}: {name}.db: {error}; is the disk full or read-only?"
            ) from error

    def position(self, name: str, group: str, topic: str) -> int | None:
        """A group's committed next_offset, kept in file `name`; None when there is none yet."""
        row = self._files[name].execute(
            "SELECT next_offset FROM positions WHERE consumer = ? AND topic = ?", (group, topic)
        )
        found = row.fetchone()
        return None if found is None else found[0]

    def _add(self, name: str, drafts: Sequence[ProducerRecord]) -> None:
        file = self._files[name]
        now_ms = int(time.time() * 1000)
        ends: dict[str, list[int]] = {}
        for draft in drafts:
            if draft.topic not in ends:
                if _file_of(draft.topic) != name:
                    raise ValueError(f"{draft.topic} stands in {_file_of(draft.topic)}.db, not in {name}.db")
                ends[draft.topic] = list(self._topic(draft.topic))
                if not ends[draft.topic][0]:
                    self._let_go(draft.topic, now_ms - self._keep_ms, len(drafts) + LET_GO_MORE)
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

    def _let_go(self, topic: str, before_ms: int, most: int) -> None:
        """Delete the oldest records of a topic up to the first that is young enough: mostly the first of all."""
        file = self._file(topic)
        oldest = file.execute(
            "SELECT offset, at_ms FROM records WHERE topic = ? ORDER BY offset LIMIT ?", (topic, most)
        )
        old = [offset for offset, _ in takewhile(lambda row: row[1] < before_ms, oldest)]
        oldest.close()
        if old:
            file.execute("DELETE FROM records WHERE topic = ? AND offset <= ?", (topic, old[-1]))

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

    def _replace(self, file: sqlite3.Connection, draft: ProducerRecord, offset: int) -> None:
        """Drop the record that this key had before: a compacted topic keeps the newest, and no tombstone."""
        old = file.execute("SELECT offset FROM newest WHERE topic = ? AND key = ?", (draft.topic, draft.key)).fetchone()
        if old is not None:
            file.execute("DELETE FROM records WHERE topic = ? AND offset = ?", (draft.topic, old[0]))
        if draft.value is None:
            file.execute("DELETE FROM newest WHERE topic = ? AND key = ?", (draft.topic, draft.key))
        else:
            file.execute("INSERT OR REPLACE INTO newest VALUES (?, ?, ?)", (draft.topic, draft.key, offset))


def _fair(found: list[list[Record]], limit: int) -> list[Record]:
    """At most `limit` records, none of a topic with a backlog at the price of a topic with few."""
    records: list[Record] = []
    for left, some in zip(range(len(found), 0, -1), sorted(found, key=len), strict=True):
        records += some[: max(1, (limit - len(records)) // left)]
    return records[:limit]


def _file_of(topic: str) -> str:
    return FILES.get(topic, OTHER)


def _open(path: Path) -> sqlite3.Connection:
    make_file(path)  # SQLite gives the files beside it the same mode
    file = sqlite3.connect(path, timeout=30.0, isolation_level=None)
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "wal_autocheckpoint=4000", f"mmap_size={1 << 30}"):
        file.execute(f"PRAGMA {pragma}")
    file.executescript(SCHEMA)
    return file
