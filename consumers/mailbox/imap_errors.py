"""Errors of an IMAP connection."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from imapclient.exceptions import IMAPClientAbortError, IMAPClientError  # pyright: ignore[reportMissingTypeStubs]

IMAP_ERRORS = (IMAPClientError, OSError)
"""The exceptions for a broken connection or a server that refuses a command."""


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
