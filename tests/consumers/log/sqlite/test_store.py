"""Waiting for records costs little: topics are read only when something was committed."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

from consumers.log.base import ProducerRecord, TopicPartition
from consumers.log.sqlite.log import SqliteLog
from consumers.log.sqlite.store import SqliteStore
from consumers.records.schemas import EMAILS, LABELS, TOPICS


def test_topics_are_read_again_only_after_a_commit(tmp_path, monkeypatch):
    """Reading each topic at each look was half of what an idle stage cost."""
    reads = []

    def counted(topic, next_offset, limit):
        reads.append(topic)
        return SqliteStore.select(store, topic, next_offset, limit)

    def append() -> None:
        with SqliteLog(tmp_path) as other:
            other.append([ProducerRecord(LABELS, b"1", b"x")])

    with SqliteLog(tmp_path) as log, closing(SqliteStore(tmp_path, 30.0)) as store:
        monkeypatch.setattr(store, "select", counted)
        log.create_topics(TOPICS, 1)
        places = {TopicPartition(EMAILS, 0): 0, TopicPartition(LABELS, 0): 0}
        assert store.read(places, 100, 0.3) == []
        assert sorted(reads) == [EMAILS, LABELS]
        with ThreadPoolExecutor() as pool:
            pool.submit(append)
            assert [record.value for record in store.read(places, 100, 30.0)] == [b"x"]
