"""The sums of a source of labels: its labels, and the doubt in them in 1/65536."""

from __future__ import annotations

from typing import Any

import numpy as np


def new_source(name: str) -> np.ndarray:
    """The sums of a new source, int64[2]: zeros. Raises TypeError if its name is not text, as snapshots store it.

    >>> new_source("anna").tolist()
    [0, 0]
    """
    if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"source {name!r:.60} of type {type(name).__name__}: give text")
    return np.zeros(2, np.int64)


def read_sources(rows: Any) -> dict[str, np.ndarray]:
    """The sums of each source, from rows of name, labels and doubt. Raises ValueError or OverflowError if malformed.

    >>> read_sources([["anna", 3, 65]])["anna"].tolist()
    [3, 65]
    """
    sources = {str(name): np.array(sums, np.int64) for name, *sums in rows}
    if any(sums.shape != (2,) for sums in sources.values()):
        raise ValueError("a source must have two sums")
    return sources
