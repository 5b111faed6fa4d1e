"""Creates files and folders that only their owner may read, whatever the umask: they hold mail or what it taught."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path
from typing import IO

from ..errors import UserError

FILE_MODE = 0o600
FOLDER_MODE = 0o700


def make_folder(folder: Path) -> None:
    """Create `folder` and its missing parents; existing folders, and their modes, are not changed. Raises OSError if it
    cannot be created, or a file has its name."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    folder.mkdir(exist_ok=True)
    folder.chmod(FOLDER_MODE)


def make_file(path: Path) -> None:
    """Create an empty file at `path`, in an existing folder; an existing file is not changed. Raises OSError if it
    cannot be created."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE)
    except FileExistsError:
        return
    os.fchmod(descriptor, FILE_MODE)
    os.close(descriptor)


def open_new(path: Path | str) -> IO[bytes]:
    """Open the file or device at `path` for writing: a file is emptied and made private before anything is written, a
    device keeps its mode. Raises OSError if it cannot be opened."""
    file = open(path, "wb", opener=lambda name, flags: os.open(name, flags, FILE_MODE))
    if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        os.fchmod(file.fileno(), FILE_MODE)
    return file


def write(path: Path | str, data: bytes) -> None:
    """Write `data` to a private file at `path`, or to the file that a link there leads to, as by `replace`; or to a
    device. Raises UserError if it cannot be written."""
    path = Path(path)
    try:
        if path.exists() and not path.is_file():
            with open_new(path) as device:
                device.write(data)
        else:
            replace(path.resolve(), data)
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}; name a file that can be written") from error


def replace(path: Path, data: bytes) -> None:
    """Replace the file at `path` by a private one with this `data`, atomically: after a failure or a crash the old file
    is still there. Raises OSError if it cannot be written; its folder must be writable."""
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=path.name + ".")
    try:
        with open(descriptor, "wb") as file:
            os.fchmod(descriptor, FILE_MODE)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
