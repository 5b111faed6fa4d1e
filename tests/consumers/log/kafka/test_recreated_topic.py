"""A topic that is deleted and created again under a follower."""

from __future__ import annotations

import time
import uuid

import pytest

from consumers.errors import Restart
from consumers.log import open_log
from consumers.log.base import Log, ProducerRecord
from consumers.model.changelog import PLACE
from consumers.records.schemas import MODEL, TOPICS
from consumers.settings import KafkaSettings, Settings

PATIENCE_S = 60.0


def read_one(log: Log, next_offset: int) -> int:
    """The offset of the next record."""
    deadline = time.monotonic() + PATIENCE_S
    while not (records := log.read({PLACE: next_offset}, timeout_s=0.5)):
        assert time.monotonic() < deadline
    return records[0].offset


def test_a_follower_is_told_that_a_topic_begins_anew(kafka):
    from kafka import KafkaAdminClient

    settings = Settings(log=f"kafka://{kafka.bootstrap}", kafka=KafkaSettings(prefix=f"t{uuid.uuid4().hex[:8]}-"))
    topic = settings.kafka.prefix + MODEL
    admin = KafkaAdminClient(bootstrap_servers=kafka.bootstrap)
    with open_log(settings) as log, open_log(settings) as other:
        log.create_topics(TOPICS, 1)
        other.append([ProducerRecord(MODEL, b"%d" % n, b"value", 0) for n in range(5)])
        for offset in range(5):
            assert read_one(log, offset) == offset

        admin.delete_topics([topic])
        deadline = time.monotonic() + PATIENCE_S
        while topic in admin.list_topics():
            assert time.monotonic() < deadline
            time.sleep(0.1)
        with open_log(settings) as new:
            assert new.create_topics(TOPICS, 1) == [MODEL]
            new.append([ProducerRecord(MODEL, b"new", b"value", 0)])

        with pytest.raises(Restart, match=r"model\[0\] is at 1, and was read up to 5: .*created again"):
            read_one(log, 5)
        assert read_one(log, 0) == 0
    admin.close()
