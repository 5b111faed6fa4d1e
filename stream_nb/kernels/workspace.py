"""Many arrays as one argument of a kernel.

numba takes some 80 ns to unbox an array, and what is done with one mail works on twenty of them: more time than
scanning the mail's text. A `Workspace` notes the address and the shape of each array once, when it is bound, and a
kernel picks it up from there. The workspace keeps its arrays alive; whoever replaces an array must bind the new one.
Uncompiled, a kernel takes the arrays themselves.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from stream_nb.kernels.jit import COMPILED


class Workspace:
    """One place for an array of each type in `types`, of one or two dimensions; `addresses` is what kernels take."""

    def __init__(self, types: tuple[type, ...]) -> None:
        self._types = types
        self._arrays: list[np.ndarray | None] = [None] * len(types)
        self.addresses: Any = np.zeros((len(types), 3), np.int64) if COMPILED else self._arrays

    def bind(self, place: int, array: np.ndarray) -> None:
        """Bind an array to a place, instead of another. Raises TypeError for one that a kernel would misread."""
        if array is self._arrays[place]:
            return
        if array.dtype != self._types[place] or not array.flags.c_contiguous:
            raise TypeError(f"place {place} is for contiguous {self._types[place].__name__}, not {array.dtype}")
        self._arrays[place] = array
        if COMPILED:
            self.addresses[place] = (array.__array_interface__["data"][0], array.shape[0], array.shape[-1])


if COMPILED:
    import numba
    from llvmlite import ir
    from numba.extending import intrinsic

    @intrinsic
    def _pointer(context, address):
        def build(context, builder, signature, arguments):
            return builder.inttoptr(arguments[0], ir.IntType(8).as_pointer())

        return numba.types.voidptr(numba.types.int64), build

    @numba.njit(inline="always")
    def array1d(places, place, dtype):
        """The array of one dimension and of this dtype that lies there."""
        return numba.carray(_pointer(places[place, 0]), (places[place, 1],), dtype)

    @numba.njit(inline="always")
    def array2d(places, place, dtype):
        """The array of two dimensions and of this dtype that lies there."""
        return numba.carray(_pointer(places[place, 0]), (places[place, 1], places[place, 2]), dtype)

else:

    def array1d(places, place, dtype):
        return places[place]

    array2d = array1d
