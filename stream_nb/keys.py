"""Secret -> the constants of the keyed hash, and a start value for each part of a mail."""

from __future__ import annotations

import hashlib

import numpy as np

STUDY_KEY = b"stream-nb study key: not a secret"
"""The documented default key. A model that reads strangers' mail takes 16 random bytes or more of its own."""

SHORTEST_KEY = 16

_WORD, _LEAD = 2, 3
# First bytes of UTF-8 characters of scripts without spaces; the scanner looks at the whole character.
_LEADS = frozenset((0xE0, 0xE1, *range(0xE3, 0xEA), 0xEF, 0xF0))


def checked(key: bytes | None) -> bytes:
    """The key itself, for None the study key. Raises ValueError when it is not bytes or too short."""
    if key is None:
        return STUDY_KEY
    if not isinstance(key, bytes) or len(key) < SHORTEST_KEY:
        shown = f"{len(key)} bytes" if isinstance(key, bytes) else type(key).__name__
        raise ValueError(f"the hash key is {shown}: give bytes, at least {SHORTEST_KEY}, kept secret")
    return key



def alphabet(key: bytes) -> np.ndarray:
    """The uint64[516] table that `stream_nb.kernels.scan` reads; the same key gives the same table."""
    raw = np.frombuffer(b"".join(_digest(key, b"T%d" % i, 64) for i in range(33)), np.uint64)[:260].copy()
    random, constants = raw[:256] & ~np.uint64(3), raw[256:] | np.uint64(1)
    classes = np.array([_byte_class(byte) for byte in range(256)], np.uint64)
    folded = np.arange(256)
    folded[65:91] += 32
    exact = random | classes
    return np.concatenate((random[folded] | classes[folded], exact, constants))


def start_value(key: bytes, part: str) -> int:
    """Where the hash of a word in the part of that name starts: a number below 2^64."""
    return int.from_bytes(_digest(key, b"part:" + part.encode("utf-8", "replace"), 8), "little")


def _byte_class(byte: int) -> int:
    if byte in _LEADS:
        return _LEAD
    if byte >= 0x80 or chr(byte).isalnum() or byte == 0x5F:
        return _WORD
    return int(0x21 <= byte <= 0x7E)


def _digest(key: bytes, purpose: bytes, size: int) -> bytes:
    return hashlib.blake2b(purpose, key=hashlib.sha256(key).digest(), digest_size=size).digest()
