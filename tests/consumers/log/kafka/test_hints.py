"""Lines that say what to do about an error of a real broker."""

from __future__ import annotations

import os
import time

import pytest

from consumers.errors import LogUnavailable, Restart
from consumers.log import open_log
from consumers.log.base import ProducerRecord, TopicPartition
from consumers.records.schemas import EMAILS, LABELS, PREDICTIONS, TOPICS
from tests.support.log_bench import take
from tests.support.waiting import until

CLOCK = r"the clock of this machine is ahead of the broker's"


def test_a_clock_ahead_of_the_broker_is_named(settings):
    tomorrow = time.time() + 86_400
    with open_log(settings) as log:
        log.create_topics(TOPICS, 1)
        log.append([ProducerRecord(EMAILS, b"a", b"a mail", 0)])
        with pytest.raises(LogUnavailable, match=CLOCK):
            log.append([ProducerRecord(EMAILS, b"b", b"a mail", 0, tomorrow)])
        member = log.join_group("workers", (EMAILS, LABELS), "here-0")
        take(member, 1)
        with pytest.raises(Restart, match=CLOCK):
            member.commit([ProducerRecord(PREDICTIONS, b"a", b"{}", 0, tomorrow)], {TopicPartition(EMAILS, 0): 1})
        member.close()


def test_a_limit_on_the_broker_that_is_too_small_is_named(settings, admin):
    from kafka.admin import ConfigResource

    with open_log(settings) as log:
        log.create_topics(TOPICS, 1)
        admin.alter_configs([ConfigResource("TOPIC", settings.kafka.prefix + EMAILS, {"max.message.bytes": "1000"})])
        lines: list[str] = []

        def refused() -> bool:  # the broker needs a moment to apply the setting
            try:
                log.append([ProducerRecord(EMAILS, b"a", os.urandom(9_000), 0)])
            except LogUnavailable as error:
                lines.append(str(error))
            return bool(lines)

        until(refused)
    assert "see max.message.bytes of the topics; `stream-nb topics create` says" in lines[0]
