"""The record log and its implementations: SQLite files (embedded) and Apache Kafka, and one in memory for tests.

| file | what |
|---|---|
| `base.py` | the contract of every implementation |
| `consumer_loop.py` | the loop of every stage that consumes as a member of a group |
| `time_merge.py` | the records of several topics in order of time |
| `runs.py` | consecutive records of one partition |
| `read_size.py` | the size of one read, and of what waits after it |
| `ends.py` | a partition that ends before its reader's position |
| `outputs.py` | waits until the outputs of commits can be read |
| `memory.py` | the log in memory; the others are in `sqlite/` and `kafka/` |
"""

from __future__ import annotations

import os
from pathlib import Path

from ..errors import UserError
from ..settings import Settings
from .base import Log

__all__ = ["Log", "open_log"]


def open_log(settings: Settings, create: bool = True) -> Log:
    """Open the log at the address `settings.log`: ``sqlite:DIR`` or ``kafka://host:port[,host:port]``.

    A leading ``~`` in DIR is expanded here, because no shell expands it after ``sqlite:``. DIR with a leading ``//``
    is refused: after ``kafka://`` one types ``sqlite://var/log``, which would be /var/log. With `create`, a log is
    created in a folder that has none.

    Raises:
        UserError: The address has neither form, or names a file.
        LogUnavailable: The log cannot be reached or opened, or the folder has no log and `create` is False.
        LogDamaged: A file of the folder is damaged.
        UnknownFormat: Another version wrote the folder.
    """
    scheme, _, rest = settings.log.partition(":")
    if scheme == "sqlite" and rest and not rest.startswith("//"):
        from .sqlite.log import SqliteLog

        return SqliteLog(Path(os.path.expanduser(rest)), settings.sqlite, create)
    if scheme == "kafka" and rest.startswith("//") and rest[2:].strip("/"):
        from .kafka.log import KafkaLog

        return KafkaLog(rest[2:].strip("/"), settings.kafka)
    raise UserError(f"log {settings.log!r}: give sqlite:DIR or kafka://host:port[,host:port]")
