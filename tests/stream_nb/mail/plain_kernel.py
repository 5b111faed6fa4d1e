"""Kernels as plain Python, whether or not numba compiles them, so that their reads can be counted."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType

import stream_nb.kernels.jit as jit


class Counted:
    """Bytes that count the reads of one byte or of eight at once."""

    def __init__(self, data: bytes, reads: list[int] | None = None) -> None:
        self._data = data
        self._reads = [0] if reads is None else reads

    @property
    def reads(self) -> int:
        return self._reads[0]

    def __len__(self) -> int:
        return len(self._data)

    def __bytes__(self) -> bytes:
        assert len(self) <= 8
        self._reads[0] += 1
        return self._data

    def __getitem__(self, at: int | slice) -> int | Counted:
        if isinstance(at, slice):
            return Counted(self._data[at], self._reads)
        self._reads[0] += 1
        return self._data[at]


def load_plain(*names: str) -> list[ModuleType]:
    """Load these modules of kernels a second time, uncompiled; each must follow those that it imports."""
    compiled = jit.kernel, jit.inlined, jit.COMPILED
    modules = {name: importlib.import_module(name) for name in names}
    jit.kernel = jit.inlined = lambda function: function
    jit.COMPILED = False
    try:
        for name in names:
            del sys.modules[name]
        return [importlib.import_module(name) for name in names]
    finally:
        jit.kernel, jit.inlined, jit.COMPILED = compiled
        for name, module in modules.items():
            sys.modules[name] = module
            package, _, attribute = name.rpartition(".")
            setattr(sys.modules[package], attribute, module)
