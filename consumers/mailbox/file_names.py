"""The names of the files in a Maildir's folders, without their flags."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import NamedTuple

SETTLED_NS = 2_000_000_000
"""A folder that changed more recently is listed again, because two changes may have the same modification time."""


class Listing(NamedTuple):
    """The files of a folder's part, `new` or `cur`; the folder's keywords; whether it has been listed before."""

    folder: str
    part: Path
    files: list[str]
    names: dict[str, str]
    listed_before: bool


class FileNames:
    """The names in folders, each of which is listed again only if it may have changed."""

    def __init__(self) -> None:
        self._names: dict[Path, tuple[int, set[str]]] = {}

    def names_in(self, part: Path) -> set[str]:
        """The names of the files in the folder `part`, such as ``cur``, by `base_name`.

        Raises:
            OSError: The folder is gone.
        """
        now, changed = time.time_ns(), part.stat().st_mtime_ns
        known = self._names.get(part)
        if known is not None and known[0] == changed:
            return known[1]
        names = {base_name(file) for file in os.listdir(part)}
        if now - changed > SETTLED_NS:
            self._names[part] = changed, names
        return names

    def clear(self) -> None:
        """Forget all names."""
        self._names.clear()


def base_name(file: str) -> str:
    """The name of `file` without its flags, which may change.

    >>> base_name("1795298994.M1.host:2,Sa")
    '1795298994.M1.host'
    """
    return as_text(file.partition(":2,")[0])


def as_text(name: str) -> str:
    """A file's `name` as text that can go onto the log, even if it is not UTF-8 (Latin-1, from an old server)."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
