"""One decorator for every compiled function."""

from __future__ import annotations

import functools
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module

import numpy as np

try:
    import numba
except ImportError:  # the same functions run uncompiled
    numba = None

COMPILED = numba is not None and not numba.config.DISABLE_JIT


def kernel(function: Callable) -> Callable:
    """Compile `function` with numba, keeping the result on disk where the disk lets us.

    Without numba, or with NUMBA_DISABLE_JIT=1, the function itself runs, with numpy told that 64-bit keys
    wrap around on purpose. A read-only install with an unwritable home has no place for a compile cache;
    numba says so with a RuntimeError on decoration, and the function is then compiled in memory.
    """
    if not COMPILED:
        return _uncompiled(function)
    try:
        return numba.njit(cache=True, nogil=True)(function)
    except RuntimeError:
        return numba.njit(nogil=True)(function)


def inlined(function: Callable) -> Callable:
    """A part of a kernel, put in place at each call.

    For numbers it is free; each array it takes is still counted in and out, which a loop over features feels.
    """
    return numba.njit(inline="always")(function) if COMPILED else function


def fingerprint(*kernels: Callable) -> int:
    """A number that changes with the source of any file that these kernels stand in, or take kernels from."""
    names, code = {one.__module__ for one in kernels}, {}
    while missing := names - code.keys():
        for name in missing:
            module = import_module(name)
            code[name] = module.__loader__.get_source(name)
            used = {getattr(value, "__module__", None) or "" for value in vars(module).values()}
            names |= {other for other in used if other.startswith("stream_nb.kernels.")}
    return zlib.crc32("".join(code[name] for name in sorted(code)).encode())


@contextmanager
def compilations(told: Callable[[str], None]) -> Iterator[None]:
    """While the block runs, call `told` with the name of each function of ours whose compilation begins.

    What is found in the compile cache is not compiled; without numba nothing is.
    """
    if not COMPILED:
        yield
        return
    from numba.core import event

    class Listener(event.Listener):
        def on_start(self, event: event.Event) -> None:
            function = event.data["dispatcher"].py_func
            if function.__module__.startswith("stream_nb."):
                told(function.__name__)

        def on_end(self, event: event.Event) -> None:
            pass

    with event.install_listener("numba:compile", Listener()):
        yield


def _uncompiled(function: Callable) -> Callable:
    @functools.wraps(function)
    def run(*arguments):
        with np.errstate(over="ignore"):
            return function(*arguments)

    return run
