"""The brokers of the tests, `make kafka` and Docker have the same settings and version; topic settings and errors."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
from contextlib import closing

import pytest
from kafka import KafkaConsumer
from kafka.admin import ConfigResource, ConfigResourceType
from msgspec.structs import replace

from consumers.errors import LogUnavailable, TopicMismatch, UnknownTopic
from consumers.log import open_log
from consumers.log.kafka.clients import make_admin, make_topic_resource
from consumers.log.kafka.connection import connection
from consumers.log.kafka.topic_names import TopicNames
from consumers.log.kafka.topics import create_topics
from consumers.records.schemas import EMAILS, LABELS, MODEL, PREDICTIONS, TOPICS
from consumers.settings import KafkaSettings, Settings
from tests.support.kafka_broker import PROPERTIES, ROOT, _read
from tests.support.ports import free_ports

# Addresses and folders differ between a host and a container; nothing else may.
ADDRESSES = {
    "listeners",
    "advertised.listeners",
    "inter.broker.listener.name",
    "listener.security.protocol.map",
    "controller.quorum.voters",
    "log.dirs",
}
COMPOSE = (ROOT / "config" / "compose.yaml").read_text()


def make_topics(kafka, counts):
    """Create topics with these numbers of partitions, and the broker's defaults."""
    topics = {name: {"num_partitions": count, "replication_factor": 1} for name, count in counts.items()}
    with closing(make_admin({"bootstrap_servers": kafka.bootstrap})) as admin:
        admin.create_topics(topics)
        admin.wait_for_topics(list(topics))


def test_the_broker_in_docker_has_the_settings_of_the_tests():
    docker = {
        name.lower().replace("_", "."): value.strip('"')
        for name, value in re.findall(r"^\s+KAFKA_([A-Z_]+): (.+)$", COMPOSE, re.MULTILINE)
    }
    ours = _read(PROPERTIES)
    assert docker.keys() == ours.keys()
    for name in ours.keys() - ADDRESSES:
        assert docker[name] == ours[name], name


def test_the_broker_in_docker_has_the_version_that_maven_installs():
    pom = (ROOT / "config" / "kafka" / "pom.xml").read_text()
    version = re.search(r"<kafka.version>(.+)</kafka.version>", pom)[1]
    assert f"image: apache/kafka:{version}\n" in COMPOSE


