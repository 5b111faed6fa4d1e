"""The contents of a count table in a fixed order, as a snapshot stores them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Canonical(NamedTuple):
    """A table's contents in a fixed order, so that equal statistics give equal arrays.

    `words` are the sorted keys of the words; pairs are sorted by key, too. `pairs` holds the positions in `words` of
    both words of each pair. `counts` has one row per feature, words first. `texts` are the concatenated texts of the
    words, `lengths` their lengths in bytes.
    """

    words: np.ndarray
    pairs: np.ndarray
    counts: np.ndarray
    lengths: np.ndarray
    texts: np.ndarray
