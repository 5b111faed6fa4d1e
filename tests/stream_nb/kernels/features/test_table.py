"""The index of a table and the copying of texts: the compiled loops and those of numpy agree."""

import numpy as np
import pytest

from stream_nb.kernels.features.table import copy_texts, copy_texts_at_once, find_all, reindex, reindex_at_once


@pytest.mark.parametrize("fill", [reindex, reindex_at_once])
@pytest.mark.parametrize("crowded", [False, True])
def test_each_key_is_found_and_other_keys_lead_to_an_empty_slot(fill, crowded):
    """Also if most keys belong to the last slots, so that many are stored from the first slot on."""
    random = np.random.default_rng(1)
    keys = random.integers(1, 2**64, 200, np.uint64)
    if crowded:
        keys |= np.uint64(0xF8)
    rows = np.zeros((200, 6), np.int32)
    rows[:, 0], rows[:, 1] = (half.astype(np.uint32).view(np.int32) for half in (keys, keys >> np.uint64(32)))
    index, found = np.zeros(256, np.uint32), np.zeros(200, np.int64)

    fill(200, index, rows)
    find_all(keys, 200, index, rows, found)
    assert found.tolist() == list(range(200))

    find_all(keys ^ np.uint64(1 << 60), 200, index, rows, found)
    assert max(found) < 0 and not index[-1 - found].any(), "a key that is not in the table leads to an empty slot"


def test_the_compiled_and_the_numpy_loop_copy_texts_to_the_same_places():
    texts = np.arange(20, dtype=np.uint8)
    starts, lengths, places = np.array([3, 0, 17]), np.array([5, 0, 3], np.uint8), np.array([0, 5, 6])
    copies = [np.full(10, 99, np.uint8) for _ in range(2)]
    for copy, to in zip((copy_texts, copy_texts_at_once), copies, strict=True):
        copy(texts, starts, lengths, to, places)
    assert copies[0].tolist() == copies[1].tolist() == [3, 4, 5, 6, 7, 99, 17, 18, 19, 99]
