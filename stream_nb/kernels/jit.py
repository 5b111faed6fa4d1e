"""The decorators of compiled functions."""

# pyright: reportPrivateImportUsage=false, reportUnknownMemberType=false, reportAttributeAccessIssue=false

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, TypeVar, cast

import numpy as np

from stream_nb import kernels

numba: Any = None  # without numba, the same functions run uncompiled
if kernels.compiling:
    try:
        import numba
    except PermissionError as error:
        advice = "allow this process executable memory (systemd: leave out MemoryDenyWriteExecute)"
        raise ImportError(f"numba cannot compile here ({error}); {advice}", name="numba") from error
    except ImportError:
        pass

COMPILED = numba is not None and not numba.config.DISABLE_JIT

NOT_KEPT = set[str]()
"""Names of functions whose machine code cannot be cached on disk, so that each process compiles them again."""

F = TypeVar("F", bound=Callable[..., Any])


def _digest_of_sources() -> str:
    """Return a digest of the current sources of all kernels."""
    digest = hashlib.blake2b(digest_size=6)
    for file in _sources(files("stream_nb.kernels")):
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def _sources(folder: Traversable) -> Iterator[Traversable]:
    """The Python files in a folder and below, in an order that depends on their names only."""
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _sources(entry)
        elif entry.name.endswith(".py"):
            yield entry


_DIGEST = _digest_of_sources() if COMPILED else ""


def kernel(function: F) -> F:
    """Compile `function` with numba, and cache the machine code on disk if possible.

    numba invalidates a cached function if its own file changes, but not if the file of a kernel that it calls does.
    Therefore its qualified name, after which numba names the cache files, gets a digest of all sources of this package.

    Without numba, with NUMBA_DISABLE_JIT=1 or if `kernels.compiling` is False, the function runs uncompiled, without
    numpy's warnings that 64-bit keys overflow. If neither the installation nor the home directory is writable, there is
    no place for the cache: numba raises RuntimeError on decoration, and the function is compiled in memory only.

    Importing this module raises ImportError where the system denies executable memory: running uncompiled would make a
    large mail take many seconds.
    """
    return _compiled(function, counts_arrays=True)


def borrowing(function: F) -> F:
    """Like `kernel`, for a function that creates no arrays and calls none that returns one: its caller owns all arrays.

    Otherwise numba increments the reference count of each array on entry and decrements it on return. With many short
    functions that take arrays, as in markup parsing, that is half of the time.
    """
    return _compiled(function, counts_arrays=False)


def _compiled(function: F, counts_arrays: bool) -> F:
    if not COMPILED:
        return _uncompiled(function)
    function.__qualname__ += f"-{_DIGEST}"
    # Set for every function, because a function without these flags inherits them from its first caller.
    options = {"nogil": True, "_nrt": counts_arrays}
    try:
        return cast("F", _by_type(numba.njit(cache=True, **options)(function)))
    except RuntimeError:
        NOT_KEPT.add(function.__name__)
        return cast("F", _by_type(numba.njit(**options)(function)))


def _by_type(dispatcher: Any) -> Any:
    """Make callers compile the dispatcher once per set of argument types, not once per constant argument as well."""
    from numba.core import types

    plain = cast("Callable[[Any], Any]", types.unliteral)
    find = dispatcher.get_call_template

    def find_by_type(arguments: Any, keywords: dict[str, Any]) -> Any:
        return find([plain(kind) for kind in arguments], {name: plain(kind) for name, kind in keywords.items()})

    dispatcher.get_call_template = find_by_type
    return dispatcher


def inlined(function: F) -> F:
    """Inline a part of a kernel at each call.

    Scalar arguments cost nothing, but each array is still reference counted, which slows down a loop over features. In
    a `borrowing` function none is: there it saves passing arrays, at seven numbers each.
    """
    if not COMPILED:
        return function
    return cast("F", numba.njit(inline="always")(function))


@contextmanager
def compilations(report: Callable[[str], None]) -> Generator[None]:
    """While the block runs, call `report` with the name of each kernel when its compilation begins.

    A kernel from the compile cache is not compiled, and without numba none is.
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
