"""Parts with exactly the rights that docs/acls.md gives them, on a broker with Kafka's own authorizer."""

from __future__ import annotations

import argparse
import http.client
import re
import shlex
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from consumers.errors import LogUnavailable
from consumers.log.base import ProducerRecord
from consumers.records.schemas import MODEL, MONITOR, POLICY, PREDICTIONS, TOPICS
from tests.flow.conftest import PATIENCE_S, Stages
from tests.flow.test_end_to_end import write_json_lines
from tests.support.kafka_broker import Cluster
from tests.support.ports import free_ports

PAGE = Path(__file__).parents[2] / "docs" / "acls.md"
COLUMNS = (("Read", "topic"), ("Write", "topic"), ("Read", "group"), ("Write", "transactional-id"))

Right = tuple[str, str, str, str]
"""User, operation, kind of resource, and its name; the name of a prefix ends with *."""


def of_commands() -> set[Right]:
    """The rights that the commands of the page give."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--add", action="store_true", required=True)
    for option in ("--allow-principal", "--operation"):
        parser.add_argument(option, action="append", required=True)
    for option in ("--topic", "--group", "--transactional-id"):
        parser.add_argument(option, action="append", default=[])
    parser.add_argument("--resource-pattern-type", choices=["prefixed"])
    rights = set[Right]()
    page = PAGE.read_text().replace("\\\n", " ")
    for command in re.findall(r"^    kafka-acls \$AT (.*)$", page, re.MULTILINE):
        given = parser.parse_args(shlex.split(command))
        star = "*" if given.resource_pattern_type else ""
        named = {"topic": given.topic, "group": given.group, "transactional-id": given.transactional_id}
        rights |= {
            (principal.removeprefix("User:"), operation, kind, name + star)
            for principal in given.allow_principal
            for operation in given.operation
            for kind, names in named.items()
            for name in names
        }
    return rights


def of_table() -> set[Right]:
    """The rights that the table and the sentences under it tell."""
    rights = set[Right]()
    for line in re.findall(r"^\| (`.*) \|$", PAGE.read_text(), re.MULTILINE):
        user, _, *cells = (re.findall(r"`([^`]*)`", cell) for cell in line.split("|"))
        for (operation, kind), names in zip(COLUMNS, cells, strict=True):
            rights |= {(user[0], operation, kind, name) for name in names}
        rights |= {
            (user[0], right, "topic", topic.name) for right in ("Describe", "DescribeConfigs") for topic in TOPICS
        }
    return rights | {("operator", "Create", "topic", topic.name) for topic in TOPICS}


def give(cluster: Cluster, rights: set[Right]) -> None:
    """Have the broker hold these rights."""
    from kafka import KafkaAdminClient
    from kafka.admin import ACL, ACLOperation, ACLPermissionType, ACLResourcePatternType, ResourcePattern, ResourceType

    def acl(user: str, operation: str, kind: str, name: str) -> ACL:
        pattern = ACLResourcePatternType.PREFIXED if name.endswith("*") else ACLResourcePatternType.LITERAL
        resource = ResourcePattern(ResourceType[kind.upper().replace("-", "_")], name.rstrip("*"), pattern)
        wanted = ACLOperation[re.sub(r"(?<=[a-z])(?=[A-Z])", "_", operation).upper()]
        return ACL(f"User:{user}", "*", wanted, ACLPermissionType.ALLOW, resource)

    admin = KafkaAdminClient(bootstrap_servers=cluster.bootstrap)
    done = admin.create_acls([acl(*right) for right in sorted(rights)])
    admin.close()
    assert not done["failed"]


@pytest.fixture(scope="module")
def secured(kafka_or_skip, tmp_path_factory) -> Iterator[str]:
    """A broker that lets each user of the page do what the page says; yields its address."""
    (port,) = free_ports(1)
    authorizer = {
        "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
        "super.users": "User:ANONYMOUS",
    }
    users = {user for user, *_ in of_commands()}
    logins = " ".join(f'user_{user}="{user}-secret"' for user in sorted(users))
    cluster = Cluster(tmp_path_factory.mktemp("acls"), extra=authorizer)
    cluster.add_listener(
        "USERS",
        port,
        "SASL_PLAINTEXT",
        {
            "sasl.enabled.mechanisms": "PLAIN",
            "listener.name.users.plain.sasl.jaas.config": (
                f"org.apache.kafka.common.security.plain.PlainLoginModule required {logins};"
            ),
        },
    )
    try:
        cluster.start()
        give(cluster, of_commands())
        yield f"kafka://127.0.0.1:{port}"
    finally:
        cluster.stop()


@pytest.fixture
def user(secured) -> Iterator[Callable[..., Stages]]:
    """A function: name -> the commands of this user."""
    made: list[Stages] = []

    def make(name: str, **environment: str) -> Stages:
        made.append(
            Stages(
                secured,
                STREAM_NB_KAFKA_PARTITIONS="1",
                STREAM_NB_KAFKA_SECURITY_PROTOCOL="SASL_PLAINTEXT",
                STREAM_NB_KAFKA_SASL_MECHANISM="PLAIN",
                STREAM_NB_KAFKA_SASL_USERNAME=name,
                STREAM_NB_KAFKA_SASL_PASSWORD=f"{name}-secret",
                **environment,
            )
        )
        return made[-1]

    yield make
    for stages in made:
        stages.stop()


def ask(port: int, path: str) -> bytes:
    """The answer of a server, asked again until it is there and well."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        try:
            connection.request("GET", path)
            reply = connection.getresponse()
            text = reply.read()
            if reply.status == 200:
                return text
        except (OSError, http.client.HTTPException):
            text = b"nobody listens"
        finally:
            connection.close()
        assert time.monotonic() < deadline, text
        time.sleep(0.3)


def test_the_commands_of_the_page_give_what_its_table_says():
    assert of_commands() == of_table()


def test_the_parts_work_with_the_rights_of_the_page(user, tmp_path):
    user("operator").run("topics", "create")
    user("feeder").run("feed", write_json_lines(tmp_path / "mails.jsonl", 200), "--labels")
    worker = user("worker").start("worker")
    user("monitor").wait_until_done()

    labeller = user("labeller")
    given = labeller.predictions()[0].id
    labeller.run("label", given, "none")

    (metrics,) = free_ports(1)
    user("monitor").start("monitor", "--port", str(metrics))
    deadline = time.monotonic() + PATIENCE_S
    while b"\nstream_nb_mails_total 200" not in ask(metrics, "/metrics"):
        assert time.monotonic() < deadline
        time.sleep(0.3)

    assert worker.poll() is None


@pytest.mark.parametrize("topic", [MODEL, PREDICTIONS, MONITOR, POLICY])
def test_a_labeller_cannot_write_what_is_not_for_it(user, topic):
    user("operator").run("topics", "create")
    with user("labeller").open() as log, pytest.raises(LogUnavailable) as caught:
        log.append([ProducerRecord(topic, b"key", b"value", 0)])
    assert f"no right Write on topic {topic};" in str(caught.value)
    assert "\n" not in str(caught.value)
