"""Logs in to an IMAP server."""

from __future__ import annotations

import ssl
from contextlib import suppress
from typing import Any, cast

import imapclient  # pyright: ignore[reportMissingTypeStubs]
from imapclient.exceptions import IMAPClientAbortError, LoginError  # pyright: ignore[reportMissingTypeStubs]

from ..errors import UserError
from .address import ImapAddress
from .imap_errors import parsing

CONNECT_S = 30.0
READ_S = 120.0
_CLOCK = "renew it on the server, or set this machine's clock"
_NAME = "give the host that the certificate names"
_ADVICE = {9: _CLOCK, 10: _CLOCK, 62: _NAME, 64: _NAME}
"""What to do about a certificate, by OpenSSL's codes: not yet valid, expired, another host name, another address."""


@parsing()
def log_in(address: ImapAddress, password: str) -> Any:
    """A connection after login.

    Args:
        address: The mailbox.
        password: The user's password.

    An unencrypted connection to a server that refuses passwords on it is encrypted first.

    Raises:
        UserError: The certificate is invalid, the server has no STARTTLS, or it refuses user or password.
        OSError: The connection fails.
        LoginError: The connection breaks during the login, or the server cannot check the password now.
    """
    where = f"imap {address.host}:{address.port}"
    try:
        client = _connect(address, where)
    except ssl.SSLCertVerificationError as error:
        advice = _ADVICE.get(error.verify_code, "trust its certificate with SSL_CERT_FILE, or give another host")
        raise UserError(f"{where}: {error.verify_message.rstrip('.')}; {advice}") from error
    try:
        if f"{address.user}{password}".isascii():
            client.login(address.user, password)
        else:  # the command LOGIN has no encoding for other characters
            client.plain_login(address.user, password)
    except LoginError as error:
        client.shutdown()
        if isinstance(error.__context__, IMAPClientAbortError) or "[UNAVAILABLE]" in str(error):
            raise
        answer = str(error).removeprefix("b'").removesuffix("'")  # imaplib quotes it as Python's bytes
        raise UserError(
            f"{where}: {address.user} is refused: {answer}; check the user and STREAM_NB_IMAP_PASSWORD"
        ) from error
    except BaseException:
        client.shutdown()
        raise
    return client


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
