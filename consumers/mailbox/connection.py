"""What is asked of an IMAP server, over one connection. The one file that uses IMAPClient."""

from __future__ import annotations

import ssl
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, cast

import imapclient  # pyright: ignore[reportMissingTypeStubs]
from imapclient.exceptions import (  # pyright: ignore[reportMissingTypeStubs]
    IMAPClientAbortError,
    IMAPClientError,
    LoginError,
)

from ..errors import UserError
from ..ingest.formats.folder_names import means_spam
from ..ingest.formats.mbox import MAX_READ_BYTES
from .address import ImapAddress

CONNECT_S = 30.0
READ_S = 120.0
BATCH = 20
JUNK = b"\\Junk"
ANY_KEYWORD = b"\\*"
JUNK_KEYWORD = "$Junk"
MOVING_KEYWORD = "$StreamNBMoving"
"""On a mail that we move, for as long as that takes: the server's own rules can tell such a move from its user's."""

IMAP_ERRORS = (IMAPClientError, OSError, ssl.SSLError)
"""What a connection that breaks, or a server that says no, raises."""

_WHOLE = f"BODY.PEEK[]<0.{MAX_READ_BYTES}>"


class MoveRefused(IMAPClientError):
    """The server says no to a move: the mail stays where it is."""


class Selected(NamedTuple):
    """A folder that is open: UIDs count only together with `uidvalidity`; the next mail's is at least `uidnext`."""

    uidvalidity: int
    uidnext: int
    mails: int


