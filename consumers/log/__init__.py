"""The record log and its implementations: SQLite files (embedded) and Apache Kafka, and one in memory for tests."""

from __future__ import annotations

from pathlib import Path

from ..errors import UserError
from ..settings import Settings
from .base import Log

__all__ = ["Log", "open_log"]


def open_log(settings: Settings) -> Log:
    """The log that `settings.log` names: ``sqlite:DIR`` or ``kafka://host:port[,host:port]``.

    Raises UserError for an address of another form, and LogUnavailable when the log cannot be reached or opened.
    """
    scheme, _, rest = settings.log.partition(":")
    if scheme == "sqlite" and rest:
        from .sqlite.log import SqliteLog

        return SqliteLog(Path(rest), settings.sqlite)
    if scheme == "kafka" and rest.startswith("//") and rest[2:].strip("/"):
        from .kafka.log import KafkaLog

        return KafkaLog(rest[2:].strip("/"), settings.kafka)
    raise UserError(f"log {settings.log!r}: give sqlite:DIR or kafka://host:port[,host:port]")
