"""Folders of a Maildir that are renamed, which moves no mail: their mails are then remembered in the new folder.

Mail servers also rename a folder before they delete its files.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import msgspec

from .known_mails import KnownMails


class RenamedFolders:
    """Recognises renamed folders by the number (inode) that they keep."""

    def __init__(self, known_mails: KnownMails) -> None:
        self._known_mails = known_mails
        self._names: dict[tuple[int, int], str] = {}

    def follow(self, folders: Mapping[str, Path]) -> None:
        """Rename the folders of the mails in those `folders`, by name, that had another name at the last call."""
        names: dict[tuple[int, int], str] = {}
        for name, path in folders.items():
            with suppress(OSError):  # it has just been renamed or deleted
                found = path.stat()
                names[found.st_dev, found.st_ino] = name
        before = self._names
        renamed = {before[number]: name for number, name in names.items() if before.get(number, name) != name}
        self._names = names
        for message_id, mail in list(self._known_mails.all()) if renamed else ():
            if mail.folder in renamed:
                self._known_mails.put(message_id, msgspec.structs.replace(mail, folder=renamed[mail.folder]))
