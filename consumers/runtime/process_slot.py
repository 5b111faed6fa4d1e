"""Process slots: small stable numbers for the workers of one group on one log and one machine.

A worker's name in its group is host and slot. It must be the same after a restart, so that the successor takes over
at once, and never shared by two living processes; a lock on a file per slot, which the kernel drops with the process,
gives both. Groups of the same name on other logs have slots of their own.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import socket
import tempfile
from pathlib import Path
from typing import IO, NamedTuple

from ..errors import UserError
from ..settings import Settings

MAX_SLOTS = 256


class Slot(NamedTuple):
    """A slot that is held: its number, the member name, and the locked file, open as long as the name is used."""

    number: int
    member: str
    lock: IO[bytes]


def take_slot(settings: Settings, group: str) -> Slot:
    """Take the lowest free slot of this machine in a consumer group on the log of the settings."""
    folder = Path(tempfile.gettempdir()) / f"stream-nb-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    name = re.sub(r"[^\w.-]", "_", group) + "-" + _log_name(settings)
    for number in range(MAX_SLOTS):
        lock = open(folder / f"{name}-{number}.lock", "wb")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            continue
        return Slot(number, f"{socket.gethostname()}-{number}", lock)
    raise UserError(f"all {MAX_SLOTS} worker slots of group {group!r} on this machine are taken; stop some workers")


def _log_name(settings: Settings) -> str:
    """A short name of the log: the same for every way to write a folder, or to order the brokers."""
    scheme, _, rest = settings.log.partition(":")
    if scheme == "sqlite":
        place = str(Path(rest).resolve())
    else:
        place = f"{sorted(rest.strip('/').split(','))} {settings.kafka.prefix}"
    return hashlib.sha256(place.encode("utf-8", "surrogateescape")).hexdigest()[:12]
