"""The decorators of compiled functions."""

# pyright: reportPrivateImportUsage=false, reportUnknownMemberType=false, reportAttributeAccessIssue=false

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from importlib.resources import files
from typing import Any, TypeVar, cast

import numpy as np

from stream_nb import kernels

numba: Any = None  # without it the same functions run uncompiled
if kernels.compiling:
    with suppress(ImportError):
        import numba

COMPILED = numba is not None and not numba.config.DISABLE_JIT

NOT_KEPT = set[str]()
"""The functions for whose machine code no place on disk can be written: each process compiles them for itself."""

F = TypeVar("F", bound=Callable[..., Any])


def _digest_of_sources() -> str:
    """A name for the sources of all kernels as they are now."""
    digest = hashlib.blake2b(digest_size=6)
    for file in sorted(files("stream_nb.kernels").iterdir(), key=lambda file: file.name):
        if file.name.endswith(".py"):
            digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


_DIGEST = _digest_of_sources() if COMPILED else ""


def kernel(function: F) -> F:
    """Compile `function` with numba, keeping the result on disk where the disk lets us.

    numba notices a change of the file that a cached function is in, but not of the files whose kernels it calls. So
    the qualified name, by which numba names its cache files, gets a digest of all sources of this package.

    Without numba, with NUMBA_DISABLE_JIT=1 or where `kernels.compiling` is off, the function itself runs; numpy then
    does not warn that 64-bit keys wrap around. An installation that cannot be written, with a home that cannot be
    written either, has no place for a compile cache: numba raises RuntimeError on decoration, and the function is
    compiled in memory.
    """
    return _compiled(function, counts_arrays=True)


def borrowing(function: F) -> F:
    """As `kernel`, for a function that makes no array and calls none that gives it one: it borrows those of its caller.

    numba counts each array in at the beginning of a function and out at its end. Where many short functions take
    arrays, as in markup, that is half of the time.
    """
    return _compiled(function, counts_arrays=False)


def _compiled(function: F, counts_arrays: bool) -> F:
    if numba is None or not COMPILED:
        return _uncompiled(function)
    function.__qualname__ += f"-{_DIGEST}"
    # Said of each function, since one of which it is not said does as the first that calls it.
    options = {"nogil": True, "_nrt": counts_arrays}
    try:
        return cast("F", _by_type(numba.njit(cache=True, **options)(function)))
    except RuntimeError:
        NOT_KEPT.add(function.__name__)
        return cast("F", _by_type(numba.njit(**options)(function)))


def _by_type(dispatcher: Any) -> Any:
    """The dispatcher, which kernels that call it compile once for each set of types, not for each constant as well."""
    from numba.core import types

    plain = cast("Callable[[Any], Any]", types.unliteral)
    find = dispatcher.get_call_template

    def find_by_type(arguments: Any, keywords: dict[str, Any]) -> Any:
        return find([plain(kind) for kind in arguments], {name: plain(kind) for name, kind in keywords.items()})

    dispatcher.get_call_template = find_by_type
    return dispatcher


def inlined(function: F) -> F:
    """A part of a kernel, put in place at each call.

    Arguments that are numbers cost nothing; each array is still counted in and out, which a loop over features feels.
    """
    if numba is None or not COMPILED:
        return function
    return cast("F", numba.njit(inline="always")(function))


@contextmanager
def compilations(report: Callable[[str], None]) -> Generator[None]:
    """While the block runs, call `report` with the name of each function of ours whose compilation begins.

    What is found in the compile cache is not compiled; without numba nothing is.
    """
    if not COMPILED:
        yield
        return
    from numba.core import event

    class Listener(event.Listener):
        def on_start(self, event: Any) -> None:
            function = event.data["dispatcher"].py_func
            if function.__module__.startswith("stream_nb."):
                report(function.__name__)

        def on_end(self, event: event.Event) -> None:
            pass

    with event.install_listener("numba:compile", Listener()):
        yield


def _uncompiled(function: F) -> F:
    @functools.wraps(function)
    def run(*arguments: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*arguments)

    return cast("F", run)
