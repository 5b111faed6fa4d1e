"""Each kind of log, for the tests of what all of them promise."""

from __future__ import annotations

import pytest

from tests.support.log_bench import KINDS, make_bench


@pytest.fixture(params=KINDS)
def bench(request, tmp_path):
    """A log of each kind, in turns."""
    bench = make_bench(request.param, request, tmp_path)
    yield bench
    bench.close()
