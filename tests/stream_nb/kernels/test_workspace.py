"""Arrays handed to kernels by address: only those that the kernel reads as they are."""

import numpy as np
import pytest

from stream_nb.kernels.jit import kernel
from stream_nb.kernels.workspace import Workspace, array1d, array2d


@kernel
def add(places):
    numbers, rows = array1d(places, 0, np.int64), array2d(places, 1, np.float64)
    numbers[0] += 1
    return numbers.sum() + rows[1, 2] + rows.shape[0]


def test_a_kernel_reads_and_writes_what_lies_there_now():
    workspace, numbers = Workspace((np.int64, np.float64)), np.arange(4)
    workspace.bind(0, numbers)
    workspace.bind(1, np.full((2, 3), 0.5))
    assert (add(workspace.addresses), numbers[0]) == (1 + 1 + 2 + 3 + 0.5 + 2, 1)

    workspace.bind(0, np.array([10]))
    assert (add(workspace.addresses), numbers[0]) == (11 + 0.5 + 2, 1)


@pytest.mark.parametrize(
    "array", [np.zeros(3), np.zeros(3, np.int32), np.arange(6)[::2]], ids=["float", "narrow", "strided"]
)
def test_an_array_that_a_kernel_would_misread_is_refused(array):
    with pytest.raises(TypeError, match="place 0 is for contiguous int64"):
        Workspace((np.int64,)).bind(0, array)
