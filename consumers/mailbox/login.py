"""Logs in to an IMAP server."""

from __future__ import annotations

import ssl
from contextlib import suppress
from typing import Any, cast

import imapclient  # pyright: ignore[reportMissingTypeStubs]
from imapclient.exceptions import IMAPClientAbortError, LoginError  # pyright: ignore[reportMissingTypeStubs]

from ..errors import UserError
from ..settings import ImapSettings
from .access_token import access_token
from .address import ImapAddress
from .imap_errors import parsing

CONNECT_S = 30.0
READ_S = 120.0
_CLOCK = "renew it on the server, or set this machine's clock"
_NAME = "give the host that the certificate names"
_ADVICE = {9: _CLOCK, 10: _CLOCK, 62: _NAME, 64: _NAME}
"""What to do about a certificate, by OpenSSL's codes: not yet valid, expired, another host name, another address."""
_SPECIALS = frozenset(' "\\(){%*')
"""Characters that must be quoted (RFC 9051, section 9)."""
_LATER = ("[UNAVAILABLE]", "[LIMIT]", "[INUSE]", "[SERVERBUG]")
"""The codes of refusals that say nothing about user and password (RFC 5530), as of one connection too many."""


@parsing()
def log_in(address: ImapAddress, settings: ImapSettings) -> Any:
    """A connection after login, which a server may have done itself, as in a tunnel of ssh (PREAUTH).

    An unencrypted connection to a server that refuses passwords on it is encrypted first.

    Raises:
        UserError: The certificate is invalid, the server has no STARTTLS or no OAuth 2, or it refuses the user.
        OSError: The connection fails.
        LoginError: The connection breaks during the login, or the server accepts no login now.
        MailServerUnavailable: There is no access token now.
    """
    where = f"imap {address.host}:{address.port}"
    try:
        client = _connect(address, where)
    except ssl.SSLCertVerificationError as error:
        advice = _ADVICE.get(error.verify_code, "trust its certificate with SSL_CERT_FILE, or give another host")
        raise UserError(f"{where}: {error.verify_message.rstrip('.')}; {advice}") from error
    try:
        if client.welcome.startswith(b"* PREAUTH"):
            return client
        if settings.token_command:
            _log_in_with_token(client, address, settings.token_command, where)
        elif f"{address.user}{settings.password}".isascii() and not _SPECIALS & set(address.user):
            client.login(address.user, settings.password)
        else:  # the command LOGIN has no encoding for other characters, and imaplib does not quote the user's name
            client.plain_login(address.user, settings.password)
    except LoginError as error:
        client.shutdown()
        answer = str(error).removeprefix("b'").removesuffix("'")  # imaplib quotes it as Python's bytes
        if isinstance(error.__context__, IMAPClientAbortError) or any(code in answer for code in _LATER):
            raise LoginError(answer) from error
        given = "[imap] token_command" if settings.token_command else "STREAM_NB_IMAP_PASSWORD"
        raise UserError(f"{where}: {address.user} is refused: {answer}; check the user and {given}") from error
    except BaseException:
        client.shutdown()
        raise
    return client


def _log_in_with_token(client: Any, address: ImapAddress, command: str, where: str) -> None:
    """Log in by RFC 7628, or by the older XOAUTH2 that Outlook has."""
    if client.has_capability("AUTH=OAUTHBEARER"):
        client.oauthbearer_login(address.user, access_token(command))
    elif client.has_capability("AUTH=XOAUTH2"):
        client.oauth2_login(address.user, access_token(command))
    else:
        raise UserError(f"{where}: the server has no OAuth 2; set STREAM_NB_IMAP_PASSWORD, and no [imap] token_command")


def _connect(address: ImapAddress, where: str) -> Any:
    """A connection before login."""
    timeout = cast(Any, imapclient.SocketTimeout(CONNECT_S, READ_S))
    encrypted = address.tls and not address.starttls
    client: Any = imapclient.IMAPClient(address.host, address.port, ssl=encrypted, timeout=timeout)
    try:
        if address.starttls and not client.has_capability("STARTTLS"):
            raise UserError(f"{where}: the server has no STARTTLS; give imaps:// for TLS from the start (port 993)")
        if address.starttls or (not encrypted and client.has_capability("LOGINDISABLED")):
            client.starttls()
    except BaseException:
        with suppress(OSError):  # after a refused certificate the socket is closed
            client.shutdown()
        raise
    return client
