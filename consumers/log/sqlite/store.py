"""Records and group positions in SQLite files.

| file        | topics                         | written by                      |
|-------------|--------------------------------|---------------------------------|
| `in.db`     | emails, labels, policy, feeds  | feeds, people                   |
| `out.db`    | predictions, model, quarantine | the worker                      |
| `sums.db`   | sums                           | the combiner                    |
| `view.db`   | monitor                        | the monitor                     |
| `health.db` | health                         | all stages, every few seconds   |

An SQLite file allows one writer at a time, so each stage writes to a file of its own and none waits for another. A
group's positions are in the file that its member writes, so outputs and positions are one SQLite transaction. Topics
have one partition. The files, and folders created for them, are readable by their owner only.

Records are kept for `[sqlite] retention_days`, mails and labels at least until a worker has read them (`retention.py`),
and records of a compacted topic as long as they are the newest of their key. Each write to a topic also deletes
expired records in the same transaction; SQLite reuses their space.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from ...errors import LogUnavailable, UnknownTopic, UserError
from ...runtime.paths import is_file
from ...runtime.pause import pause
from ...runtime.private_files import make_folder
from ..base import ProducerRecord, Record, TopicPartition
from ..read_size import until_large
from .file import SqliteFile, advice
from .retention import delete_old

NAMES = ("in", "out", "sums", "view", "health")
NAME_OF_TOPIC = {
    "emails": "in", "labels": "in", "policy": "in", "feeds": "in", "sums": "sums", "monitor": "view", "health": "health"
}  # fmt: skip
OTHER_TOPICS = "out"
NEXT_NAME = {"in": "out", "out": "view"}

SLEEP_S = (0.001, 0.02)
"""The first and the longest pause between two checks for new records."""


class StoredTopic(NamedTuple):
    """A topic's row in its file: whether it is compacted, and the offset of its next record."""

    compacted: bool
    next_offset: int


