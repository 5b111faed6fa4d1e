"""Progress of long work: on a terminal a line that is updated, elsewhere nothing or plain lines."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import TextIO

import click

LINE_CHARS = 72


@contextmanager
def progress_bar(what: str, total: int | None) -> Generator[Callable[[int], None], None, None]:
    """Yield a function to be called with the number done so far.

    `what` is shown before the bar; `total` is the number at the end, None where it is not known.
    """
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    with click.progressbar(length=total or 1, label=what, file=sys.stderr, show_pos=True) as bar:
        shown = 0

        def advance(done: int) -> None:
            nonlocal shown
            if total is None:
                bar.length = done + 1
            bar.update(done - shown)
            shown = done

        yield advance


@contextmanager
def tell_compiling(stream: TextIO) -> Iterator[None]:
    """Say on `stream` that functions are being compiled in the block, if any are, and at the end how many were."""
    from stream_nb.kernels import jit

    names: list[str] = []
    begun = time.monotonic()
    moving = stream.isatty()
    why = "compiling, once (about a minute)"

    def told(name: str) -> None:
        names.append(name)
        if moving:
            stream.write("\r" + f"{why}: {len(names)}, {name}"[:LINE_CHARS].ljust(LINE_CHARS))
        elif len(names) == 1:
            stream.write(f"{why}\n")
        stream.flush()

    with jit.compilations(told):
        yield
    if names:
        done = f"compiled {len(names)} functions in {time.monotonic() - begun:.0f} s; the next start finds them ready"
        stream.write(("\r" if moving else "") + done.ljust(LINE_CHARS if moving else 0) + "\n")
        stream.flush()
