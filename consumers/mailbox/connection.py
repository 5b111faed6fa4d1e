"""A connection to an IMAP server. Only this file, `folders`, `login` and `imap_errors` use IMAPClient."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from imapclient.exceptions import IMAPClientError  # pyright: ignore[reportMissingTypeStubs]

from ..ingest.formats.folder_names import means_spam, means_trash, means_written
from ..ingest.formats.mbox import MAX_READ_BYTES
from ..settings import ImapSettings
from .address import ImapAddress, folder_name
from .folders import Folder, is_own, list_folders
from .imap_errors import IMAP_ERRORS, parsing, refusable
from .login import log_in

UIDS_A_SEARCH = 50_000
JUNK = b"\\Junk"
DELETED = b"\\Deleted"
ANY_KEYWORD = b"\\*"
NO_MAILS = {b"\\noselect", b"\\nonexistent"}
NOT_RECEIVED = NO_MAILS | {b"\\trash", b"\\drafts", b"\\sent", b"\\all", b"\\flagged", b"\\important"}
JUNK_KEYWORD = "$Junk"
MOVING_KEYWORD = "$StreamNBMoving"
"""Set on a mail while we move it, so that the server's own rules can distinguish our moves from the user's."""

_WHOLE = f"BODY.PEEK[]<0.{MAX_READ_BYTES}>"


class Selected(NamedTuple):
    """The selected folder. UIDs are valid for this `uidvalidity` only; the next mail's UID is at least `uidnext`."""

    uidvalidity: int
    uidnext: int
    mails: int


class Fetched(NamedTuple):
    """A mail: its UID, its bytes (None if it is left out), and whether it is marked to be deleted."""

    uid: int
    raw: bytes | None
    deleted: bool = False


