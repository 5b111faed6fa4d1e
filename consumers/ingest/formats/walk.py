"""Finds the files below a folder that may hold mail, without those that mail programs write beside them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from ...runtime.paths import is_file
from .folder_names import means_spam
from .proton import MAIL, METADATA

EXPORTED = "mbox"
"""The file, in a folder ``NAME.mbox``, to which Apple Mail exports a mailbox."""

OF_KMAIL = ".directory"
"""The end of KMail's name for the folder of another folder's sub-folders."""


def mail_files(root: Path) -> Iterator[tuple[Path, bool]]:
    """Yield every file below `root` that may hold mail, and whether it is a folder of Thunderbird: an mbox with an
    index, or beside one that has an index, because Thunderbird writes the index when the folder is opened first.

    A link to a folder outside `root` is read like a folder, unless that folder has been read before. A link to one
    below `root` is left out, because its mails are found there.

    Raises:
        OSError: A folder cannot be listed, or a file beside an index cannot be read.
    """
    whole = root.resolve()
    read = {whole}
    for parent, folders, names in os.walk(root, onerror=_stop, followlinks=True):
        top = Path(parent) == root
        unfinished = "tmp" if "cur" in folders else ""  # of a Maildir: mails that are not yet, or never, delivered
        folders[:] = [
            name
            for name in folders
            if (visible(Path(parent, name)) or holds_folders(name) or (top and means_spam(name)))
            and name != unfinished
            and _is_new(Path(parent, name), whole, read)
        ]
        if EXPORTED in names and is_mailbox(Path(parent)):
            names = [EXPORTED]  # the other file is a table of contents
        if any(name.endswith(METADATA) for name in names):
            names = [name for name in names if name.endswith(MAIL)]
        indexed = {name.removesuffix(".msf") for name in names if name.endswith(".msf")}
        for name in names:
            path = Path(parent, name)
            if name[0] not in ".," and is_file(path):
                of_thunderbird = name in indexed or (bool(indexed) and _is_mbox(path))
                if of_thunderbird or not indexed:
                    yield path, of_thunderbird


def visible(folder: Path) -> bool:
    """Whether `folder` counts: it is not hidden, or is a Maildir, as the folders of another Maildir are (``.Junk``)."""
    return folder.name[0] != "." or all(os.path.isdir(folder / part) for part in ("cur", "new"))


def holds_folders(folder: str) -> bool:
    """Whether KMail gives the name `folder` to the folder of another folder's sub-folders."""
    return folder.startswith(".") and folder.endswith(OF_KMAIL)


def is_mailbox(folder: Path) -> bool:
    """Whether `folder` is a mailbox of Apple Mail, with its mails in sub-folders or exported to one file."""
    return folder.suffix == ".mbox"


def _is_mbox(path: Path) -> bool:
    with path.open("rb") as stream:
        return stream.read(5) == b"From "


def _stop(error: OSError) -> None:
    raise error


def _is_new(folder: Path, whole: Path, read: set[Path]) -> bool:
    """Whether a folder below `whole`, or behind a link that leads out of it, has not been `read`; adds it to these."""
    place = folder.resolve()
    if place in read or (folder.is_symlink() and place.is_relative_to(whole)):
        return False
    read.add(place)
    return True
