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
from stream_nb.kernels.layout import Place

DTYPES: dict[Place, type] = {
    Place.HASH_MULTIPLIERS: np.uint64,
    Place.HASHES: np.uint64,
    Place.TOKEN_SPANS: np.int32,
    Place.COUNTS: np.int64,
    Place.DEDUP_INDEX: np.int32,
    Place.PREFIXES: np.uint8,
    Place.ROW_IDS: np.int64,
    Place.INDEX: np.uint32,
    Place.ARENA: np.uint8,
    Place.SIZES: np.int64,
    Place.TOTALS: np.int64,
    Place.HISTOGRAMS: np.int64,
    Place.RESULT: np.float64,
    Place.TERMS: np.float64,
    Place.SETTINGS: np.float64,
    Place.LOGS: np.float64,
    Place.UPDATE: np.int64,
    Place.PRIOR: np.float64,
    Place.LOG_CACHE: np.float64,
    Place.ABSENT: np.float64,
    Place.FEATURE_IDS: np.int64,
    Place.FEATURE_VALUES: np.float64,
    Place.FEATURE_TERMS: np.float64,
    Place.MOMENT_ROWS: np.int64,
    Place.NORMALS: np.float64,
    Place.SPANS: np.int64,
    Place.CELLS: np.int64,
    Place.CATEGORY_COUNTS: np.int64,
    Place.POOL_COUNTS: np.int64,
    Place.POOL_FILLED: np.int64,
    Place.PART_WEIGHTS: np.float64,
    Place.NUMBER_SUMS: np.int64,
    Place.FEATURE_WEIGHTS: np.float64,
}
"""The type of the array at each place. Kernels repeat it; a test checks that they agree."""


class Workspace:
    """Arrays of one or two dimensions by their `Place`; `addresses` is the argument for kernels.

    The workspace keeps the arrays alive. A place to which nothing is bound must not be read.
    """

    def __init__(self) -> None:
        self._arrays: list[Any] = [None] * len(Place)
        self.addresses: Any = np.zeros((len(Place), 3), np.int64) if COMPILED else self._arrays

    def __getitem__(self, place: Place) -> np.ndarray:
        """The array bound to a place."""
        return self._arrays[place]

    def bind(self, place: Place, array: np.ndarray) -> None:
        """Bind an array to a place, replacing another. Raises TypeError if a kernel would misread the array."""
        if array.dtype != DTYPES[place] or not array.flags.c_contiguous:
            raise TypeError(f"{place.name} is for contiguous {DTYPES[place].__name__}, not {array.dtype}")
        self._arrays[place] = array
        if COMPILED:
            self.addresses[place] = (array.__array_interface__["data"][0], array.shape[0], array.shape[-1])

    def nest(self, place: Place, workspace: Workspace) -> None:
        """Bind another workspace to a place; arrays that are bound to it later can be read, too."""
        self._arrays[place] = workspace if COMPILED else workspace.addresses
        if COMPILED:
            addresses = workspace.addresses
            self.addresses[place] = (addresses.__array_interface__["data"][0], *addresses.shape)


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
    def array1d(addresses, place, dtype):
        """The one-dimensional array of this dtype at a place."""
        return numba.carray(_pointer(addresses[place, 0]), (addresses[place, 1],), dtype)

    @numba.njit(inline="always")
    def array2d(addresses, place, dtype):
        """The two-dimensional array of this dtype at a place."""
        return numba.carray(_pointer(addresses[place, 0]), (addresses[place, 1], addresses[place, 2]), dtype)

    @numba.njit(inline="always")
    def nested(addresses, place):
        """The addresses of the workspace at a place."""
        return array2d(addresses, place, np.int64)

else:

    def array1d(addresses, place, dtype):
        return addresses[place]

    array2d = array1d

    def nested(addresses, place):
        return addresses[place]
