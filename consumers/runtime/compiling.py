"""Shows and shares the compilation of the kernels, which takes a minute at the first start on a machine."""

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
    """Report on `stream` which functions are compiled in the block, if any, and at the end how many.

    On a terminal one line shows the function that is being compiled; elsewhere one line is written at the start.
    """
    names: list[str] = []
    started = time.monotonic()
    on_terminal = stream.isatty()

    def show(name: str) -> None:
        # Only now is it known whether code is cached: some kernels are imported in the block.
        title = f"compiling{'' if jit.NOT_KEPT else ', once'} (about a minute)"
        names.append(name)
        if on_terminal:
            stream.write("\r" + f"{title}: {len(names)}, {name}"[:LINE_CHARS].ljust(LINE_CHARS))
        elif len(names) == 1:
            stream.write(f"{title}\n")
        stream.flush()

    with jit.compilations(show):
        yield
    if names:
        next_start = "compiles again (set NUMBA_CACHE_DIR)" if jit.NOT_KEPT else "finds them ready"
        functions = "1 function" if len(names) == 1 else f"{len(names)} functions"
        summary = f"compiled {functions} in {time.monotonic() - started:.0f} s; the next start {next_start}"
        stream.write(("\r" if on_terminal else "") + summary.ljust(LINE_CHARS if on_terminal else 0) + "\n")
        stream.flush()


@contextmanager
def shared_compiling(module: str) -> Generator[None]:
    """Once the block compiles its first function, run `module`, a full name, in a second process until the block ends.

    Each process finds in the compile cache what the other has compiled, so the module should begin with what the block
    compiles last. With only one processor, or without a writable compile cache, there is no second process.
    """
    helper: subprocess.Popen[bytes] | None = None

    def start(_: str) -> None:
        nonlocal helper
        if helper is None and (os.cpu_count() or 1) > 1 and not jit.NOT_KEPT:
            nowhere = subprocess.DEVNULL
            with suppress(OSError):  # if no process can be started, compile alone
                command = [sys.executable, "-m", module]
                helper = subprocess.Popen(command, stdin=nowhere, stdout=nowhere, stderr=nowhere)

    with jit.compilations(start):
        try:
            yield
        finally:
            if helper is not None:
                helper.kill()
                helper.wait()
