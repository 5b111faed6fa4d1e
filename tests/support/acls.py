"""The rights that docs/acls.md gives, on a broker with Kafka's own authorizer."""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from consumers.records.schemas import TOPICS
from tests.support.kafka_broker import Cluster
from tests.support.ports import free_ports
from tests.support.waiting import until

PAGE = Path(__file__).parents[2] / "docs" / "acls.md"
COLUMNS = (("Read", "topic"), ("Write", "topic"), ("Read", "group"), ("Write", "transactional-id"))

Right = tuple[str, str, str, str]
"""User, operation, kind of resource, and its name; the name of a prefix ends with *."""


def rights_of_commands() -> set[Right]:
    """The rights that the commands in docs/acls.md grant."""
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


def rights_in_table() -> set[Right]:
    """The rights in the table of docs/acls.md and in the sentences below it."""
    rights = set[Right]()
    for line in re.findall(r"^\| (`.*) \|$", PAGE.read_text(), re.MULTILINE):
        user, _, *cells = (re.findall(r"`([^`]*)`", cell) for cell in line.split("|"))
        for (operation, kind), names in zip(COLUMNS, cells, strict=True):
            rights |= {(user[0], operation, kind, name) for name in names}
        rights |= {
            (user[0], right, "topic", topic.name) for right in ("Describe", "DescribeConfigs") for topic in TOPICS
        }
    return rights | {("operator", "Create", "topic", topic.name) for topic in TOPICS}


class SecuredCluster(Cluster):
    """A broker on which each user of docs/acls.md has the rights that it lists, and the password NAME-secret."""

    def __init__(self, folder: Path) -> None:
        authorizer = {
            "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
            "super.users": "User:ANONYMOUS",
        }
        super().__init__(folder, extra=authorizer)
        (port,) = free_ports(1)
        self.url = f"kafka://127.0.0.1:{port}"
        logins = " ".join(
            f'user_{user}="{user}-secret"' for user in sorted({user for user, *_ in rights_of_commands()})
        )
        plain = f"org.apache.kafka.common.security.plain.PlainLoginModule required {logins};"
        options = {"sasl.enabled.mechanisms": "PLAIN", "listener.name.users.plain.sasl.jaas.config": plain}
        self.add_listener("USERS", port, "SASL_PLAINTEXT", options)

    def start(self) -> SecuredCluster:
        super().start()
        self._put(map(_allowed, rights_of_commands()))
        return self

    @contextmanager
    def denied(self, right: Right) -> Generator[None]:
        """Deny the user this right within the block."""
        from kafka.admin import ACLPermissionType

        acl = _acl(right, ACLPermissionType.DENY)
        self._put([acl])
        try:
            yield
        finally:
            self._take(acl)

    def _take(self, acl: Any) -> None:
        from kafka.admin import ACLFilter

        which = ACLFilter(acl.principal, acl.host, acl.operation, acl.permission_type, acl.resource_pattern)
        with self._admin() as admin:
            admin.delete_acls([which])
            until(lambda: not admin.describe_acls(which)[0])

    def _put(self, acls: Iterable[Any]) -> None:
        from kafka.admin import ACLFilter

        acls = list(acls)
        with self._admin() as admin:
            assert not admin.create_acls(acls)["failed"]
            for acl in acls:
                which = ACLFilter(acl.principal, acl.host, acl.operation, acl.permission_type, acl.resource_pattern)
                until(lambda which=which: admin.describe_acls(which)[0])

    @contextmanager
    def _admin(self) -> Generator[Any]:
        from kafka import KafkaAdminClient

        admin = KafkaAdminClient(bootstrap_servers=self.bootstrap)
        yield admin
        admin.close()


def login(user: str) -> dict[str, str]:
    """The settings with which a user of docs/acls.md logs in."""
    return {
        "STREAM_NB_KAFKA_PARTITIONS": "1",
        "STREAM_NB_KAFKA_SECURITY_PROTOCOL": "SASL_PLAINTEXT",
        "STREAM_NB_KAFKA_SASL_MECHANISM": "PLAIN",
        "STREAM_NB_KAFKA_SASL_USERNAME": user,
        "STREAM_NB_KAFKA_SASL_PASSWORD": f"{user}-secret",
    }


def _allowed(right: Right) -> Any:
    from kafka.admin import ACLPermissionType

    return _acl(right, ACLPermissionType.ALLOW)


def _acl(right: Right, permission: Any) -> Any:
    from kafka.admin import ACL, ACLOperation, ACLResourcePatternType, ResourcePattern, ResourceType

    user, operation, kind, name = right
    pattern = ACLResourcePatternType.PREFIXED if name.endswith("*") else ACLResourcePatternType.LITERAL
    resource = ResourcePattern(ResourceType[kind.upper().replace("-", "_")], name.rstrip("*"), pattern)
    wanted = ACLOperation[re.sub(r"(?<=[a-z])(?=[A-Z])", "_", operation).upper()]
    return ACL(f"User:{user}", "*", wanted, permission, resource)
