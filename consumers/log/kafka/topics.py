"""Topics on Kafka: create missing ones with the right settings, reject existing ones with other settings."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from typing import Any, TypeVar

from ...errors import LogUnavailable, TopicMismatch
from ...runtime.pause import pause
from ...settings import KafkaSettings
from ..base import TopicSpec
from .client_types import Admin
from .clients import (
    MAX_RECORD_BYTES,
    AuthorizationError,
    KafkaError,
    TopicAuthorizationFailedError,
    make_admin,
    make_topic_resource,
)
from .connection import Connection
from .rights import Rights
from .topic_names import TopicNames

Answer = TypeVar("Answer")

SEGMENT_MS = 3_600_000
"""Segment time of compacted topics. The newest segment is not compacted; by default it holds up to a week of views and
heartbeats."""

KNOWN_S = 10.0
"""How long a broker may take to learn of a topic that another one has."""

CREATED = (0, 36)
"""Error codes after which a topic exists: no error, or another process was faster (TOPIC_ALREADY_EXISTS)."""


def create_topics(
    connection: Connection,
    names: TopicNames,
    specs: Sequence[TopicSpec],
    partitions: int,
    settings: KafkaSettings,
) -> list[str]:
    """Create the topics that are missing and return their names, with the prefix.

    Args:
        specs: All topics that are needed.
        partitions: Partitions of each co-partitioned topic, 1 or more, if none of these topics exists yet. The missing
            ones get as many as the existing ones: adding partitions to a topic in use would move its keys.
        settings: The replication factor and the retention time.

    Raises:
        TopicMismatch: A topic has another cleanup policy, a smaller record limit, a shorter retention, or a wrong
            number of partitions (not 1, or another than the other co-partitioned topics).
        MissingRight: This user lacks a right.
        LogUnavailable: The brokers do not answer, or cannot create a topic.
    """
    try:
        with closing(make_admin(connection)) as admin:
            existing = set(admin.list_topics())
            missing = {names.topic(spec.name): spec for spec in specs if names.topic(spec.name) not in existing}
            if missing:
                kept = [spec for spec in specs if names.topic(spec.name) in existing]
                _check_settings(connection.where, admin, names, kept, settings)
                together = [spec for spec in kept if spec.co_partitioned]
                partitions = max(_partitions(admin, names, together).values(), default=partitions)
                wanted = {topic: _options(spec, partitions, settings) for topic, spec in missing.items()}
                answers = admin.create_topics(wanted, raise_errors=False)["topics"]
                _check_created(connection, answers, partitions, settings)
                admin.wait_for_topics(list(wanted))
            _check_settings(connection.where, admin, names, specs, settings)
    except AuthorizationError as error:
        raise Rights(connection).missing(
            error, "DescribeConfigs", [names.topic(spec.name) for spec in specs]
        ) from error
    except KafkaError as error:
        raise LogUnavailable(f"{connection.where}: topics: {error}; {connection.advice}") from error
    return list(missing)


def _check_created(
    connection: Connection,
    answers: Sequence[Mapping[str, Any]],
    partitions: int,
    settings: KafkaSettings,
) -> None:
    """Raise MissingRight or LogUnavailable if a broker did not create a topic."""
    refused = [answer["name"] for answer in answers if answer["error_code"] == TopicAuthorizationFailedError.errno]
    if refused:
        # The broker hides existing topics from users who may not describe them.
        error = TopicAuthorizationFailedError(refused)
        raise Rights(connection).missing(error, "Describe (or Create, if it is not there)", refused)
    for answer in answers:
        if answer["error_code"] not in CREATED:
            why = answer["error_message"] or f"error {answer['error_code']}"
            raise LogUnavailable(
                f"{connection.where}: topic {answer['name']} cannot be created with [kafka] partitions = {partitions} "
                f"and replication = {settings.replication}: {why}"
            )


def _required(spec: TopicSpec, settings: KafkaSettings) -> dict[str, str]:
    """The required settings of a topic on the broker; all others keep the broker's default."""
    required = {"max.message.bytes": str(MAX_RECORD_BYTES)}
    if spec.compacted:
        return required | {"cleanup.policy": "compact"}
    return required | {"cleanup.policy": "delete", "retention.ms": str(round(settings.retention_days * 86_400_000))}


