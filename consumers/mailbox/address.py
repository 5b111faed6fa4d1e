"""imap://user@host/INBOX: which mailbox, and whether the way there is encrypted."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from ..errors import UserError
from ..runtime.loopback import is_loopback


class ImapAddress(NamedTuple):
    """A mailbox of a user on a server; `tls` is off for this machine, or where it was asked for."""

    user: str
    host: str
    port: int
    mailbox: str
    tls: bool

    def __str__(self) -> str:
        """The account: what the log knows it by."""
        return f"imap://{self.user}@{self.host}:{self.port}"


def parse_imap_address(url: str, plain: bool = False) -> ImapAddress:
    """The mailbox that a URL names; raises UserError.

    imaps is TLS on port 993. imap is the same, but on this machine, or with `plain`, unencrypted on port 143.

    Args:
        url: ``imap://user@host[:port]/folder`` or the same with imaps; an @ in the name of the user is %40.

    >>> parse_imap_address("imap://ann@mail.example.org/INBOX")
    ImapAddress(user='ann', host='mail.example.org', port=993, mailbox='INBOX', tls=True)
    >>> parse_imap_address("imap://ann%40example.org@localhost").user
    'ann@example.org'
    """
    form = "give imap://user@host/INBOX, with %40 for an @ in the user's name"
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise UserError(f"an address of a mailbox: {error}; {form}") from error
    if parts.password is not None:
        # The text is not repeated: it has the password in it.
        raise UserError("a password in the address would show in lists of processes: set STREAM_NB_IMAP_PASSWORD")
    if parts.scheme not in ("imap", "imaps") or not host or not parts.username or parts.query or parts.fragment:
        raise UserError(f"{url!r} is no address of a mailbox: {form}")
    if plain and parts.scheme == "imaps":
        raise UserError(f"{url!r} asks for encryption, and --plain for none: give imap:// or leave --plain out")
    tls = parts.scheme == "imaps" or not (plain or is_loopback(host))
    mailbox = unquote(parts.path.removeprefix("/")) or "INBOX"
    return ImapAddress(unquote(parts.username), host, port or (993 if tls else 143), mailbox, tls)