@pytest.mark.parametrize("taken", ["9092", "9093"])
def test_make_kafka_names_a_port_that_is_taken(tmp_path, taken):
    """Kafka itself ends with a stack trace, after it has started."""
    folder = tmp_path / "config" / "kafka"
    folder.mkdir(parents=True)
    shutil.copy(PROPERTIES.with_name("run"), folder)
    (folder / "fetch").symlink_to("/bin/false")
    properties, (free,) = PROPERTIES.read_text(), free_ports(1)
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1])
        for number in ("9092", "9093"):
            properties = properties.replace(number, port if number == taken else str(free))
        (folder / PROPERTIES.name).write_text(properties)
        ran = subprocess.run([folder / "run"], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith(f"kafka: port {port} on 127.0.0.1 is taken")


class LateAdmin:
    """A client whose first answers are of brokers that do not know the topics `late` yet."""

    def __init__(self, admin, late, answers):
        self._admin, self._late = admin, late
        self._answers = dict.fromkeys(("partitions", "settings"), answers)

    def __getattr__(self, name):
        return getattr(self._admin, name)

    def describe_topics(self, topics):
        late = self._still_late("partitions")
        unknown = {"error_code": 3, "partitions": []}
        return [topic | (unknown if topic["name"] in late else {}) for topic in self._admin.describe_topics(topics)]

    def describe_configs(self, resources, config_filter):
        late = self._still_late("settings")
        found = self._admin.describe_configs(resources, config_filter=config_filter)["topic"]
        return {"topic": {topic: {} if topic in late else configs for topic, configs in found.items()}}

    def _still_late(self, what):
        self._answers[what] -= 1
        return self._late if self._answers[what] >= 0 else ()


@pytest.mark.parametrize("late", [MODEL, LABELS])
def test_a_broker_that_does_not_know_a_new_topic_yet_is_asked_again(settings, kafka, monkeypatch, late):
    answers = 2

    def make_late_admin(connection):
        return LateAdmin(make_admin(connection), {settings.kafka.prefix + late}, answers)

    monkeypatch.setattr("consumers.log.kafka.topics.make_admin", make_late_admin)
    with open_log(settings) as log:
        assert log.create_topics(TOPICS, 2) == [settings.kafka.prefix + spec.name for spec in TOPICS]
        answers = 1_000_000
        monkeypatch.setattr("consumers.log.kafka.topics.KNOWN_S", 0.5)
        with pytest.raises(
            LogUnavailable, match=f"a broker does not know {settings.kafka.prefix}{late}, which another"
        ):
            log.create_topics(TOPICS, 2)


def test_a_log_knows_the_topics_that_it_has_created(settings, monkeypatch):
    """Its reader may ask another broker than the client that created them."""
    late = [set(), set()]
    known = KafkaConsumer.partitions_for_topic
    monkeypatch.setattr(KafkaConsumer, "partitions_for_topic", lambda *asked: late.pop() if late else known(*asked))
    with open_log(settings) as log:
        log.create_topics(TOPICS, 2)
        assert log.partitions(EMAILS) == 2


def test_retention_is_set_on_creation_and_an_existing_shorter_one_is_refused(settings):
    def opened(days: float):
        return open_log(replace(settings, kafka=replace(settings.kafka, retention_days=days)))

    with opened(10.0) as log:
        log.create_topics(TOPICS, 1)
    with opened(5.0) as log:
        assert log.create_topics(TOPICS, 1) == []
    with (
        opened(20.0) as log,
        pytest.raises(TopicMismatch, match=r"emails has retention\.ms=864000000"),
    ):
        log.create_topics(TOPICS, 1)


def test_new_topics_are_not_limited_in_size_whatever_the_broker_s_default_is(settings, kafka):
    """A mail that is deleted for space before its label arrives is not learned."""
    emails = f"{settings.kafka.prefix}{EMAILS}"
    with closing(make_admin({"bootstrap_servers": kafka.bootstrap})) as admin:
        limit_size(admin, "1000000")
        try:
            with open_log(settings) as log:
                log.create_topics(TOPICS, 1)
            found = admin.describe_configs([make_topic_resource(emails)], config_filter="all")["topic"]
            assert found[emails]["retention.bytes"]["value"] == "-1"
        finally:
            limit_size(admin, "-1")


def limit_size(admin, most: str) -> None:
    """Set the broker's default of `retention.bytes`."""
    admin.alter_configs([ConfigResource(ConfigResourceType.BROKER, "1", configs={"log.retention.bytes": most})])


def test_missing_topics_get_as_many_partitions_as_the_existing_ones(settings):
    with open_log(settings) as log:
        log.create_topics([spec for spec in TOPICS if spec.name == EMAILS], 2)
        assert settings.kafka.prefix + LABELS in log.create_topics(TOPICS, 4)
        assert [log.partitions(topic) for topic in (EMAILS, LABELS, PREDICTIONS, MODEL)] == [2, 2, 2, 1]


def test_the_error_for_unequal_partitions_names_the_command(settings, kafka):
    with open_log(settings) as log:
        make_topics(kafka, {f"{settings.kafka.prefix}{LABELS}": 1, f"{settings.kafka.prefix}{EMAILS}": 3})
        with pytest.raises(TopicMismatch, match=r"--alter --partitions 3 --topic"):
            log.create_topics(TOPICS, 1)


def test_the_error_for_too_many_partitions_says_what_to_do(settings, kafka):
    """Kafka cannot take partitions away, so only another topic helps."""
    model = f"{settings.kafka.prefix}{MODEL}"
    with open_log(settings) as log:
        make_topics(kafka, {model: 3})
        with pytest.raises(TopicMismatch, match=rf"{model} has 3 partitions, needs 1; delete it .* \[kafka\] prefix"):
            log.create_topics(TOPICS, 1)


def test_nothing_is_created_beside_a_topic_that_is_refused(settings, kafka):
    """A producer that was faster may have made the topic with the broker's defaults."""
    emails = f"{settings.kafka.prefix}{EMAILS}"
    with open_log(settings) as log:
        make_topics(kafka, {emails: 1})
        with pytest.raises(TopicMismatch, match=rf"{emails} has max\.message\.bytes=1048588"):
            log.create_topics(TOPICS, 4)
        with pytest.raises(UnknownTopic):
            log.partitions(LABELS)


def test_compacted_topics_have_segments_of_one_hour(settings, kafka):
    topics = [f"{settings.kafka.prefix}{spec.name}" for spec in TOPICS if spec.compacted]
    with open_log(settings) as log:
        log.create_topics(TOPICS, 1)
        with closing(make_admin({"bootstrap_servers": kafka.bootstrap})) as admin:
            resources = [make_topic_resource(topic) for topic in topics]
            found = admin.describe_configs(resources, config_filter="all")["topic"]
            assert {found[topic]["segment.ms"]["value"] for topic in topics} == {"3600000"}
        assert log.create_topics(TOPICS, 1) == []


def test_an_unreachable_broker_is_reported_with_its_address(monkeypatch):
    monkeypatch.setattr("consumers.log.kafka.connection.BOOTSTRAP_MS", 500)
    with pytest.raises(LogUnavailable, match=r"kafka://127\.0\.0\.1:1: .*are the brokers up"):
        open_log(Settings(log="kafka://127.0.0.1:1"))


def test_brokers_that_go_away_before_the_topics_are_checked_are_reported_with_advice(monkeypatch):
    """As when the log has reached the one broker of three that is left."""
    monkeypatch.setattr("consumers.log.kafka.connection.BOOTSTRAP_MS", 500)
    settings = KafkaSettings()
    with pytest.raises(LogUnavailable, match=r"kafka://127\.0\.0\.1:1: topics: .*are the brokers up"):
        create_topics(connection("127.0.0.1:1", settings), TopicNames(""), TOPICS, 1, settings)


def test_the_broker_s_reason_for_refusing_a_topic_is_reported(settings):
    expected = r"emails cannot be created with \[kafka\] partitions = 1 and replication = 3: .*only 1 broker"
    with open_log(replace(settings, kafka=replace(settings.kafka, replication=3))) as log:
        with pytest.raises(LogUnavailable, match=expected):
            log.create_topics(TOPICS, 1)