class ImapConnection:
    """A connection after login. Raises UserError for a wrong password or certificate, else one of `IMAP_ERRORS`."""

    def __init__(self, address: ImapAddress, settings: ImapSettings) -> None:
        self._client = log_in(address, settings)

    def close(self) -> None:
        """Close the connection, even if it is broken."""
        self._client.__exit__(None, None, None)

    def can(self, capability: str) -> bool:
        """Whether the server has an extension, a `capability` such as MOVE."""
        return bool(self._client.has_capability(capability))

    @parsing()
    def find_junk(self) -> str | None:
        """The user's folder that the server marks as junk, else one whose name means junk, else None."""
        folders = self._own_folders()
        marked = [name for flags, _, name in folders if JUNK in flags]
        named = [name for _, separator, name in folders if means_spam(name, (separator or b"").decode())]
        return next(iter([*marked, *named]), None)

    @parsing()
    def find_received(self) -> list[str]:
        """The user's folders for received mail: no trash, no drafts or sent mail, and no views of other folders."""
        return [
            folder_name(name)
            for flags, separator, name in self._own_folders()
            if NOT_RECEIVED.isdisjoint(flag.lower() for flag in flags)
            and not means_trash(name, (separator or b"").decode())
            and not means_written(name, (separator or b"").decode())
        ]

    @parsing()
    def own_prefix(self) -> str:
        """What the names of the user's own folders begin with, such as ``INBOX.``; mostly nothing."""
        own = next(iter(self._spaces()), None)
        return own[0][0] if own else ""

    def _own_folders(self) -> list[Folder]:
        spaces = self._spaces()
        return [folder for folder in list_folders(self._client) if is_own(folder[2], spaces)]

    def _spaces(self) -> Sequence[Sequence[tuple[str, str]] | None]:
        """The prefixes and separators of the namespaces: the user's own, those of other users, and shared ones."""
        return self._client.namespace() if self.can("NAMESPACE") else ()

    @parsing()
    def has_folder(self, folder: str) -> bool:
        """Whether the folder named `folder` exists and can hold mails: a parent may hold only other folders."""
        found = list_folders(self._client, folder)  # a name may be a pattern, too
        return any(
            folder_name(name) == folder and NO_MAILS.isdisjoint(flag.lower() for flag in flags)
            for flags, _, name in found
        )

    @parsing()
    def select(self, folder: str, readonly: bool = True) -> Selected:
        """Select the folder named `folder`, `readonly` or for changes.

        Raises:
            Refused: It cannot be opened; no folder is selected.
        """
        with refusable():
            response = self._client.select_folder(folder, readonly=readonly)
        self._kept_flags = response.get(b"PERMANENTFLAGS", ())
        self._flags_in_use = response.get(b"FLAGS", ())
        mails = int(response[b"EXISTS"])
        self._uidnext = int(response.get(b"UIDNEXT", 0)) or self._after_last_uid(mails)  # Courier does not send it
        return Selected(int(response[b"UIDVALIDITY"]), self._uidnext, mails)

    def _after_last_uid(self, mails: int) -> int:
        last: list[int] = self._client.search([str(mails)]) if mails else []
        return max(last, default=0) + 1

    def keeps(self, keyword: str) -> bool:
        """Whether the selected folder stores a `keyword` permanently; a server may silently ignore others."""
        return ANY_KEYWORD in self._kept_flags or keyword.encode() in self._kept_flags

    @parsing()
    def uids_from(self, first: int) -> list[int]:
        """The UIDs of the selected folder from `first` (1 or more) on, ascending."""
        found: list[int] = []
        # One line of the answer must not exceed the limit of imaplib, a megabyte.
        while first + UIDS_A_SEARCH < self._uidnext:
            found += self._client.search(["UID", f"{first}:{first + UIDS_A_SEARCH - 1}"])
            first += UIDS_A_SEARCH
        # `n:*` always includes the last mail, even if its UID is below n.
        found += (uid for uid in self._client.search(["UID", f"{first}:*"]) if uid >= first)
        return sorted(found)

    @parsing()
    def read(self, uids: Sequence[int]) -> list[Fetched]:
        """The mails of the selected folder with these `uids`, without those that are gone; only the start of a large
        mail is fetched."""
        found = self._client.fetch(uids, ["FLAGS", _WHOLE])
        bodies = ((uid, _body(found[uid])) for uid in sorted(found))
        # Dovecot has no bytes of a mail that has just been deleted.
        return [Fetched(uid, raw, DELETED in found[uid].get(b"FLAGS", ())) for uid, raw in bodies if raw is not None]

    def move(self, uid: int, folder: str) -> None:
        """Move the mail `uid` of the selected folder to another `folder`; call `settle` for that one afterwards.

        Raises:
            Refused: The mail has not been moved. After any other error it may be in either folder, or in both.
        """
        if self.keeps(MOVING_KEYWORD):
            self._client.add_flags([uid], [MOVING_KEYWORD], silent=True)
        try:
            self._move(uid, folder)
        except IMAPClientError:
            with suppress(*IMAP_ERRORS):  # the mail was not moved, and its owner may still move it
                self._client.remove_flags([uid], [MOVING_KEYWORD], silent=True)
            raise

    @parsing()
    def settle(self, folder: str) -> None:
        """Select a `folder` to which mails were moved, and remove `MOVING_KEYWORD` from them."""
        self.select(folder)
        known = MOVING_KEYWORD.encode() in self._flags_in_use  # servers without keywords may refuse to search for one
        moved: list[int] = self._client.search(["KEYWORD", MOVING_KEYWORD]) if known else []
        if moved:
            self.select(folder, readonly=False)
            self._client.remove_flags(moved, [MOVING_KEYWORD], silent=True)

    def mark(self, uid: int, is_junk: bool) -> None:
        """Add the keyword $Junk to the mail `uid` of the selected folder if it `is_junk`, else remove it.

        Raises:
            Refused: The mail is as before.
        """
        change = self._client.add_flags if is_junk else self._client.remove_flags
        with refusable():
            change([uid], [JUNK_KEYWORD], silent=True)

    def _move(self, uid: int, folder: str) -> None:
        moves = self.can("MOVE")
        with refusable():
            (self._client.move if moves else self._client.copy)([uid], folder)
        if not moves:
            self._client.delete_messages([uid], silent=True)
            self._client.uid_expunge([uid])

    def start_idle(self) -> None:
        """Start IDLE: the server reports changes of the selected folder."""
        self._client.idle()

    @parsing()
    def events(self, timeout_s: float) -> bool:
        """Wait for an event, at most `timeout_s` seconds; return True also if the connection may be broken.

        An event that arrived together with the response to IDLE is buffered, and only reported with the next one.
        """
        started = time.monotonic()
        found = self._client.idle_check(timeout_s)
        return bool(found) or time.monotonic() - started < timeout_s / 2

    @parsing()
    def stop_idle(self) -> None:
        """End IDLE."""
        self._client.idle_done()


def _body(answer: Mapping[bytes, Any]) -> bytes | None:
    """The start of a mail; a server may send more than that, as the whole mail."""
    raw: bytes | None = answer.get(b"BODY[]<0>", answer.get(b"BODY[]"))
    return None if raw is None else raw[:MAX_READ_BYTES]
