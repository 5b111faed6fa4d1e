"""Garbage collection; each check runs in a new process, because workers of other tests may have disabled it here."""

import subprocess
import sys

import pytest

BLOCKS = {
    "is enabled again after the block, even after an exception": """
        try:
            with no_collection():
                assert not gc.isenabled()
                raise KeyError
        except KeyError:
            assert gc.isenabled()
        """,
    "stays disabled if it was disabled before": """
        gc.disable()
        with no_collection():
            pass
        assert not gc.isenabled()
        """,
    "stays disabled until the last block ends": """
        first, second = no_collection(), no_collection()
        first.__enter__()
        second.__enter__()
        first.__exit__(None, None, None)
        assert not gc.isenabled()
        second.__exit__(None, None, None)
        assert gc.isenabled()
        """,
    "is rare while commits have many records": """
        collect_after_commit_of(MANY_RECORDS)
        assert gc.get_threshold()[0] == MANY_YOUNG_OBJECTS
        collect_after_commit_of(MANY_RECORDS - 1)
        assert gc.get_threshold()[0] == YOUNG_OBJECTS
        """,
    "leaves out the objects loaded so far": """
        collect_in_short_stops()
        assert gc.get_threshold()[0] == YOUNG_OBJECTS
        assert gc.get_freeze_count() > 1_000
        """,
}


@pytest.mark.parametrize("collection", BLOCKS)
def test_collection(collection):
    code = "import gc\nfrom consumers.runtime.collection import *\nif True:" + BLOCKS[collection]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