def _options(spec: TopicSpec, partitions: int, settings: KafkaSettings) -> dict[str, Any]:
    """How to create a topic: the required settings, and those that an administrator may change later."""
    configs = _required(spec, settings)
    if spec.compacted:
        configs["segment.ms"] = str(SEGMENT_MS)
    else:  # a limit of the broker would delete mails before their labels arrive
        configs["retention.bytes"] = "-1"
    if settings.replication >= 3:
        configs["min.insync.replicas"] = "2"
    return {
        "num_partitions": partitions if spec.co_partitioned else 1,
        "replication_factor": settings.replication,
        "configs": configs,
    }


def _check_settings(
    where: str, admin: Admin, names: TopicNames, specs: Sequence[TopicSpec], settings: KafkaSettings
) -> None:
    """Raise TopicMismatch if an existing topic has other partitions or settings than required."""
    if not specs:
        return
    counts = _partitions(admin, names, specs)
    for spec in specs:
        if not spec.co_partitioned and counts[spec.name] != 1:
            raise TopicMismatch(
                f"{where}: topic {names.topic(spec.name)} has {counts[spec.name]} partitions, needs 1; delete it "
                "if it is empty (`stream-nb topics create` makes it anew), or set [kafka] prefix to use other topics"
            )
    together = {names.topic(spec.name): counts[spec.name] for spec in specs if spec.co_partitioned}
    if len(set(together.values())) > 1:
        most = max(together.values())
        raise TopicMismatch(
            f"{where}: topics need equal partition counts and have {together}; add to the smaller ones "
            f"(kafka-topics --alter --partitions {most} --topic ...), or set [kafka] prefix to use other topics"
        )
    resources = [make_topic_resource(names.topic(spec.name)) for spec in specs]
    found = ask_until_known(lambda: admin.describe_configs(resources, config_filter="all")["topic"])
    hidden = [topic for topic, configs in found.items() if not configs]
    if hidden:
        raise TopicAuthorizationFailedError(hidden)
    for spec in specs:
        topic = names.topic(spec.name)
        for name, wanted in _required(spec, settings).items():
            value = found[topic][name]["value"]
            if not _enough(name, value, wanted):
                raise TopicMismatch(
                    f"{where}: topic {topic} has {name}={value}, needs {wanted}; change it with kafka-configs --alter, "
                    "or set [kafka] prefix to use other topics"
                )


def _partitions(admin: Admin, names: TopicNames, specs: Sequence[TopicSpec]) -> dict[str, int]:
    """The number of partitions of existing topics, by their names without the prefix. Raises KafkaError if a broker
    does not learn of one in time."""
    topics = [names.topic(spec.name) for spec in specs]
    if not topics:
        return {}
    counts = ask_until_known(
        lambda: {topic["name"]: len(topic["partitions"]) for topic in admin.describe_topics(topics)}
    )
    if unknown := [topic for topic, count in counts.items() if not count]:
        raise KafkaError(f"a broker does not know {', '.join(unknown)}, which another one has")
    return {spec.name: counts[names.topic(spec.name)] for spec in specs}


def ask_until_known(ask: Callable[[], dict[str, Answer]]) -> dict[str, Answer]:
    """What brokers answer about topics that exist, by topic; `ask` asks about all of them.

    Each call may ask another broker, and one that does not know a new topic yet answers with nothing. It is asked again
    for `KNOWN_S`; then an answer may still be empty.
    """
    deadline = time.monotonic() + KNOWN_S
    while not all((answers := ask()).values()) and time.monotonic() < deadline:
        pause(0.1)
    return answers


def _enough(name: str, value: str, wanted: str) -> bool:
    """Whether a setting has the wanted value, or keeps more than wanted (-1 keeps forever)."""
    return value == wanted or (name != "cleanup.policy" and (int(value) == -1 or int(value) >= int(wanted)))
