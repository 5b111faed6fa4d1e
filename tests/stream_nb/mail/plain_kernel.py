"""The HTML kernel as plain Python, whatever numba does, so that its reads can be counted."""

from __future__ import annotations

import importlib.util
from types import ModuleType

import numpy as np

import stream_nb.kernels.jit as jit
from stream_nb.mail import html_kernel


class Counted:
    """Bytes that count how often one of them is read."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.shape = (len(data),)
        self.reads = 0

    def __getitem__(self, at: int) -> int:
        self.reads += 1
        return self._data[at]


def load_plain_kernel() -> ModuleType:
    """The kernel's file imported once more, its functions not compiled."""
    compiled = jit.kernel, jit.inlined
    jit.kernel = jit.inlined = lambda function: function
    try:
        spec = importlib.util.spec_from_file_location("plain_html_kernel", html_kernel.__file__)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        jit.kernel, jit.inlined = compiled
    return module


def split(module: ModuleType, data, size: int) -> tuple[bytes, bytes]:
    """What `split_html` writes: (seen, hidden)."""
    seen, unseen = np.empty(size + 2, np.uint8), np.empty(size + 2, np.uint8)
    n_seen, n_unseen = module.split_html(data, seen, unseen)
    return seen[:n_seen].tobytes(), unseen[:n_unseen].tobytes()
