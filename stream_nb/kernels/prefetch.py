"""A hint to the processor to fetch what will be read soon; it changes no result, and does nothing uncompiled."""

from __future__ import annotations

from stream_nb.kernels.jit import COMPILED

if COMPILED:
    import numba
    from llvmlite import ir
    from numba.core import cgutils
    from numba.extending import intrinsic
    from numba.np import arrayobj

    @intrinsic
    def prefetch(context, array, i):
        """Fetch the cache line of the first number of row `i` of a C-contiguous array; any `i` is harmless."""

        def build(context, builder, signature, arguments):
            byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
            view = arrayobj.make_array(signature.args[0])(context, builder, arguments[0])
            stride = builder.extract_value(view.strides, 0)
            line = builder.gep(builder.bitcast(view.data, byte), [builder.mul(stride, arguments[1])])
            takes = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
            fetch = cgutils.get_or_insert_function(builder.module, takes, "llvm.prefetch.p0i8")
            builder.call(fetch, [line, number(0), number(3), number(1)])  # to read, to keep, data
            return context.get_dummy_value()

        return numba.types.none(array, numba.types.int64), build

else:

    def prefetch(array, i):
        pass
