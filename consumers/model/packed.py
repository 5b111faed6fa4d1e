"""A dict of many small records that uses a fraction of their memory."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, MutableMapping
from typing import TypeVar

import msgspec

Value = TypeVar("Value")

_encode = msgspec.msgpack.Encoder().encode


class PackedDict(MutableMapping[str, Value]):
    """A dict that stores each value, of a `kind` that `msgspec` encodes, as bytes; each access decodes a copy.

    >>> found = PackedDict(tuple[int, ...])
    >>> found["a"] = (1, 2)
    >>> found["a"], found.get("b"), dict(found)
    ((1, 2), None, {'a': (1, 2)})
    """

    def __init__(self, kind: type[Value]) -> None:
        self._decode = msgspec.msgpack.Decoder(kind).decode
        # A plain dict scans past its deleted keys to find the oldest one left; an OrderedDict does not.
        self._packed: OrderedDict[str, bytes] = OrderedDict()

    def __getitem__(self, key: str) -> Value:
        return self._decode(self._packed[key])

    def __setitem__(self, key: str, value: Value) -> None:
        self._packed[key] = _encode(value)

    def __delitem__(self, key: str) -> None:
        del self._packed[key]

    def get(self, key: str, default: Value | None = None) -> Value | None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Like `dict.get` (same `key` and `default`), without the KeyError that `MutableMapping.get` raises and
        catches."""
        packed = self._packed.get(key)
        return default if packed is None else self._decode(packed)

    def nbytes(self, key: str) -> int:
        """The size of the value of `key` as stored, in bytes; 0 if the key is missing."""
        return len(self._packed.get(key, b""))

    def add_encoded(self, values: Iterable[msgspec.Raw], key: Callable[[Value], str]) -> None:
        """Store `values` in msgpack, as `encoded` returns them, each under the `key` of what it decodes to."""
        for packed in values:
            self._packed[key(self._decode(packed))] = bytes(packed)

    def encoded(self) -> tuple[msgspec.Raw, ...]:
        """The values in msgpack, for a msgspec encoder to copy unchanged."""
        return tuple(map(msgspec.Raw, self._packed.values()))

    def __contains__(self, key: object) -> bool:
        return key in self._packed

    def __iter__(self) -> Iterator[str]:
        return iter(self._packed)

    def __reversed__(self) -> Iterator[str]:
        return reversed(self._packed)

    def __len__(self) -> int:
        return len(self._packed)
