"""Messages of commands on stderr, and output that cannot be written."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager

import click

from ..errors import ConsumerError
from ..records.sanitize import show_safely

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def printable(text: str) -> str:
    r"""The text with control characters made visible by `show_safely`; file names may contain them, too.

    Args:
        text: Lines for a terminal.

    >>> print(printable("a\x1b[31m\u00e4"))
    a⟨U+001B⟩[31mä
    """
    return "\n".join(show_safely(line, len(line)) for line in text.split("\n"))


def say(text: str) -> None:
    """Print on stderr, separate from the command's output.

    Args:
        text: One line or more, without the last line end; may contain untrusted text.
    """
    click.echo(printable(text), err=True)


def note(text: str) -> None:
    """Print on stderr something that is not an error but may be unexpected.

    Args:
        text: A line without its line end.
    """
    say(f"note: {text}")


def open_stderr() -> None:
    """Open the null device as standard error, here and in the processes of a stage, if the caller has closed it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    os.set_inheritable(2, True)  # `dup2` does so only if the device was not opened as 2
    sys.stderr = os.fdopen(2, "w")


def drop_output() -> None:
    """Redirect standard output to the null device, because Python flushes it at exit and would fail again."""
    with open(os.devnull, "wb") as nothing:
        os.dup2(nothing.fileno(), sys.stdout.fileno())


@contextmanager
def writing_output() -> Generator[None]:
    """Raise ConsumerError if standard output cannot be written, for example on a full disk."""
    try:
        yield
        click.echo(nl=False)
    except OSError as error:
        if error.errno not in NO_ROOM or error.filename is not None:
            raise
        drop_output()
        raise ConsumerError(
            f"the output cannot be written: {error.strerror}; free some space, or name another file"
        ) from error
