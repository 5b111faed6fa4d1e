"""The folders of an account on an IMAP server."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from imapclient import imap_utf7  # pyright: ignore[reportMissingTypeStubs]

Folder = tuple[Sequence[bytes], bytes | None, str]
"""Flags, separator and name."""


def list_folders(client: Any, pattern: str = "*") -> list[Folder]:
    """The folders that match a `pattern`, a name in which ``*`` and ``%`` stand for any characters, without those whose
    name is invalid, as old servers and programs wrote them; `client` is the connection."""
    client.folder_encode = False  # IMAPClient fails if a single name is invalid
    try:
        found = client.list_folders("", imap_utf7.encode(pattern))
    finally:
        client.folder_encode = True
    folders: list[Folder] = []
    for flags, separator, name in found:
        with suppress(UnicodeError):
            folders.append((flags, separator, imap_utf7.decode(name)))
    return folders


def is_own(folder: str, spaces: Sequence[Sequence[tuple[str, str]] | None]) -> bool:
    """Whether the folder named `folder` is INBOX or in a personal namespace (RFC 2342), not another user's or a shared
    one; `spaces` are prefixes and separators of these three."""
    prefixes = [(prefix, number == 0) for number, space in enumerate(spaces) for prefix, _ in space or ()]
    # A prefix may be a prefix of another one, or "", so the longest match decides.
    longest = max([(len(prefix), own) for prefix, own in prefixes if folder.startswith(prefix)], default=(0, True))
    return folder.upper() == "INBOX" or longest[1]
