"""Show that functions are being compiled: the first start on a machine takes a minute and must not look dead."""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import TextIO

from stream_nb.kernels import jit

LINE_CHARS = 72


@contextmanager
def show_compiling(stream: TextIO) -> Generator[None]:
    """Write which functions are compiled in the block, if any are, and at the end how many.

    On a terminal one line shows the function that is being compiled; elsewhere there is one line at the start.

    Args:
        stream: Where to write; flushed after each line.
    """
    names: list[str] = []
    begun = time.monotonic()
    moving = stream.isatty()
    why = "compiling, once (about a minute)"

    def show(name: str) -> None:
        names.append(name)
        if moving:
            stream.write("\r" + f"{why}: {len(names)}, {name}"[:LINE_CHARS].ljust(LINE_CHARS))
        elif len(names) == 1:
            stream.write(f"{why}\n")
        stream.flush()

    with jit.compilations(show):
        yield
    if names:
        done = f"compiled {len(names)} functions in {time.monotonic() - begun:.0f} s; the next start finds them ready"
        stream.write(("\r" if moving else "") + done.ljust(LINE_CHARS if moving else 0) + "\n")
        stream.flush()
