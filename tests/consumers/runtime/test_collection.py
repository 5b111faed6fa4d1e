"""Each check runs in a process of its own: in this one, workers of other tests may hold up garbage collection."""

import subprocess
import sys

import pytest

BLOCKS = {
    "goes on after the block, whatever ends it": """
        try:
            with no_collection():
                assert not gc.isenabled()
                raise KeyError
        except KeyError:
            assert gc.isenabled()
        """,
    "is still off where it was off": """
        gc.disable()
        with no_collection():
            pass
        assert not gc.isenabled()
        """,
    "stays off until the last block ends": """
        first, second = no_collection(), no_collection()
        first.__enter__()
        second.__enter__()
        first.__exit__(None, None, None)
        assert not gc.isenabled()
        second.__exit__(None, None, None)
        assert gc.isenabled()
        """,
    "walks what is loaded no more": """
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
