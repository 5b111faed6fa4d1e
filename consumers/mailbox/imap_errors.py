"""Errors of an IMAP connection."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from imapclient.exceptions import IMAPClientAbortError, IMAPClientError  # pyright: ignore[reportMissingTypeStubs]

IMAP_ERRORS = (IMAPClientError, OSError)
"""The exceptions for a broken connection or a server that refuses a command."""


def reason(error: Exception) -> str:
    """Why a connection failed: the text of an `error`, without the number that an OSError begins with.

    >>> reason(ConnectionRefusedError(111, "Connection refused")), reason(TimeoutError())
    ('Connection refused', 'TimeoutError')
    """
    return (isinstance(error, OSError) and error.strerror) or str(error) or type(error).__name__


class Refused(IMAPClientError):
    """The server has refused to move or mark a mail, which stays as it is."""


@contextmanager
def parsing() -> Generator[None]:
    """Raise one of `IMAP_ERRORS` if the server's answer is malformed: IMAPClient 3 then fails with any of these."""
    try:
        yield
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise IMAPClientAbortError(f"malformed answer of the server: {type(error).__name__}: {error}") from error


@contextmanager
def refusable() -> Generator[None]:
    """Raise `Refused` if the server refuses a command; the connection goes on."""
    try:
        yield
    except IMAPClientAbortError:
        raise
    except IMAPClientError as error:
        raise Refused(*error.args) from error
