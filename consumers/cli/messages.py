"""What commands say to people, and output that cannot be written."""

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
    r"""The text with nothing hidden in it, as `show_safely` has it: names of files may hold controls, too.

    Args:
        text: Lines for a terminal.

    >>> print(printable("a\x1b[31m\u00e4"))
    a⟨U+001B⟩[31mä
    """
    return "\n".join(show_safely(line, len(line)) for line in text.split("\n"))


def say(text: str) -> None:
    """Print on stderr, apart from what the command prints.

    Args:
        text: A line without its end, of any origin.
    """
    click.echo(printable(text), err=True)


def note(text: str) -> None:
    """Print on stderr what is no mistake and yet may surprise.

    Args:
        text: A line without its end.
    """
    say(f"note: {text}")


def drop_output() -> None:
    """Take standard output away: Python writes once more at its end what is still waiting, and would fail again."""
    with open(os.devnull, "wb") as nothing:
        os.dup2(nothing.fileno(), sys.stdout.fileno())


@contextmanager
def writing_output() -> Generator[None]:
    """Raise ConsumerError where standard output takes no more, such as a file on a full disk."""
    try:
        yield
        click.echo(nl=False)
    except OSError as error:
        if error.errno not in NO_ROOM or error.filename is not None:
            raise
        drop_output()
        raise ConsumerError(
            f"the output cannot be written: {error.strerror}; make room, or name another file"
        ) from error
