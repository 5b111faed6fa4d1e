"""Process slots: small stable numbers for the workers of one group on one log and one machine.

A worker's name in its group consists of machine and slot. It must be the same after a restart, so that the successor
takes over at once, and never be shared by two live processes. Both are ensured by one file lock per slot, which the
kernel releases with the process. Groups of the same name on other logs have slots of their own.

Containers often have the same host name, so the machine's name is the host name plus a random id, which is stored next
to the locks: processes that share the locks share the id. `[worker] machine` overrides it.

systemd-tmpfiles deletes files in /tmp that are some days old, locked or not, unless their folder is locked.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import secrets
import socket
import stat
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import IO, NamedTuple

from ..errors import UserError
from ..settings import Settings

MAX_SLOTS = 256


class Slot(NamedTuple):
    """An acquired slot: its number, the member name, and the locked file, which stays open while the name is used."""

    number: int
    member: str
    lock: IO[bytes]


def take_slot(settings: Settings, group: str) -> Slot:
    """Acquire the lowest free slot of this machine in the consumer `group` on the log of the settings.

    Raises:
        UserError: All `MAX_SLOTS` are taken, or the folder of the locks is not writable, or writable by other users.
    """
    folder = Path(_temporary_folder()) / f"stream-nb-{os.getuid()}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        _check_owner(folder)
        _keep(folder)
        machine = settings.worker.machine or f"{socket.gethostname()}-{_instance(folder / 'instance')}"
        return _take_slot(folder, machine, settings, group)
    except OSError as error:
        raise UserError(f"{folder}: {error.strerror}; name a folder that can be written with TMPDIR") from error


def _temporary_folder() -> str:
    try:
        return tempfile.gettempdir()
    except OSError as error:
        raise UserError(f"{error.strerror}; name a folder that can be written with TMPDIR") from error


def _check_owner(folder: Path) -> None:
    """Raise UserError if another user may have created the folder, with links to our files in place of the locks."""
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o022:
        raise UserError(f"{folder} is another user's, or writable by others: remove it, or name another with TMPDIR")


@cache
def _keep(folder: Path) -> None:
    """Lock a folder, together with other processes, until this process ends."""
    with suppress(OSError):  # a file system without locks of folders
        fcntl.flock(os.open(folder, os.O_RDONLY), fcntl.LOCK_SH)


def _take_slot(folder: Path, machine: str, settings: Settings, group: str) -> Slot:
    name = re.sub(r"[^\w.-]", "_", group) + "-" + _log_name(settings)
    for number in range(MAX_SLOTS):
        lock = open(folder / f"{name}-{number}.lock", "wb")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            continue
        return Slot(number, f"{machine}-{number}", lock)
    raise UserError(f"all {MAX_SLOTS} worker slots of group {group!r} on this machine are taken; stop some workers")


def _instance(path: Path) -> str:
    """The id in the file; a new one is written if it has none yet."""
    with open(path, "a+", encoding="ascii", errors="replace") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        found = re.fullmatch(r"[0-9a-f]{8}", file.read(100))
        if found is not None:
            return found[0]
        instance = secrets.token_hex(4)
        file.truncate(0)
        file.write(instance)
        return instance


def _log_name(settings: Settings) -> str:
    """A short name of the log, the same for all spellings of a folder and all orders of the brokers."""
    scheme, _, rest = settings.log.partition(":")
    if scheme == "sqlite":
        address = os.path.realpath(os.path.expanduser(rest))
    else:
        address = f"{sorted(rest.strip('/').split(','))} {settings.kafka.prefix}"
    return hashlib.sha256(address.encode("utf-8", "surrogateescape")).hexdigest()[:12]
