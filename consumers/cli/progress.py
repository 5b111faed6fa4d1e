"""Progress of long work: on a terminal a line that is updated, elsewhere nothing or plain lines."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Generator
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
def tell_compiling(stream: TextIO) -> Generator[None, None, None]:
    """Print on `stream` that the block compiles functions, if it does, and at its end how many and how long."""
    from stream_nb.kernels import jit

    names: list[str] = []
    started = time.monotonic()
    is_terminal = stream.isatty()
    text = "compiling, once (about a minute)"

    def compiled(name: str) -> None:
        names.append(name)
        if is_terminal:
            stream.write("\r" + f"{text}: {len(names)}, {name}"[:LINE_CHARS].ljust(LINE_CHARS))
        elif len(names) == 1:
            stream.write(f"{text}\n")
        stream.flush()

    with jit.compilations(compiled):
        yield
    if names:
        summary = (
            f"compiled {len(names)} functions in {time.monotonic() - started:.0f} s; the next start finds them ready"
        )
        stream.write(("\r" if is_terminal else "") + summary.ljust(LINE_CHARS if is_terminal else 0) + "\n")
        stream.flush()
