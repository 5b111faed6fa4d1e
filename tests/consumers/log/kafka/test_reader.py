"""A scan that waits for a broker which does not answer says so."""

import pytest

from consumers.log import open_log
from consumers.log.base import ProducerRecord
from consumers.log.kafka import reader
from consumers.log.kafka.reader import KafkaReader
from consumers.records.schemas import EMAILS, TOPICS
from tests.support.own_log import own_messages

AT = reader.TopicPartition(EMAILS, 0)


@pytest.mark.parametrize(("tell_s", "lines"), [(0.0, 1), (60.0, 0)])
def test_a_scan_says_once_what_it_waits_for(settings, monkeypatch, caplog, tell_s, lines):
    late: list[list[object]] = [[], [], []]
    poll = KafkaReader._poll
    monkeypatch.setattr(KafkaReader, "_poll", lambda self, *asked: late.pop() if late else poll(self, *asked))
    monkeypatch.setattr(reader, "TELL_S", tell_s)
    with open_log(settings) as log:
        log.create_topics(TOPICS, 1)
        log.append([ProducerRecord(EMAILS, b"a", b"mail", 0)] * 3)
        assert [record.offset for record in log.scan(AT, 1)] == [1, 2]
    topic = f"{settings.kafka.prefix}{EMAILS}"
    text = f"{settings.log} has sent nothing for 0 s; still waiting for {topic}[0]@1; are the brokers up?"
    assert own_messages(caplog) == [text] * lines
