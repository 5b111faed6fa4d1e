"""Topics on Kafka: create missing ones with the right settings, reject existing ones with other settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...errors import LogUnavailable, TopicMismatch
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
from .rights import Rights
from .topic_names import Names


def create_topics(
    where: str,
    connection: dict[str, Any],
    names: Names,
    specs: Sequence[TopicSpec],
    partitions: int,
    kept: KafkaSettings,
) -> list[str]:
    """Create the topics that are missing and return their names, without the prefix.

    Args:
        where: The log's address, for errors.
        connection: Connection options (`connection.connection`).
        names: Adds the prefix to topic names.
        specs: All topics that are needed.
        partitions: Partitions of each co-partitioned topic, 1 or more.
        kept: The settings; used are the replication factor and the retention time.

    Raises:
        TopicMismatch: A topic has another cleanup policy, a smaller record limit, a shorter retention, or a wrong
            number of partitions (not 1, or another than the other co-partitioned topics).
        MissingRight: This user lacks a right.
        LogUnavailable: The brokers do not answer, or cannot create a topic.
    """
    try:
        admin = make_admin(connection)
        try:
            existing = set(admin.list_topics())
            missing = [spec for spec in specs if names.topic(spec.name) not in existing]
            if missing:
                wanted = {names.topic(spec.name): _options(spec, partitions, kept) for spec in missing}
                answers = admin.create_topics(wanted, raise_errors=False)["topics"]
                if refused := _refused(answers):
                    # The broker hides existing topics from users who may not describe them.
                    error = TopicAuthorizationFailedError(refused)
                    raise Rights(connection).missing(error, "Describe (or Create, if it is not there)", refused)
                for answer in answers:
                    if answer["error_code"] not in CREATED:
                        why = answer["error_message"] or f"error {answer['error_code']}"
                        raise LogUnavailable(
                            f"{where}: topic {answer['name']} cannot be created with [kafka] partitions = {partitions} "
                            f"and replication = {kept.replication}: {why}"
                        )
                admin.wait_for_topics(list(wanted))
            _check(where, admin, names, specs, kept)
        finally:
            admin.close()
    except AuthorizationError as error:
        raise Rights(connection).missing(
            error, "DescribeConfigs", [names.topic(spec.name) for spec in specs]
        ) from error
    except KafkaError as error:
        raise LogUnavailable(f"{where}: topics: {error}") from error
    return [spec.name for spec in missing]


SEGMENT_MS = 3_600_000
"""Segment time of compacted topics. The newest segment is not compacted; by default it holds up to a week of views and
heartbeats."""


CREATED = (0, 36)
"""Error codes after which a topic exists: no error, or another process was faster (TOPIC_ALREADY_EXISTS)."""


def _refused(answers: Sequence[Mapping[str, Any]]) -> list[str]:
    """The names of the topics that this user may not create."""
    code = TopicAuthorizationFailedError.errno
    return [topic["name"] for topic in answers if topic["error_code"] == code]


def settings_of(spec: TopicSpec, kept: KafkaSettings) -> dict[str, str]:
    """The required settings of a topic on the broker; all others keep the broker's default."""
    settings = {"max.message.bytes": str(MAX_RECORD_BYTES)}
    if spec.compacted:
        return settings | {"cleanup.policy": "compact"}
    return settings | {"cleanup.policy": "delete", "retention.ms": str(round(kept.retention_days * 86_400_000))}


def _options(spec: TopicSpec, partitions: int, kept: KafkaSettings) -> dict[str, Any]:
    settings = settings_of(spec, kept)
    if spec.compacted:
        settings["segment.ms"] = str(SEGMENT_MS)
    if kept.replication >= 3:
        settings["min.insync.replicas"] = "2"
    return {
        "num_partitions": partitions if spec.co_partitioned else 1,
        "replication_factor": kept.replication,
        "configs": settings,
    }


def _check(where: str, admin: Admin, names: Names, specs: Sequence[TopicSpec], kept: KafkaSettings) -> None:
    described = {topic["name"]: topic for topic in admin.describe_topics([names.topic(s.name) for s in specs])}
    counts = {spec.name: len(described[names.topic(spec.name)]["partitions"]) for spec in specs}
    for spec in specs:
        if not spec.co_partitioned and counts[spec.name] != 1:
            raise TopicMismatch(f"{where}: topic {names.topic(spec.name)} has {counts[spec.name]} partitions, needs 1")
    together = {names.topic(spec.name): counts[spec.name] for spec in specs if spec.co_partitioned}
    if len(set(together.values())) > 1:
        raise TopicMismatch(f"{where}: topics need equal partition counts and have {together}; add to the smaller ones")
    resources = [make_topic_resource(names.topic(spec.name)) for spec in specs]
    found = admin.describe_configs(resources, config_filter="all")["topic"]
    hidden = [topic for topic, settings in found.items() if not settings]
    if hidden:
        raise TopicAuthorizationFailedError(hidden)
    for spec in specs:
        topic = names.topic(spec.name)
        for name, wanted in settings_of(spec, kept).items():
            value = found[topic][name]["value"]
            if not _enough(name, value, wanted):
                raise TopicMismatch(
                    f"{where}: topic {topic} has {name}={value}, needs {wanted}; change it with kafka-configs --alter, "
                    "or set [kafka] prefix to use other topics"
                )


def _enough(name: str, value: str, wanted: str) -> bool:
    """Whether a setting has the wanted value, or keeps more than wanted (-1 keeps forever)."""
    return value == wanted or (name != "cleanup.policy" and (int(value) == -1 or int(value) >= int(wanted)))
