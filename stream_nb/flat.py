"""Pack a JSON header and flat arrays into bytes: like `snapshot`, but faster for small, frequent data.

Layout, little-endian: magic `SNBF`, version (uint16), length of the header (uint32), number of arrays (uint16), header
(JSON, ASCII), for each array its type code (uint8) and length (uint32), the arrays, CRC-32 of everything before.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from stream_nb.errors import SnapshotError

MAGIC = b"SNBF"
VERSION = 1
_HEAD = struct.Struct("<4sHIH")
_ARRAY = struct.Struct("<BI")
_CRC = struct.Struct("<I")
_TYPES: list[Any] = [np.dtype(name) for name in ("<u1", "<i1", "<u2", "<i2", "<u4", "<i4", "<u8", "<i8")]
_CODES = {kind: code for code, kind in enumerate(_TYPES)}
_dumps = json.JSONEncoder(separators=(",", ":")).encode
_loads = json.JSONDecoder().decode


def pack(header: dict[str, Any], arrays: Sequence[np.ndarray]) -> bytes:
    """Pack `header`, which must be serialisable as JSON, and `arrays`, which are flattened."""
    text = _dumps(header).encode()
    heads = [_ARRAY.pack(_CODES[array.dtype.newbyteorder("<")], array.size) for array in arrays]
    pieces = [array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes() for array in arrays]
    body = b"".join((_HEAD.pack(MAGIC, VERSION, len(text), len(arrays)), text, *heads, *pieces))
    return body + _CRC.pack(zlib.crc32(body))


def unpack(data: bytes) -> tuple[dict[str, Any], list[np.ndarray]]:
    """The header and the flat arrays that `pack` was called with. Raises SnapshotError if the bytes are invalid."""
    if len(data) < _HEAD.size + _CRC.size:
        raise SnapshotError(f"{len(data)} bytes: truncated, or another format")
    magic, version, size, count = _HEAD.unpack_from(data)
    if magic != MAGIC:
        raise SnapshotError(f"begins with {magic!r}, not {MAGIC!r}: another format")
    if version != VERSION:
        raise SnapshotError(f"version {version}; this program reads version {VERSION}")
    end = len(data) - _CRC.size
    if zlib.crc32(memoryview(data)[:end]) != _CRC.unpack_from(data, end)[0]:
        raise SnapshotError(f"{len(data)} bytes: wrong checksum, damaged or truncated")
    try:
        heads = _HEAD.size + size
        header: Any = _loads(data[_HEAD.size : heads].decode("ascii"))
        offset = heads + count * _ARRAY.size
        arrays: list[np.ndarray] = []
        for code, length in _ARRAY.iter_unpack(data[heads:offset]):
            arrays.append(np.frombuffer(data, _TYPES[code], length, offset))
            offset += length * _TYPES[code].itemsize
        if offset != end or not isinstance(header, dict):
            raise ValueError(f"{end - offset} extra bytes, or the header is not a JSON object")
    except (ValueError, IndexError, RecursionError, struct.error) as error:
        raise SnapshotError(f"unreadable header: {error}") from error
    return cast("dict[str, Any]", header), arrays
