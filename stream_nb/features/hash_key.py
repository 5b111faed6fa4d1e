"""Secret -> the constants of the keyed hash."""

from __future__ import annotations

import hashlib

import numpy as np

STUDY_KEY = b"stream-nb study key: not a secret"
"""The documented default key. A model that reads strangers' mail takes 16 random bytes or more of its own."""

SHORTEST_KEY = 16


def checked(key: object) -> bytes:
    """The key itself, for None the study key. Raises ValueError when it is not bytes or too short."""
    if key is None:
        return STUDY_KEY
    if not isinstance(key, bytes) or len(key) < SHORTEST_KEY:
        shown = f"{len(key)} bytes" if isinstance(key, bytes) else type(key).__name__
        raise ValueError(f"the hash key is {shown}: give bytes, at least {SHORTEST_KEY}, kept secret")
    return key


def hash_multipliers(key: bytes) -> np.ndarray:
    """The uint64[4] of odd numbers that `stream_nb.kernels.tokenize` takes; the same key gives the same."""
    return np.frombuffer(_digest(key, b"factors", 32), np.uint64) | np.uint64(1)


def _digest(key: bytes, purpose: bytes, size: int) -> bytes:
    return hashlib.blake2b(purpose, key=hashlib.sha256(key).digest(), digest_size=size).digest()
