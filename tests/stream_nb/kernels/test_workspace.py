"""Arrays passed to kernels by address: only those of the type that the kernel reads."""

import ast
from pathlib import Path

import numpy as np
import pytest

import stream_nb.kernels
from stream_nb.kernels.jit import kernel
from stream_nb.kernels.layout import MailTotal, MailUpdate, Slot
from stream_nb.kernels.workspace import DTYPES, Workspace, array1d, array2d, nested


@kernel
def add(workspace):
    numbers = array1d(nested(workspace, Slot.TABLE), Slot.SIZES, np.int64)
    rows = array2d(workspace, Slot.TERMS, np.float64)
    numbers[0] += 1
    return numbers.sum() + rows[1, 2] + rows.shape[0]


def test_a_kernel_reads_and_writes_the_arrays_bound_last():
    workspace, table, numbers = Workspace(), Workspace(), np.arange(4)
    workspace.nest(Slot.TABLE, table)
    table.bind(Slot.SIZES, numbers)
    workspace.bind(Slot.TERMS, np.full((2, 3), 0.5))
    assert (add(workspace.addresses), numbers[0]) == (1 + 1 + 2 + 3 + 0.5 + 2, 1)
    assert table[Slot.SIZES] is numbers

    table.bind(Slot.SIZES, np.array([10]))
    assert (add(workspace.addresses), numbers[0]) == (11 + 0.5 + 2, 1)


@pytest.mark.parametrize(
    "array", [np.zeros(3), np.zeros(3, np.int32), np.arange(6)[::2]], ids=["float", "narrow", "strided"]
)
def test_an_array_of_the_wrong_type_or_not_contiguous_is_refused(array):
    with pytest.raises(TypeError, match="SIZES is for contiguous int64"):
        Workspace().bind(Slot.SIZES, array)


def test_kernels_read_each_place_with_its_declared_type():
    read = set()
    for file in Path(stream_nb.kernels.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if not isinstance(node, ast.Call) or getattr(node.func, "id", "") not in ("array1d", "array2d"):
                continue
            _, place, dtype = map(ast.unparse, node.args)
            if place.startswith("Slot."):
                read.add(Slot[place.removeprefix("Slot.")])
                assert dtype == f"np.{DTYPES[Slot[place.removeprefix('Slot.')]].__name__}", (file.name, place)
    assert read == set(DTYPES)


def test_an_update_begins_with_the_totals_that_it_adds_to():
    """The kernels add the first numbers of an update to the totals by their index."""
    added = {total.name: int(total) for total in MailTotal if total < MailTotal.TAKEN}
    assert {update.name: int(update) for update in MailUpdate if update < MailUpdate.BIN} == added
    assert sorted(added.values()) == list(range(MailUpdate.BIN))
