"""Files and folders that only their owner may read, whatever the umask: they hold mail, or what is learned from it."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import IO

FILE_MODE = 0o600
FOLDER_MODE = 0o700


def make_folder(folder: Path) -> None:
    """Make a folder and those above it that are missing; the modes of existing ones are not changed.

    Args:
        folder: The folder; one that is there already is left as it is.

    Raises:
        OSError: It cannot be made, or a file has its name.
    """
    if folder.is_dir():
        return
    make_folder(folder.parent)
    folder.mkdir(exist_ok=True)
    folder.chmod(FOLDER_MODE)


def make_file(path: Path) -> None:
    """Make an empty file; an existing one is not changed.

    Args:
        path: The file, in a folder that is there.

    Raises:
        OSError: It cannot be made.
    """
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE)
    except FileExistsError:
        return
    os.fchmod(descriptor, FILE_MODE)
    os.close(descriptor)


def open_new(path: Path | str) -> IO[bytes]:
    """Open a file for writing: it is empty and private before anything is written to it. A device keeps its mode.

    Args:
        path: A file, new or to be emptied, or a device.

    Raises:
        OSError: It cannot be opened.
    """
    file = open(path, "wb", opener=lambda name, flags: os.open(name, flags, FILE_MODE))
    if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        os.fchmod(file.fileno(), FILE_MODE)
    return file


def write(path: Path | str, data: bytes) -> None:
    """Write a private file in place of an existing one.

    Args:
        path: The file, or a device.
        data: All that it is to hold.

    Raises:
        OSError: It cannot be written.
    """
    with open_new(path) as file:
        file.write(data)
