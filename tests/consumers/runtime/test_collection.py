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


def test_nothing_is_collected_until_the_last_block_ends():
    first, second = no_collection(), no_collection()
    for block in (first, second):
        block.__enter__()
    first.__exit__(None, None, None)
    assert not gc.isenabled()
    second.__exit__(None, None, None)
    assert gc.isenabled()
