"""Each kind of log, for the tests of their common interface."""

from __future__ import annotations

import pytest

from tests.support.log_bench import KINDS, make_bench


@pytest.fixture(params=KINDS)
def bench(request, tmp_path):
    """Makes logs; the test runs once for each kind."""
    bench = make_bench(request.param, request, tmp_path)
    yield bench
    bench.close()
