"""Many arrays as one argument of a kernel.

numba takes about 80 ns to unbox an array, and a mail needs twenty arrays: that is more time than scanning its text. A
`Workspace` stores address and shape of each array once, when it is bound, and kernels read them from there. An object
that owns arrays also owns a workspace, and binds each array when it allocates it. Workspaces can be nested, so that a
kernel reaches all arrays from a single one. Uncompiled kernels get the arrays themselves.
"""

# pyright: basic, reportRedeclaration=false, reportPrivateImportUsage=false
# pyright: reportCallIssue=false, reportAssignmentType=false

from __future__ import annotations

from typing import Any

import numpy as np

from stream_nb.kernels.jit import COMPILED
from stream_nb.kernels.layout import Slot

DTYPES: dict[Slot, type] = {
    Slot.HASH_MULTIPLIERS: np.uint64,
    Slot.HASHES: np.uint64,
    Slot.TOKEN_SPANS: np.int32,
    Slot.COUNTS: np.int64,
    Slot.DEDUP_INDEX: np.int32,
    Slot.PREFIXES: np.uint8,
    Slot.ROW_IDS: np.int64,
    Slot.INDEX: np.uint32,
    Slot.ARENA: np.uint8,
    Slot.SIZES: np.int64,
    Slot.TOTALS: np.int64,
    Slot.HISTOGRAMS: np.int64,
    Slot.RESULT: np.float64,
    Slot.TERMS: np.float64,
    Slot.SETTINGS: np.float64,
    Slot.LOGS: np.float64,
    Slot.UPDATE: np.int64,
    Slot.PRIOR: np.float64,
    Slot.LOG_CACHE: np.float64,
    Slot.ABSENT: np.float64,
    Slot.FEATURE_IDS: np.int64,
    Slot.FEATURE_VALUES: np.float64,
    Slot.FEATURE_TERMS: np.float64,
    Slot.MOMENT_ROWS: np.int64,
    Slot.NORMALS: np.float64,
    Slot.SPANS: np.int64,
    Slot.CELLS: np.int64,
    Slot.CATEGORY_COUNTS: np.int64,
    Slot.POOL_COUNTS: np.int64,
    Slot.POOL_FILLED: np.int64,
    Slot.PART_WEIGHTS: np.float64,
    Slot.NUMBER_SUMS: np.int64,
    Slot.FEATURE_WEIGHTS: np.float64,
}
"""The type of the array at each slot. Kernels repeat it; a test checks that they agree."""


class Workspace:
    """Arrays of one or two dimensions by their `Slot`; `addresses` is the argument for kernels.

    The workspace keeps the arrays alive. A slot to which nothing is bound must not be read.
    """

    def __init__(self) -> None:
        self._arrays: list[Any] = [None] * len(Slot)
        self.addresses: Any = np.zeros((len(Slot), 3), np.int64) if COMPILED else self._arrays

    def __getitem__(self, slot: Slot) -> np.ndarray:
        """The array bound to a slot."""
        return self._arrays[slot]

    def bind(self, slot: Slot, array: np.ndarray) -> None:
        """Bind an array to a slot, replacing another. Raises TypeError if a kernel would misread the array."""
        if array.dtype != DTYPES[slot] or not array.flags.c_contiguous:
            raise TypeError(f"{slot.name} is for contiguous {DTYPES[slot].__name__}, not {array.dtype}")
        self._arrays[slot] = array
        if COMPILED:
            self.addresses[slot] = (array.__array_interface__["data"][0], array.shape[0], array.shape[-1])

    def nest(self, slot: Slot, workspace: Workspace) -> None:
        """Bind another workspace to a slot; arrays that are bound to it later can be read, too."""
        self._arrays[slot] = workspace if COMPILED else workspace.addresses
        if COMPILED:
            addresses = workspace.addresses
            self.addresses[slot] = (addresses.__array_interface__["data"][0], *addresses.shape)


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
    def array1d(addresses, slot, dtype):
        """The one-dimensional array of this dtype at a slot."""
        return numba.carray(_pointer(addresses[slot, 0]), (addresses[slot, 1],), dtype)

    @numba.njit(inline="always")
    def array2d(addresses, slot, dtype):
        """The two-dimensional array of this dtype at a slot."""
        return numba.carray(_pointer(addresses[slot, 0]), (addresses[slot, 1], addresses[slot, 2]), dtype)

    @numba.njit(inline="always")
    def nested(addresses, slot):
        """The addresses of the workspace at a slot."""
        return array2d(addresses, slot, np.int64)

else:

    def array1d(addresses, slot, dtype):
        return addresses[slot]

    array2d = array1d

    def nested(addresses, slot):
        return addresses[slot]
