"""Messages of commands on stderr, and output that cannot be written."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from io import BufferedWriter, FileIO, TextIOWrapper
from typing import Any

import click

from ..errors import ConsumerError
from ..records.sanitize import show_safely

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def printable(text: str) -> str:
    r"""Lines of `text` for a terminal, with control characters, which file names may contain, too, made visible by
    `show_safely`.

    >>> print(printable("a\x1b[31m\u00e4"))
    a⟨U+001B⟩[31mä
    """
    return "\n".join(show_safely(line, len(line)) for line in text.split("\n"))


def say(text: str) -> None:
    """Print `text`, one line or more, untrusted or not, on stderr, separate from the command's output."""
    click.echo(printable(text), err=True)


def note(text: str) -> None:
    """Print a line of `text` on stderr: something that is not an error but may be unexpected."""
    say(f"note: {text}")


class LossyFile(FileIO):
    """A file that drops what cannot be written to it."""

    def write(self, data: Any, /) -> int:
        """Write `data`, or drop it; returns the number of bytes done with."""
        with suppress(OSError):
            return super().write(data)
        return len(data)


def open_stderr() -> None:
    """Let messages that cannot be written stop nothing: the terminal of a stage in the background may be closed, or its
    log file on a full disk. If the caller has closed standard error, it becomes the null device, here and in the
    processes of a stage."""
    stderr: TextIOWrapper | None = sys.stderr  # pyright: ignore[reportAssignmentType]
    if stderr is None:
        _open_null_device(2)
    encoding = "utf-8" if stderr is None else stderr.encoding
    raw = LossyFile(2, "w", closefd=False)
    sys.stderr = TextIOWrapper(BufferedWriter(raw), encoding, "backslashreplace", line_buffering=True)


def open_stdout() -> None:
    """Let standard output escape what it cannot encode, as standard error does, and report what it cannot write.

    Unbuffered (PYTHONUNBUFFERED), Python ignores that a full disk or a closed pipe takes only a part of an output. If
    the caller has closed standard output, it becomes the null device.
    """
    stdout: object = sys.stdout
    if stdout is None:
        _open_null_device(1)
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)
    elif isinstance(stdout, TextIOWrapper):
        errors = "backslashreplace" if stdout.errors == "strict" else stdout.errors
        if stdout is sys.__stdout__ and isinstance(sys.stdout.buffer, FileIO):
            whole = BufferedWriter(FileIO(stdout.fileno(), "w", closefd=False))
            sys.stdout = TextIOWrapper(whole, stdout.encoding, errors)
        else:
            stdout.reconfigure(errors=errors)


def _open_null_device(descriptor: int) -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)
    os.set_inheritable(descriptor, True)  # `dup2` does so only if the device was not opened as this descriptor


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