class ImapConnection:
    """A connection, logged in. Raises UserError for a wrong password or certificate, else one of `IMAP_ERRORS`.

    Args:
        password: The user's.
    """

    def __init__(self, address: ImapAddress, password: str) -> None:
        where = f"{address.host}:{address.port}"
        timeout = imapclient.SocketTimeout(CONNECT_S, READ_S)
        try:
            self._client: Any = imapclient.IMAPClient(
                address.host, address.port, ssl=address.tls, timeout=cast(Any, timeout)
            )
        except ssl.SSLCertVerificationError as error:
            raise UserError(
                f"imap {where}: {error.verify_message}; trust its certificate with SSL_CERT_FILE, or give another host"
            ) from error
        try:
            self._client.login(address.user, password)
        except LoginError as error:
            self._client.shutdown()
            raise UserError(
                f"imap {where}: {address.user} is refused: {error}; check the user and STREAM_NB_IMAP_PASSWORD"
            ) from error
        except BaseException:
            self._client.shutdown()
            raise

    def close(self) -> None:
        """End the connection; a broken one too."""
        self._client.__exit__(None, None, None)

    def can(self, capability: str) -> bool:
        """Whether the server has an extension.

        Args:
            capability: The extension's name, such as MOVE.
        """
        return bool(self._client.has_capability(capability))

    def find_junk(self) -> str | None:
        """The user's folder that the server marks as the one for junk, else one with such a name; None without one."""
        spaces = self._client.namespace() if self.can("NAMESPACE") else ()
        folders = [folder for folder in self._client.list_folders() if _is_own(folder[2], spaces)]
        marked = [name for flags, _, name in folders if JUNK in flags]
        named = [name for _, separator, name in folders if means_spam(name, (separator or b"").decode())]
        return next(iter([*marked, *named]), None)

    def has_folder(self, folder: str) -> bool:
        """Whether there is a folder of this name.

        Args:
            folder: Its name on the server.
        """
        return bool(self._client.folder_exists(folder))

    def select(self, folder: str, readonly: bool = True) -> Selected:
        """Open a folder.

        Args:
            folder: Its name on the server.
            readonly: Whether flags must not change.
        """
        said = self._client.select_folder(folder, readonly=readonly)
        self._kept_flags = said.get(b"PERMANENTFLAGS", ())
        self._flags_in_use = said.get(b"FLAGS", ())
        return Selected(int(said[b"UIDVALIDITY"]), int(said.get(b"UIDNEXT", 1)), int(said[b"EXISTS"]))

    def keeps(self, keyword: str) -> bool:
        """Whether mails of the open folder keep a keyword: without the right to set it a server may ignore that.

        Args:
            keyword: The keyword.
        """
        return ANY_KEYWORD in self._kept_flags or keyword.encode() in self._kept_flags

    def uids_from(self, first: int) -> list[int]:
        """The UIDs of the open folder from this one on, in order.

        Args:
            first: A UID, 1 or more.
        """
        # `n:*` names the last mail also where its UID is below n.
        return sorted(uid for uid in self._client.search(["UID", f"{first}:*"]) if uid >= first)

    def read(self, uids: Sequence[int]) -> Iterator[list[tuple[int, bytes]]]:
        """The mails with these UIDs in batches; those that are gone are left out. Of a large mail the start is read.

        Args:
            uids: UIDs of the open folder.
        """
        for at in range(0, len(uids), BATCH):
            found = self._client.fetch(uids[at : at + BATCH], [_WHOLE])
            yield [(uid, found[uid][b"BODY[]<0>"]) for uid in sorted(found) if b"BODY[]<0>" in found[uid]]

    def move(self, uid: int, folder: str) -> None:
        """Move a mail of the open folder to another one, where `settle` ends the move.

        Args:
            uid: The mail's UID.
            folder: Where it goes.

        Raises:
            MoveRefused: The mail is where it was. After any other error it may be in either folder, or in both.
        """
        if self.keeps(MOVING_KEYWORD):
            self._client.add_flags([uid], [MOVING_KEYWORD], silent=True)
        try:
            self._move(uid, folder)
        except IMAPClientError:
            with suppress(*IMAP_ERRORS):  # it stays here, and its owner may move it
                self._client.remove_flags([uid], [MOVING_KEYWORD], silent=True)
            raise

    def settle(self, folder: str) -> None:
        """Take off the mails of a folder what says that they are being moved; the folder is open then.

        Args:
            folder: Where mails were moved to.
        """
        self.select(folder)
        known = MOVING_KEYWORD.encode() in self._flags_in_use  # a server that keeps no keywords may refuse to search
        moved: list[int] = self._client.search(["KEYWORD", MOVING_KEYWORD]) if known else []
        if moved:
            self.select(folder, readonly=False)
            self._client.remove_flags(moved, [MOVING_KEYWORD], silent=True)

    def mark(self, uid: int, is_junk: bool) -> None:
        """Put the keyword $Junk on a mail of the open folder, or take it off.

        Args:
            uid: The mail's UID.
            is_junk: Whether it gets the keyword or loses it.
        """
        change = self._client.add_flags if is_junk else self._client.remove_flags
        change([uid], [JUNK_KEYWORD], silent=True)

    def _move(self, uid: int, folder: str) -> None:
        moves = self.can("MOVE")
        try:
            (self._client.move if moves else self._client.copy)([uid], folder)
        except IMAPClientAbortError:
            raise
        except IMAPClientError as error:
            raise MoveRefused(*error.args) from error
        if not moves:
            self._client.delete_messages([uid], silent=True)
            self._client.uid_expunge([uid])

    def start_idle(self) -> None:
        """Have the server tell what happens in the open folder."""
        self._client.idle()

    def events(self, timeout_s: float) -> bool:
        """Wait for something to happen; True also when the connection may be broken.

        What arrived in one piece with the answer to IDLE is in a buffer, and told when more arrives.

        Args:
            timeout_s: Seconds to wait.
        """
        started = time.monotonic()
        return bool(self._client.idle_check(timeout_s)) or time.monotonic() - started < timeout_s / 2

    def stop_idle(self) -> None:
        """Have the server tell nothing more."""
        self._client.idle_done()


def _is_own(folder: str, spaces: Sequence[Sequence[tuple[str, str]] | None]) -> bool:
    """Whether a folder is in a namespace of the user (RFC 2342): not one of others, or for all.

    Args:
        folder: Its name on the server.
        spaces: Prefixes and separators of the user's own namespaces, of those of others, and of shared ones.
    """
    prefixes = [(prefix, number == 0) for number, space in enumerate(spaces) for prefix, _ in space or ()]
    # One prefix may be within another, or "".
    return max([(len(prefix), own) for prefix, own in prefixes if folder.startswith(prefix)], default=(0, True))[1]
