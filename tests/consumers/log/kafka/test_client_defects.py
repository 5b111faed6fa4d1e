"""Defects of kafka-python that lose data silently or hang, on a real broker, and our workarounds.

If a test of a defect fails after an upgrade, the defect is probably fixed and its workaround can be removed.
"""

from __future__ import annotations

import subprocess
import sys
import uuid
from threading import Thread

import pytest

from consumers.errors import LogUnavailable, Restart
from consumers.log import open_log
from consumers.log.base import ProducerRecord, TopicPartition
from consumers.log.kafka.clients import KafkaError, find_position, make_partition, make_transactional_producer
from consumers.log.kafka.connection import connection
from consumers.records.schemas import EMAILS, PREDICTIONS, QUARANTINE, TOPICS
from consumers.settings import KafkaSettings, Settings
from tests.support.kafka_broker import Cluster
from tests.support.log_bench import everything, soon, take
from tests.support.waiting import until


@pytest.fixture(params=["OutOfOrderSequenceNumberError", "InvalidProducerEpochError"])
def broken_acknowledgement(request, monkeypatch):
    """The next batch is acknowledged with an error that makes the producer request a new epoch."""
    from kafka import errors
    from kafka.producer.sender import Sender

    complete, broken = Sender._complete_batch, []

    def complete_badly(self, batch, response):
        if self._transaction_manager is None or not self._transaction_manager.is_transactional() or broken:
            return complete(self, batch, response)
        broken.append(batch)
        return self._dispatch_error(batch, getattr(errors, request.param)(), response)

    monkeypatch.setattr(Sender, "_complete_batch", complete_badly)
    return broken


def test_kafka_python_reports_a_lost_transaction_as_committed(bench, kafka, broken_acknowledgement):
    """After an epoch bump during the commit, EndTxn is never sent, but the commit returns as if it had succeeded."""
    log = bench.ready()
    prefix = log._settings.prefix
    producer = make_transactional_producer(connection(kafka.bootstrap, log._settings), uuid.uuid4().hex)
    producer.init_transactions()
    producer.begin_transaction()
    sent = producer.send(prefix + PREDICTIONS, value=b"lost", partition=0)
    producer.commit_transaction()
    assert broken_acknowledgement
    assert sent.failed()
    producer.close()
    assert everything(log, PREDICTIONS) == []


def test_our_commit_of_a_lost_transaction_restarts_and_leaves_nothing(bench, broken_acknowledgement):
    log = bench.ready()
    log.append([ProducerRecord(EMAILS, b"a", b"mail", 0)])
    consumer = bench.join_group(log)
    take(consumer, 1)
    with pytest.raises(Restart, match="not acknowledged"):
        consumer.commit([ProducerRecord(PREDICTIONS, b"a", b"ham", 0)], {TopicPartition(EMAILS, 0): 1})
    assert broken_acknowledgement
    successor = bench.join_group(bench.open())
    assert successor.committed(TopicPartition(EMAILS, 0)) == 0
    assert everything(log, PREDICTIONS) == []


def test_a_commit_by_a_member_without_a_generation_is_refused(bench, monkeypatch):
    """With empty group metadata the broker does not check the generation, so a fenced member could commit."""
    log = bench.ready()
    log.append([ProducerRecord(EMAILS, b"a", b"mail", 0)])
    consumer = bench.join_group(log)
    metadata = consumer._consumer.group_metadata()
    nobody = type(metadata)(metadata.group_id, -1, "", metadata.group_instance_id)
    monkeypatch.setattr(consumer._consumer, "group_metadata", lambda: nobody)
    with pytest.raises(Restart, match="not a member"):
        take(consumer, 1)


@pytest.fixture(scope="module")
def three_brokers(kafka_or_skip, tmp_path_factory):
    cluster = Cluster(tmp_path_factory.mktemp("kafka"), 3).start()
    yield cluster
    cluster.stop()


def test_the_end_offset_is_found_after_the_leader_has_changed(three_brokers):
    """kafka-python refreshes its metadata when they are old, but not when a broker answers that it no longer leads."""
    from kafka import KafkaAdminClient

    place, partition = TopicPartition(EMAILS, 0), make_partition(EMAILS, 0)
    settings = Settings(log=f"kafka://{three_brokers.bootstrap}", kafka=KafkaSettings(replication=3))
    admin = KafkaAdminClient(bootstrap_servers=three_brokers.bootstrap)

    def described() -> dict:
        return admin.describe_topics([EMAILS])[0]["partitions"][0]

    with open_log(settings) as log:
        log.create_topics(TOPICS, 1)
        log.append([ProducerRecord(EMAILS, b"a", b"mail", 0)])
        assert log.end_offset(place) == 1
        leader, *others = described()["replica_nodes"]
        until(lambda: len(described()["isr_nodes"]) == 3)
        admin.alter_partition_reassignments({partition: [*others, leader]})
        until(lambda: described()["replica_nodes"] == [*others, leader])
        admin.elect_leaders(0, {EMAILS: [0]})
        until(lambda: described()["leader_id"] == others[0])
        assert log.end_offset(place) == 1
    admin.close()


