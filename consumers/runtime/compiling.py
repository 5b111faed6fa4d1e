"""The first start on a machine compiles for a minute: show it, so that it does not look dead, and share it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
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
    kept = not jit.NOT_KEPT
    why = f"compiling{', once' if kept else ''} (about a minute)"

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
        then = "finds them ready" if kept else "compiles again (set NUMBA_CACHE_DIR)"
        done = f"compiled {len(names)} functions in {time.monotonic() - begun:.0f} s; the next start {then}"
        stream.write(("\r" if moving else "") + done.ljust(LINE_CHARS if moving else 0) + "\n")
        stream.flush()


@contextmanager
def shared_compiling(module: str) -> Generator[None]:
    """From the first function on that is compiled in the block, let a second process run a module until the block ends.

    What either has compiled the other finds in the compile cache. So the module should begin with what the block comes
    to last. There is no second process where there is but one processor, or where no compile cache can be written.

    Args:
        module: The full name of a module that compiles; it is killed where the block ends first.
    """
    helper: subprocess.Popen[bytes] | None = None

    def start(_: str) -> None:
        nonlocal helper
        if helper is None and (os.cpu_count() or 1) > 1 and not jit.NOT_KEPT:
            nowhere = subprocess.DEVNULL
            with suppress(OSError):  # no process to be had: then alone
                command = [sys.executable, "-m", module]
                helper = subprocess.Popen(command, stdin=nowhere, stdout=nowhere, stderr=nowhere)

    with jit.compilations(start):
        try:
            yield
        finally:
            if helper is not None:
                helper.kill()
                helper.wait()
