"""Secret key -> the multipliers of the keyed hash."""

from __future__ import annotations

import hashlib

import numpy as np

STUDY_KEY = b"stream-nb study key: not a secret"
"""The default key, which is public. A model that reads untrusted mail needs 16 or more random bytes of its own."""

SHORTEST_KEY = 16


def checked(key: object) -> bytes:
    """Return the key, or the study key for None. Raises ValueError if the key is not bytes or too short."""
    if key is None:
        return STUDY_KEY
    if not isinstance(key, bytes) or len(key) < SHORTEST_KEY:
        shown = f"{len(key)} bytes" if isinstance(key, bytes) else type(key).__name__
        raise ValueError(f"the hash key is {shown}: give at least {SHORTEST_KEY} bytes, and keep them secret")
    return key


def hash_multipliers(key: bytes) -> np.ndarray:
    """Return the multipliers for `stream_nb.kernels.features.tokenize`, uint64[4], all odd; equal keys give equal
    ones."""
    digest = hashlib.blake2b(b"factors", key=hashlib.sha256(key).digest(), digest_size=32).digest()
    return np.frombuffer(digest, np.uint64) | np.uint64(1)
