"""The counters of a table in an order of their own, as a snapshot keeps them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Canonical(NamedTuple):
    """A table's statistics in an order of their own, so that equal statistics are equal arrays.

    Words sorted by key, then pairs sorted by key. `pairs` holds the places of both words; `texts` are the
    words' texts one after the other, `lengths` bytes each; `counts` has one row a feature, words first.
    """

    words: np.ndarray
    pairs: np.ndarray
    counts: np.ndarray
    lengths: np.ndarray
    texts: np.ndarray
