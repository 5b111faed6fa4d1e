"""A folder with a sub-folder a class, or with mails and no classes."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from consumers.errors import UserError
from consumers.sources.base import MailFile, Source, files_source, shuffled
from consumers.sources.classes import class_names


def open_folder(root: Path, shuffle: int | None, classes: str | None) -> Source:
    """Mails of a folder, one a file: the files below each sub-folder, labelled by its name (see `classes`).

    Order: the files of all classes merged in natural order of their names (numbers as numbers), ties by class;
    with `shuffle` sorted by (sub-folder, name) and then ``random.Random(shuffle).shuffle``. Hidden files, and
    files beside the sub-folders, are left out. A folder of files only gives mails without labels.
    """
    folders = sorted(entry.name for entry in root.iterdir() if entry.is_dir() and not entry.name.startswith("."))
    if folders:
        filled = {folder: list(_files(root / folder)) for folder in folders}
        named = class_names([folder for folder in folders if filled[folder]], classes)
        files = [MailFile(path, folder, named[folder]) for folder in named for path in filled[folder]]
        about = f"folder with the classes {', '.join(sorted(set(named.values())))}"
    else:
        if classes is not None:
            raise UserError(f"--classes names the classes of sub-folders, and {root} has none")
        files = [MailFile(path, "", None) for path in _files(root)]
        about = "folder of mails without classes"
    if not files:
        raise UserError(f"{root} holds no mail; expected are files, or a sub-folder a class with files in them")
    return files_source(about, in_order(files, shuffle))


def in_order(files: list[MailFile], shuffle: int | None) -> list[MailFile]:
    """Files in natural order of their names, or in the seeded random order."""
    if shuffle is not None:
        return shuffled(sorted(files, key=lambda file: (file.folder, file.path.name, file.path)), shuffle)
    return sorted(files, key=lambda file: (natural(file.path.name), file.folder, file.path))


def natural(name: str) -> tuple[list[str | int], str]:
    """A sort key that takes numbers as numbers; names that differ only in leading zeros keep an order too.

    >>> sorted(["mail10", "mail9", "mail09"], key=natural)
    ['mail09', 'mail9', 'mail10']
    """
    pieces = re.split("([0-9]+)", name)
    return [int(piece) if at % 2 else piece for at, piece in enumerate(pieces)], name


def _files(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            path = Path(place, name)
            if not name.startswith(".") and path.is_file():
                yield path
