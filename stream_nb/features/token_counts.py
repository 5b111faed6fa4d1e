"""Tokens and counted tokens -> what the kernels read: one text, and counts in units of 1/256."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np

from stream_nb.kernels.layout import UNIT

_MOST = 2.0**40


def split_parts(parts: Sequence[Any]) -> tuple[tuple[str, ...], tuple[bytes, ...]]:
    """Return the names and the texts of a mail's parts. Raises TypeError if they are not parts."""
    try:
        names, texts = zip(*parts, strict=True) if parts else ((), ())
    except (TypeError, ValueError):
        raise TypeError(
            f"the parts of a mail are {parts!r:.60}: give a tuple of parts, such as (Part('', b'win'),)"
        ) from None
    return names, texts


def joined_parts(texts: Sequence[Any]) -> bytes:
    """Concatenate the texts of a mail's parts. Raises TypeError if one is not bytes."""
    try:
        return b"".join(texts)
    except TypeError:
        wrong = next(text for text in texts if not isinstance(text, bytes | bytearray | memoryview))
        raise TypeError(f"the text of a part is {wrong!r:.60}: give UTF-8 bytes, as .encode() returns") from None


def is_count(pair: str | bytes | tuple[Any, ...] | list[Any]) -> bool:
    """Return whether `pair` is a token with a count, such as ("free", 100)."""
    return isinstance(pair, tuple | list) and len(pair) == 2 and isinstance(pair[0], str) and isinstance(pair[1], Real)


def summed(pairs: Sequence[Any]) -> dict[str, float]:
    """Add up the counts of (token, count) pairs by token."""
    counts: dict[str, float] = {}
    for token, count in pairs:
        counts[token] = counts.get(token, 0) + count
    return counts


def _token(token: Any) -> str:
    if isinstance(token, str):
        return token
    return token.decode("utf-8", "replace") if isinstance(token, bytes) else str(token)


def joined_text(tokens: Sequence[Any]) -> tuple[bytes, bool]:
    """Join tokens with zero bytes. Returns the text, and whether all tokens are str."""
    plain = True
    try:
        text = "\0".join(tokens)
    except TypeError:
        plain = False
        tokens = [_token(token) for token in tokens]
        text = "\0".join(tokens)
    if tokens and text.count("\0") != len(tokens) - 1:
        text = "\0".join([token.replace("\0", "\ufffd") for token in tokens])
    return text.encode("utf-8", "replace"), plain


def _number(count: Any) -> float:
    try:
        return float(count)
    except (TypeError, ValueError, OverflowError):
        return math.nan


def in_units(counts: Mapping[Any, float]) -> tuple[list[Any], np.ndarray]:
    """Return the tokens with a positive count, and these counts in units of 1/256.

    Raises ValueError if a count is not a number, or above 2^40.
    """
    try:
        numbers = np.fromiter(counts.values(), np.float64, len(counts))
    except (TypeError, ValueError, OverflowError):
        numbers = np.array([_number(count) for count in counts.values()])
    if not (numbers <= _MOST).all():
        name, count = next(pair for pair, n in zip(counts.items(), numbers, strict=True) if not n <= _MOST)
        hint = f"; to read it as the message, give x[{name!r:.80}] instead of x" if isinstance(count, str) else ""
        raise ValueError(f"the count of {name!r:.80} is {count!r:.80}: give a finite number up to 2^40{hint}")
    units = np.rint(np.maximum(numbers, 0.0) * UNIT)
    tokens = list(counts)
    if units.min(initial=1.0) <= 0.0:
        tokens = [token for token, kept in zip(tokens, (units > 0.0).tolist(), strict=True) if kept]
        units = units[units > 0.0]
    return tokens, units.astype(np.int64)
