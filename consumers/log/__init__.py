"""The record log and its implementations: SQLite files (embedded) and Apache Kafka, and one in memory for tests."""

from __future__ import annotations

import os
from pathlib import Path

from ..errors import UserError
from ..settings import Settings
from .base import Log

__all__ = ["Log", "open_log"]


def open_log(settings: Settings, create: bool = True) -> Log:
    """The log that `settings.log` names: ``sqlite:DIR`` or ``kafka://host:port[,host:port]``.

    No shell puts the home in place of a ``~`` that follows ``sqlite:``.

    Args:
        settings: The address, and how records are kept there.
        create: Whether a folder without a log gets one, or is refused; means nothing for brokers.

    Raises:
        UserError: The address has neither form.
        LogUnavailable: It cannot be reached or opened, or the folder has no log and shall get none.
        LogDamaged: A file of the folder is damaged.
        UnknownFormat: Another version has written the folder.
    """
    scheme, _, rest = settings.log.partition(":")
    if scheme == "sqlite" and rest:
        from .sqlite.log import SqliteLog

        return SqliteLog(Path(os.path.expanduser(rest)), settings.sqlite, create)
    if scheme == "kafka" and rest.startswith("//") and rest[2:].strip("/"):
        from .kafka.log import KafkaLog

        return KafkaLog(rest[2:].strip("/"), settings.kafka)
    raise UserError(f"log {settings.log!r}: give sqlite:DIR or kafka://host:port[,host:port]")
