"""What is stored on the log about a mail of a mailbox, and about each of its folders."""

from __future__ import annotations

import msgspec


class KnownMail(msgspec.Struct, frozen=True):
    """A mail, and where it was last seen.

    Args:
        folder: The folder.
        uid: Its UID there; 0 while it is unknown.
        old: Whether it existed before the mailbox was followed; such mails are not treated.
        going: The folder that we are moving it to; "" for none.
        moved: Whether we moved it here.
        marked: Whether we marked it as junk.
        name: The name of its file, in a Maildir.
        keyword: The label that its keywords gave last.
    """

    folder: str
    uid: int = 0
    old: bool = False
    going: str = ""
    moved: bool = False
    marked: bool = False
    name: str = ""
    keyword: str | None = None


class Position(msgspec.Struct, frozen=True):
    """How far a folder has been read: UIDs below `uidnext` are known; those below `old` existed at the start, and those
    below `maybe_copies` when the account was first read, or the server last assigned new UIDs: they are not moves."""

    uidvalidity: int
    uidnext: int
    old: int
    maybe_copies: int = 0
