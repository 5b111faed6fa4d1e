"""CPU instructions that numba does not expose, with the same functions in Python."""

# pyright: basic, reportRedeclaration=false, reportPrivateImportUsage=false
# pyright: reportCallIssue=false, reportAssignmentType=false

from __future__ import annotations

import numpy as np

from stream_nb.kernels.jit import COMPILED

_HALF = 0xFFFFFFFFFFFFFFFF

if COMPILED:
    import numba
    from llvmlite import ir
    from numba.core import cgutils
    from numba.extending import intrinsic
    from numba.np import arrayobj

    _WORD = ir.IntType(64)

    @intrinsic
    def eight_bytes(context, data, i):
        """Load the bytes `i` to `i + 7` as a little-endian number; all must be within `data`."""

        def build(context, builder, signature, arguments):
            view = arrayobj.make_array(signature.args[0])(context, builder, arguments[0])
            pointer = builder.bitcast(builder.gep(view.data, [arguments[1]]), _WORD.as_pointer())
            number = builder.load(pointer, align=1)
            return number if np.little_endian else builder.bswap(number)

        return numba.types.uint64(data, numba.types.int64), build

    @intrinsic
    def trailing_zeros(context, number):
        """Count the trailing zero bits; 64 for the number 0."""

        def build(context, builder, signature, arguments):
            return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

        return numba.types.int64(numba.types.uint64), build

    @intrinsic
    def folded_product(context, a, b):
        """Multiply to 128 bits, and xor the two halves of the product."""

        def build(context, builder, signature, arguments):
            wide = ir.IntType(128)
            product = builder.mul(builder.zext(arguments[0], wide), builder.zext(arguments[1], wide))
            high = builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), _WORD)
            return builder.xor(builder.trunc(product, _WORD), high)

        return numba.types.uint64(numba.types.uint64, numba.types.uint64), build

    @intrinsic
    def prefetch(context, array, i):
        """Prefetch the cache line where row `i` of a C-contiguous array begins; an `i` out of bounds is harmless."""

        def build(context, builder, signature, arguments):
            byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
            view = arrayobj.make_array(signature.args[0])(context, builder, arguments[0])
            stride = builder.extract_value(view.strides, 0)
            line = builder.gep(builder.bitcast(view.data, byte), [builder.mul(stride, arguments[1])])
            takes = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
            fetch = cgutils.get_or_insert_function(builder.module, takes, "llvm.prefetch.p0i8")
            builder.call(fetch, [line, number(0), number(3), number(1)])  # read, high locality, data cache
            return context.get_dummy_value()

        return numba.types.none(array, numba.types.int64), build

else:

    def eight_bytes(data, i):
        return np.uint64(int.from_bytes(data[i : i + 8], "little"))

    def trailing_zeros(number):
        number = int(number)
        return (number & -number).bit_length() - 1 if number else 64

    def folded_product(a, b):
        product = int(a) * int(b)
        return np.uint64((product & _HALF) ^ (product >> 64))

    def prefetch(array, i):
        pass
