"""The record log in SQLite files: no server, one machine, the same contract (`consumers.log.base`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ...errors import TopicMismatch, UserError
from ...runtime.paths import exists, is_folder
from ...settings import SqliteSettings
from ..base import Log, ProducerRecord, Record, TopicPartition, TopicSpec
from ..ends import check_ends
from .consumer import SqliteGroupConsumer
from .store import SqliteStore, name_of_file, output_file


class SqliteLog(Log):
    """The log in `folder`; with `create`, it is created in a folder that has none.

    Raises:
        UserError: The folder, or one above it, is a file.
        LogUnavailable: The log cannot be opened, or the folder has none and `create` is False.
        LogDamaged: A file is damaged.
        UnknownFormat: Another version wrote the files.
    """

    def __init__(self, folder: Path, settings: SqliteSettings | None = None, create: bool = True) -> None:
        self._store = SqliteStore(folder, (settings or SqliteSettings()).retention_days, create)

    def copy(self, folder: Path) -> None:
        """Copy the current log into `folder`, which must be empty or missing and then is a log; stages may be running.

        Raises:
            UserError: The folder is not empty, is a file, or is inside the log.
            LogUnavailable: Files cannot be read or written.
        """
        try:
            used = exists(folder) and (not is_folder(folder) or any(folder.iterdir()))
            inside = folder.resolve().is_relative_to(self._store.folder.resolve())
        except OSError as error:
            raise UserError(f"{folder}: {error.strerror}; name a folder that can be written") from error
        if used:
            raise UserError(f"{folder} is not an empty folder; name one that does not exist yet")
        if inside:
            raise UserError(f"{folder} is inside the log {self._store.folder}, and would be lost with it; name another")
        self._store.copy(folder)

    def create_topics(self, specs: Sequence[TopicSpec], partitions: int) -> list[str]:
        created = [spec.name for spec in specs if self._store.add_topic(spec.name, spec.compacted)]
        for spec in specs:
            if self._store.topic(spec.name).compacted != spec.compacted:
                kept, wanted = ("not ", "") if spec.compacted else ("", "not ")
                raise TopicMismatch(
                    f"{self._store.folder}: topic {spec.name} is {kept}compacted and should {wanted}be; "
                    "use a fresh folder"
                )
        return created

    def partitions(self, topic: str) -> int:
        self._store.topic(topic)
        return 1

    def start_offset(self, place: TopicPartition) -> int:
        return self._store.start_offset(place.topic)

    def end_offset(self, place: TopicPartition) -> int:
        return self._store.topic(place.topic).next_offset

    def read(
        self, next_offsets: Mapping[TopicPartition, int], limit: int = 1000, timeout_s: float = 0.0
    ) -> list[Record]:
        records = self._store.read(next_offsets, limit, timeout_s)
        if not records:
            check_ends(self, next_offsets)  # the folder may have been replaced with an older copy
        return records

    def read_at(self, place: TopicPartition, offset: int) -> Record | None:
        records = self._store.select(place.topic, offset, 1) if place.partition == 0 else []
        return records[0] if records and records[0].offset == offset else None

    def append(self, records: Sequence[ProducerRecord]) -> None:
        for name in dict.fromkeys(name_of_file(record.topic) for record in records):
            self._store.write(name, [record for record in records if name_of_file(record.topic) == name])

    def join_group(
        self,
        group: str,
        topics: Sequence[str],
        member: str,
        output: str | None = None,
        wait_bytes: int = 1,
        single_active: bool = False,
    ) -> SqliteGroupConsumer:
        file = output_file(topics[0]) if output is None else name_of_file(output)
        return SqliteGroupConsumer(self._store, group, topics, file)

    def close(self) -> None:
        self._store.close()
