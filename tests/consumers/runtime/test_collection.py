import gc

import pytest

from consumers.runtime.collection import no_collection


def test_nothing_is_collected_in_the_block_and_it_goes_on_after_it():
    with pytest.raises(KeyError), no_collection():
        assert not gc.isenabled()
        raise KeyError
    assert gc.isenabled()


def test_a_process_that_collects_nothing_still_does_not_afterwards():
    gc.disable()
    try:
        with no_collection():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
