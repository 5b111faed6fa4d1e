"""Secret -> the constants of the keyed hash, and a start value for each part of a mail."""

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
    """The uint64[3] of odd numbers that `stream_nb.kernels.tokenize` multiplies with; the same key gives the same."""
    return np.frombuffer(_digest(key, b"factors", 24), np.uint64) | np.uint64(1)


def start_value(key: bytes, part: str) -> int:
    """Where the hash of a word in the part of that name starts: a number below 2^64."""
    return int.from_bytes(_digest(key, b"part:" + part.encode("utf-8", "replace"), 8), "little")


def _digest(key: bytes, purpose: bytes, size: int) -> bytes:
    return hashlib.blake2b(purpose, key=hashlib.sha256(key).digest(), digest_size=size).digest()