class SqliteStore:
    """The files in `folder`, which keep records for `retention_days`, more than 0; with `create`, they are created in a
    folder that has none.

    Raises:
        UserError: The folder, or one above it, is a file.
        LogUnavailable: The files cannot be opened or created, or are missing and `create` is False.
        LogDamaged: A file is damaged.
        UnknownFormat: Another version wrote the files.
    """

    def __init__(self, folder: Path, retention_days: float, create: bool = True) -> None:
        self.folder = folder
        self._retention_ms = round(retention_days * 86_400_000)
        self._files: dict[str, SqliteFile] = {}
        try:
            if not create and not is_file(folder / "in.db"):
                raise LogUnavailable(
                    f"sqlite:{folder}: no log is here; check --log and STREAM_NB_LOG, or start one with "
                    "`stream-nb feed`"
                )
            make_folder(folder)
            for name in NAMES:
                self._files[name] = SqliteFile(folder / f"{name}.db")
        except OSError as error:
            if isinstance(error, FileExistsError) and is_file(Path(error.filename)):
                raise UserError(f"sqlite:{folder}: {error.filename} is a file; name a folder") from error
            raise LogUnavailable(f"sqlite:{folder}: {error.strerror}; {advice(error)}") from error
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the files; closing twice is allowed."""
        for file in self._files.values():
            file.close()
        self._files = {}

    def copy(self, folder: Path) -> None:
        """Copy the committed content to files in `folder`, which is created; readers and writers are not blocked.

        The content is that of the beginning, of one file a moment after the other, from the last stage to the first, so
        that the copy has whatever a record refers to, and mails that are read and deleted meanwhile.
        """
        try:
            make_folder(folder)
        except OSError as error:
            raise LogUnavailable(f"{folder}: {error.strerror}; name a folder that can be written") from error
        with ExitStack() as snapshots:
            for name in NAMES[::-1]:
                snapshots.enter_context(self._files[name].snapshot())
            for name in NAMES[::-1]:
                self._files[name].copy(folder / f"{name}.db")

    def add_topic(self, topic: str, compacted: bool) -> bool:
        """Create `topic`, `compacted` or not, unless it exists; returns whether it was created."""
        file = self._file(topic)
        with file.transaction():
            return file.execute("INSERT OR IGNORE INTO topics VALUES (?, ?, 0)", (topic, compacted)) == 1

    def topic(self, topic: str) -> StoredTopic:
        """The current state of `topic`; raises UnknownTopic."""
        row = self._file(topic).row("SELECT compacted, next_offset FROM topics WHERE name = ?", (topic,))
        if row is None:
            raise UnknownTopic(f"{self.folder}: no topic {topic!r}; run `stream-nb topics create`")
        return StoredTopic(bool(row[0]), row[1])

    def start_offset(self, topic: str) -> int:
        """The offset of the oldest record of `topic`, or its next offset when there is none."""
        # One statement: between two, a first record could be appended, and would lie before the returned start.
        row = self._file(topic).row(
            "SELECT ifnull((SELECT offset FROM records WHERE topic = name ORDER BY offset LIMIT 1), next_offset) "
            "FROM topics WHERE name = ?",
            (topic,),
        )
        return self.topic(topic).next_offset if row is None else row[0]

    def select(self, topic: str, next_offset: int, limit: int) -> list[Record]:
        """Up to `limit` (1 or more) records of `topic` from `next_offset` on; fewer if they are large."""
        rows = self._file(topic).each(
            "SELECT offset, key, value, timestamp_ms FROM records WHERE topic = ? AND offset >= ? ORDER BY offset "
            "LIMIT ?",
            (topic, next_offset, limit),
        )
        return until_large(Record(topic, 0, offset, key, value, ms / 1000) for offset, key, value, ms in rows)

    def read(self, next_offsets: Mapping[TopicPartition, int], limit: int, timeout_s: float) -> list[Record]:
        """Like `Log.read` (same `next_offsets`, `limit` and `timeout_s`)."""
        deadline = time.monotonic() + timeout_s
        wait_s, longest_s = SLEEP_S
        files, seen = {self._file(place.topic) for place in next_offsets}, {}
        while True:
            # Read before the records: a commit in between is then found again, not missed.
            versions = {file: file.version() for file in files}
            if versions != seen:  # else the records are the same, and reading each topic costs a multiple
                seen = versions
                found = [self.select(place.topic, next_offset, limit) for place, next_offset in next_offsets.items()]
                if any(found):
                    return _share(found, limit)
            if time.monotonic() >= deadline:
                return []
            pause(wait_s)
            wait_s = min(longest_s, 1.5 * wait_s)

    def position(self, name: str, group: str, topic: str) -> int | None:
        """The committed next_offset of `group` in `topic`, from the file `name`; None when there is none yet."""
        row = self._files[name].row(
            "SELECT next_offset FROM positions WHERE consumer = ? AND topic = ?", (group, topic)
        )
        return None if row is None else row[0]

    def write(
        self, name: str, records: Sequence[ProducerRecord], positions: Mapping[tuple[str, str], int] | None = None
    ) -> None:
        """Append records and set positions in one transaction.

        Args:
            name: The name of the file: one of `NAMES`.
            records: The records, of topics in this file.
            positions: The next offsets by (group, topic); the topic may be in another file. None for no positions.

        Raises:
            LogUnavailable: The file cannot be written.
            ValueError: A record belongs to a topic in another file.
        """
        file = self._files[name]
        with file.transaction():
            self._append(name, records)
            file.execute_many(
                "INSERT OR REPLACE INTO positions VALUES (?, ?, ?)",
                [(group, topic, offset) for (group, topic), offset in (positions or {}).items()],
            )

    def _append(self, name: str, records: Sequence[ProducerRecord]) -> None:
        file = self._files[name]
        now_ms = int(time.time() * 1000)
        topics: dict[str, StoredTopic] = {}
        for record in records:
            if record.topic not in topics:
                if name_of_file(record.topic) != name:
                    raise ValueError(f"{record.topic} is in {name_of_file(record.topic)}.db, not in {name}.db")
                topics[record.topic] = self.topic(record.topic)
                if not topics[record.topic].compacted:
                    readers = self._files[NEXT_NAME[name]] if name == "in" else None
                    delete_old(file, record.topic, now_ms - self._retention_ms, len(records), readers)
            compacted, offset = topics[record.topic]
            topics[record.topic] = StoredTopic(compacted, offset + 1)
            if compacted:
                self._replace(file, record, offset)
                if record.value is None:
                    continue
            timestamp_ms = now_ms if record.timestamp is None else round(record.timestamp * 1000)
            file.execute(
                "INSERT INTO records VALUES (?, ?, ?, ?, ?)",
                (record.topic, offset, record.key, record.value, timestamp_ms),
            )
        file.execute_many(
            "UPDATE topics SET next_offset = ? WHERE name = ?",
            [(stored.next_offset, topic) for topic, stored in topics.items()],
        )

    def _replace(self, file: SqliteFile, record: ProducerRecord, offset: int) -> None:
        """Delete the key's previous record, because a compacted topic keeps only the newest, and no tombstones."""
        topic, key = record.topic, record.key
        old = file.row("SELECT offset FROM newest WHERE topic = ? AND key = ?", (topic, key))
        if old is not None:
            file.execute("DELETE FROM records WHERE topic = ? AND offset = ?", (topic, old[0]))
        if record.value is None:
            file.execute("DELETE FROM newest WHERE topic = ? AND key = ?", (topic, key))
        else:
            file.execute("INSERT OR REPLACE INTO newest VALUES (?, ?, ?)", (topic, key, offset))

    def _file(self, topic: str) -> SqliteFile:
        return self._files[name_of_file(topic)]


def name_of_file(topic: str) -> str:
    """The file that holds `topic`: one of `NAMES`."""
    return NAME_OF_TOPIC.get(topic, OTHER_TOPICS)


def output_file(topic: str) -> str:
    """The file that a consumer of `topic` (in `in.db` or `out.db`) writes: the one of the next stage."""
    return NEXT_NAME[name_of_file(topic)]


def _share(found: list[list[Record]], limit: int) -> list[Record]:
    """At most `limit` records, shared fairly so that a topic with a backlog does not crowd out one with few records."""
    records: list[Record] = []
    for topics_left, of_topic in zip(range(len(found), 0, -1), sorted(found, key=len), strict=True):
        records += of_topic[: max(1, (limit - len(records)) // topics_left)]
    return records[:limit]