def test_a_transaction_continues_after_its_coordinator_has_moved(three_brokers):
    """kafka-python loses the request that it was about to send to the stopped coordinator (`net_client`)."""
    settings = Settings(log=f"kafka://{three_brokers.bootstrap}", kafka=KafkaSettings(replication=3))
    producer = make_transactional_producer(connection(three_brokers.bootstrap, settings.kafka), "idle-meanwhile")
    producer.init_transactions()

    def commit(value: bytes) -> None:
        producer.begin_transaction()
        producer.send(QUARANTINE, value=value, partition=0)
        producer.flush(timeout=12.0)
        producer.commit_transaction()

    with open_log(settings) as log:
        log.create_topics(TOPICS, 1)
        commit(b"before")
        coordinator = producer._transaction_manager._transaction_coordinator
        node = three_brokers.nodes[int(coordinator.removeprefix("coordinator-")) - 1]
        node.stop()
        commit(b"after")
        node.start()
        three_brokers.wait()
        assert [record.value for record in soon(log, QUARANTINE, 2)] == [b"before", b"after"]
    producer.close()


POLL_TWICE = """
import sys
from kafka import KafkaConsumer, TopicPartition
from kafka.errors import CorruptRecordError

consumer = KafkaConsumer(bootstrap_servers=sys.argv[1], auto_offset_reset="earliest", enable_auto_commit=False)
consumer.assign([TopicPartition(sys.argv[2], 0)])
try:
    while not consumer.poll(timeout_ms=1000):
        pass
except CorruptRecordError:
    print("damage was reported", flush=True)
consumer.poll(timeout_ms=1000)
print("the second poll came back", flush=True)
"""
"""kafka-python alone; arguments: bootstrap servers, a topic whose first batch has a wrong checksum."""


@pytest.mark.slow
def test_kafka_python_hangs_in_the_second_poll_of_a_damaged_batch(kafka):
    """It loops in that batch forever, whatever the timeout; `corruption` never polls a damaged place twice."""
    from kafka import KafkaProducer

    topic = kafka.new_topic(partitions=1)
    producer = KafkaProducer(bootstrap_servers=kafka.bootstrap)
    producer.send(topic, b"a value that is long enough to be damaged", partition=0).get(timeout=30)
    producer.close()
    kafka.damage(topic, batch=0)

    command = [sys.executable, "-c", POLL_TWICE, kafka.bootstrap, topic]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "damage was reported\n"
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(timeout=8)
    finally:
        process.kill()
        assert process.communicate()[0] == ""


def test_a_position_that_no_broker_tells_is_an_error(bench, monkeypatch):
    """The client returns None, with which comparing and subtracting would end in a traceback."""
    from kafka.errors import KafkaConnectionError

    async def unanswered(*_):
        raise KafkaConnectionError

    log = bench.ready()
    client, partition = log._scanner.consumer, make_partition(log._settings.prefix + EMAILS, 0)
    monkeypatch.setattr(client._fetcher, "_send_list_offsets_request", unanswered)
    client.assign([partition])
    assert client.position(partition, timeout_ms=50) is None
    with pytest.raises(KafkaError, match=r"no answer where .*emails"):
        find_position(client, partition, 50)


def test_a_member_without_a_position_restarts(bench, monkeypatch):
    log = bench.ready()
    log.append([ProducerRecord(EMAILS, b"a", b"mail", 0)])
    member = bench.join_group(log)
    monkeypatch.setattr(member._consumer, "position", lambda *_, **__: None)
    with pytest.raises(Restart, match=r"position in .*no answer where"):
        member.lag(TopicPartition(EMAILS, 0))


def test_ends_that_lack_a_partition_of_a_topic_being_deleted_are_an_error(bench, monkeypatch):
    """The client raises KeyError, which ended the process with a traceback."""
    from kafka.consumer.fetcher import Fetcher

    async def without_partition(*_):
        return {}

    log = bench.ready()
    monkeypatch.setattr(Fetcher, "_fetch_offsets_by_times_async", without_partition)
    with pytest.raises(LogUnavailable, match=r"emails.*are the brokers up"):
        log.end_offset(TopicPartition(EMAILS, 0))
    member = log.join_group("workers", (EMAILS,), "w-0")
    with pytest.raises(Restart, match=r"poll: KeyError.*emails"):
        take(member, 1)


def test_a_log_closes_although_records_cannot_be_sent(bench):
    """As after Ctrl-C while the brokers are away: the library's own `close` waits for them, with no limit."""
    log = bench.ready()
    log.append([ProducerRecord(EMAILS, b"a", b"mail", 0)])
    feeder = log._feeder
    feeder._accumulator.ready = lambda *arguments, **keywords: (set(), 1.0, set())
    feeder.send(log._settings.prefix + EMAILS, value=b"unsent", partition=0)
    closing = Thread(target=log.close, daemon=True)
    closing.start()
    closing.join(60)
    assert not closing.is_alive()
