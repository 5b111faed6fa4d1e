"""Addresses of mailboxes, imap://user@host/INBOX."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from ..errors import UserError
from ..runtime.addresses import is_loopback

PORT, TLS_PORT = 143, 993


class ImapAddress(NamedTuple):
    """A mailbox of a user on a server.

    `tls` is whether the connection is encrypted, `starttls` whether it begins unencrypted (RFC 9051, section 6.2.1).
    """

    user: str
    host: str
    port: int
    mailbox: str
    tls: bool
    starttls: bool = False

    def __str__(self) -> str:
        """The account's name, part of its keys on the log."""
        return f"imap://{self.user}@{self.host}:{self.port}"


def folder_name(name: str) -> str:
    """The name of a folder in the one spelling that it has here: INBOX is the same in any case (RFC 9051, section 5.1).

    Args:
        name: The name as a user or a server writes it.

    >>> folder_name("Inbox"), folder_name("Junk")
    ('INBOX', 'Junk')
    """
    return "INBOX" if name.upper() == "INBOX" else name


def parse_imap_address(url: str, plain: bool = False) -> ImapAddress:
    """Parse the URL of a mailbox; raises UserError.

    imaps uses TLS on port 993. imap does, too, or STARTTLS if the port is 143, unless the host is this machine or
    `plain` is set: then the connection is unencrypted, on port 143.

    Args:
        url: ``imap://user@host[:port]/folder`` or the same with imaps; an @ in the user's name is written %40.
        plain: Whether imap connects without encryption to any host.

    >>> parse_imap_address("imap://ann@mail.example.org/INBOX")
    ImapAddress(user='ann', host='mail.example.org', port=993, mailbox='INBOX', tls=True, starttls=False)
    >>> parse_imap_address("imap://ann%40example.org@localhost").user
    'ann@example.org'
    """
    problem = ""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
        (host or "").encode("idna")  # raises for a name that cannot be looked up, as a..b
    except ValueError as error:
        parts, host, port, problem = urlsplit(""), None, None, f": {error}"
    valid = parts.scheme in ("imap", "imaps") and parts.password is None and not parts.query and not parts.fragment
    if not (valid and host and parts.username):
        # The URL is not repeated if it may contain a password, which does not look like one with a /, ? or # in it.
        if ":" in url.rpartition("@")[0].partition("://")[2]:
            raise UserError(
                "a password in the address is visible in process lists; set STREAM_NB_IMAP_PASSWORD instead"
            )
        form = "give imap://user@host/INBOX, with %40 for an @ in the user's name"
        raise UserError(f"{url!r} is not the address of a mailbox{problem}; {form}")
    if plain and parts.scheme == "imaps":
        raise UserError(f"{url!r} requires encryption, and --plain turns it off; give imap:// or omit --plain")
    tls = parts.scheme == "imaps" or not (plain or is_loopback(host))
    starttls = tls and parts.scheme == "imap" and port == PORT
    mailbox = folder_name(unquote(parts.path.removeprefix("/")) or "INBOX")
    return ImapAddress(unquote(parts.username), host, port or (TLS_PORT if tls else PORT), mailbox, tls, starttls)
