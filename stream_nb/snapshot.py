"""Pack JSON values and named arrays into bytes with magic, version and checksum, without pickle.

Layout, little-endian: magic `SNB1`, version (uint16), length of the header (uint32), header (JSON, ASCII), the arrays,
16-byte BLAKE2b digest of everything before. The header is
{"kind": ..., "values": {...}, "arrays": [[name, dtype, shape], ...]}. Equal content gives equal bytes.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import struct
from collections.abc import Mapping
from typing import Any, cast

import numpy as np

from stream_nb.errors import SnapshotError

MAGIC = b"SNB1"
VERSION = 6
_HEAD = struct.Struct("<4sHI")
_KIND = re.compile(rb'\{"kind":"(\w+)"', re.ASCII)
_DIGEST_BYTES = 16
_DTYPES = frozenset(("|u1", "|i1", "<u2", "<u4", "<u8", "<i2", "<i4", "<i8", "<f8"))


def pack(kind: str, values: dict[str, Any], arrays: dict[str, np.ndarray]) -> bytes:
    """Pack one snapshot; `values` must be serialisable as JSON."""
    shapes = [[name, array.dtype.newbyteorder("<").str, list(array.shape)] for name, array in arrays.items()]
    header = json.dumps({"kind": kind, "values": values, "arrays": shapes}, separators=(",", ":")).encode()
    pieces = [array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes() for array in arrays.values()]
    body = b"".join((_HEAD.pack(MAGIC, VERSION, len(header)), header, *pieces))
    return body + _digest(body)


def kind_of(data: bytes) -> str:
    """The kind of a snapshot, a class name, without unpacking it. Raises SnapshotError if it is not a snapshot."""
    if data[: len(MAGIC)] != MAGIC:
        raise SnapshotError(f"snapshot begins with {data[: len(MAGIC)]!r}, not {MAGIC!r}: this is another kind of file")
    kind = _KIND.match(data, _HEAD.size)
    if kind is None:
        raise SnapshotError(f"snapshot of {len(data)} bytes: truncated, or not a snapshot")
    return kind[1].decode()


def unpack(data: bytes, kind: str) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The values and arrays that `pack` was called with. Raises SnapshotError if the bytes are invalid, TypeError if
    they are no bytes."""
    if not isinstance(data, bytes | bytearray | memoryview):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"a snapshot of type {type(data).__name__}: give bytes, as to_bytes returns")
    data = bytes(data)
    if len(data) < _HEAD.size + _DIGEST_BYTES:
        raise SnapshotError(f"snapshot of {len(data)} bytes: truncated, or not a snapshot")
    magic, version, header_size = _HEAD.unpack_from(data)
    if magic != MAGIC:
        raise SnapshotError(f"snapshot begins with {magic!r}, not {MAGIC!r}: this is another kind of file")
    if version != VERSION:
        raise SnapshotError(f"snapshot of version {version}; this program reads version {VERSION}")
    if _digest(data[:-_DIGEST_BYTES]) != data[-_DIGEST_BYTES:]:
        raise SnapshotError(f"snapshot of {len(data)} bytes: wrong checksum, damaged or truncated")
    try:
        header = json.loads(data[_HEAD.size : _HEAD.size + header_size])
        found, values, shapes = header["kind"], header["values"], header["arrays"]
        arrays = _arrays(data[:-_DIGEST_BYTES], _HEAD.size + header_size, shapes)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise SnapshotError(f"snapshot with an unreadable header: {error}") from error
    if found != kind:
        raise SnapshotError(f"snapshot of a {str(found)[:40]!r}, not of a {kind!r}")
    return values, arrays


def options_state(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options in a form that JSON can store. Mappings become lists of pairs, because JSON keys are strings and class
    names may be numbers.

    Args:
        options: The result of `NaiveBayes.options`.
    """
    return {
        name: _pairs(cast("Mapping[Any, Any]", value)) if isinstance(value, Mapping) else value
        for name, value in options.items()
    }


def options_of(state: Mapping[str, Any]) -> dict[str, Any]:
    """The inverse of `options_state`. Raises TypeError or ValueError for a list of anything but pairs."""
    return {name: dict(cast("list[Any]", value)) if isinstance(value, list) else value for name, value in state.items()}


def smallest(array: np.ndarray) -> np.ndarray:
    """The same integers in the smallest dtype that holds them all (unsigned if none is negative)."""
    least, most = int(array.min(initial=0)), int(array.max(initial=0))
    sign = "u" if least >= 0 else "i"
    kinds = (np.dtype(f"{sign}{size}") for size in (1, 2, 4, 8))
    return array.astype(next(k for k in kinds if np.iinfo(k).min <= least and most <= np.iinfo(k).max))


def _pairs(mapping: Mapping[Any, Any]) -> list[list[Any]]:
    return sorted(([*pair] for pair in mapping.items()), key=lambda pair: (type(pair[0]).__name__, str(pair[0])))


def _arrays(body: bytes, offset: int, shapes: list[tuple[str, str, list[int]]]) -> dict[str, np.ndarray]:
    arrays: dict[str, np.ndarray] = {}
    for name, dtype, shape in shapes:
        if dtype not in _DTYPES or min(shape, default=0) < 0:
            raise ValueError(f"array {name!r} has dtype {dtype!r} and shape {shape!r}")
        count = math.prod(shape)
        array = np.frombuffer(body, dtype, count, offset)
        arrays[name] = array.reshape(shape)
        offset += array.nbytes
    if offset != len(body):
        raise ValueError(f"{len(body) - offset} extra bytes")
    return arrays


def _digest(body: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=_DIGEST_BYTES).digest()
