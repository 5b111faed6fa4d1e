"""A message -> its distinct keyed features, in arrays that are reused for the next message."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from stream_nb import kernels
from stream_nb.features import hash_key
from stream_nb.features.token_counts import in_units, is_count, joined_parts, joined_text, split_parts, summed
from stream_nb.kernels.features.gram_layout import GRAM, LONGEST_GRAM
from stream_nb.kernels.layout import UNIT, Slot
from stream_nb.types import FeatureValue, Mail

_MOST_LAYOUTS = 4096
_TEXT = (str, bytes)
_NO_INDEX = np.zeros(0, np.uint32)
_NO_ROWS = np.zeros((0, 4), np.int32)


class Extractor:
    """Extracts the features of messages under one secret key.

    A message is text (str or UTF-8 bytes), a `Mail`, a list or tuple of tokens, which are used unchanged, or counts: a
    mapping of tokens to counts, or a list of (token, count) pairs. Counts have no order and so no pairs of words; those
    of 0 or less are ignored. With `grams`, texts also have character n-grams.

    After `extract`, feature i < n has key `hashes[i]`, location `token_spans[i]` and, if `counted`, count `counts[i]`
    in units of 1/256. `room` limits the distinct features of a message (None: no limit); later ones are ignored.
    `features` are the named numbers and categories of a mail, `originator` is its originator. Tables store the rows of
    the features in `row_ids`; `rows_owner` identifies the model whose table did so for this message. All arrays but
    `parts` are also bound in `workspace`, by the methods that allocate them; nothing else may replace them.
    """

    def __init__(self, key: bytes, pairs: bool, room: int | None, counted: bool, grams: bool = False) -> None:
        self.workspace = kernels.Workspace()
        self.hash_multipliers = hash_key.hash_multipliers(key)
        self.workspace.bind(Slot.HASH_MULTIPLIERS, self.hash_multipliers)
        self.workspace.bind(Slot.PREFIXES, np.zeros(0, np.uint8))
        self.n = 0
        self.key = key
        self.pairs = pairs
        self.grams = grams
        self._unbounded = room is None
        self._counted = counted
        self._last: Any = None
        self.rows_owner: object = None
        self._salts: dict[str, tuple[int, int, int]] = {}
        self.longest_prefix = self._beyond = LONGEST_GRAM if grams else 0
        self.features: tuple[tuple[str, FeatureValue], ...] = ()
        self.originator = ""
        self.text = b""
        self._layouts: dict[tuple[str, ...], np.ndarray] = {}
        self._plain = self._layout(("",))
        self._tokens = self._plain.copy()
        self._tokens[0, 4] = 0
        self.parts: np.ndarray = self._plain
        self._allot(room or 1024)

    @property
    def prefixes(self) -> np.ndarray:
        """The text prefixes of all named parts seen so far ("subject:"), concatenated, uint8."""
        return self.workspace[Slot.PREFIXES]

    def extract(self, x: Any) -> None:
        """Fill the arrays from `x`, unless they hold it already. Raises TypeError if `x` is not a message."""
        self.load(x)
        if self.n < 0:
            self._scan()
            self._scan_grams(self.parts)

    def load(self, x: str | bytes | Mail | list[Any] | tuple[Any, ...] | Mapping[Any, float]) -> None:
        """Like `extract`, but leave scanning of a text to the caller's kernel; `n` is then negative."""
        if x is self._last and x is not None:  # pyright: ignore[reportUnnecessaryComparison]
            return
        if isinstance(x, str):
            self._hold(x.encode("utf-8", "replace"), x)
            return
        if isinstance(x, dict) and x == self._last and [*x] == [*self._last]:
            return
        self._last = self.rows_owner = None
        self.features, self.originator = (), ""
        if isinstance(x, bytes):
            self._hold(x, x)
        elif isinstance(x, Mail):
            names, texts = split_parts(x.parts)
            layout = self._layout(names)
            layout[:, 0] = [*accumulate(map(len, texts))]
            self._hold(joined_parts(texts), None if x.words else x, layout)
            self.features, self.originator = x.features, x.originator
            if x.words:
                self._add_counts(dict(x.words))
                self._last = x
        elif isinstance(x, list) or type(x) is tuple:
            if x and all(map(is_count, x)):
                self._read_counts(summed(x))
            else:
                self._read_tokens(x, None)
        elif isinstance(x, Mapping):
            self._last = self._read_counts(x)
        elif isinstance(parsed := getattr(x, "mail", None), Mail):  # what `read_mail` returns
            self.load(parsed)
        else:
            raise TypeError(f"a message of type {type(x).__name__}: give text, Mail, list of tokens or dict of counts")

    def text_of(self, i: int) -> str:
        """Return the word or words of feature i of the current message, as a table would store them."""
        start, length, part = (int(number) for number in self.token_spans[i])
        if part < 0:
            return f"{self.text_of(start)} {self.text_of(length)}"
        gram = part >= GRAM
        before, size, fold = (int(number) for number in self.parts[part - GRAM if gram else part, 2:])
        prefix = self.prefixes[before : before + size].tobytes()
        if gram:
            characters = np.array([start >> 16, start, length >> 16, length]) & 0xFFFF
            return f"~{prefix.decode('utf-8', 'replace')}{''.join(chr(one) for one in characters if one)}"
        text = self.text[start : start + length]
        return (prefix + (text.lower() if fold else text)).decode("utf-8", "replace")

    @staticmethod
    def packable(x: Any) -> bool:
        """Return whether `pack` accepts the message: text, or a mail with parts, but no counted words or features."""
        return isinstance(x, _TEXT) or (isinstance(x, Mail) and len(x.parts) > 0 and not x.words and not x.features)

    def pack(self, xs: Sequence[Any]) -> np.ndarray:
        """Concatenate packable messages in `text` and `parts`; message i has parts result[i] to result[i + 1] - 1."""
        texts: list[bytes] = []
        firsts: list[int] = [0]
        layouts: list[np.ndarray] = []
        plain = True
        for x in xs:
            if isinstance(x, _TEXT):
                texts.append(x if isinstance(x, bytes) else x.encode("utf-8", "replace"))
                layouts.append(self._plain)
            else:
                names, own = split_parts(x.parts)
                texts += own
                layouts.append(self._layout(names))
                plain = False
            firsts.append(len(texts))
        self._last = self.rows_owner = None
        self.features, self.originator = (), ""
        self.n = 0
        self.text = joined_parts(texts)
        self.parts = np.repeat(self._plain, len(xs), axis=0) if plain else np.concatenate(layouts)
        self.parts[:, 0] = [*accumulate(map(len, texts))]
        return np.array(firsts, np.int64)

    def _hold(self, text: bytes, x: Any, parts: np.ndarray | None = None) -> None:
        if parts is None:
            parts = self._plain
            parts[0, 0] = len(text)
        if self._unbounded:
            self._make_room(2 * len(text))
        self.text = text
        self.parts = parts
        self.features, self.originator = (), ""
        self.n = -1
        self._last = x
        self.rows_owner = None

    def _scan(self) -> None:
        """Extract the features of `text`."""
        self.n = kernels.scan_text(
            self.text, self.parts, self.hash_multipliers, self.pairs, self.hashes, self.token_spans, self.counts,
            self._dedup_index, 0, _NO_INDEX, _NO_ROWS,
        )  # fmt: skip

    def _scan_grams(self, parts: np.ndarray) -> None:
        """Append the n-grams of these parts to the features."""
        if self.grams:
            self.n = kernels.scan_grams(
                self.text, parts, self.hash_multipliers[1], self.hashes, self.token_spans, self._dedup_index, 0,
                self.n,
            )  # fmt: skip

    def _add_counts(self, counts: dict[str, float]) -> None:
        """Append counted words to `text`, as a part of their own."""
        tokens, units = in_units(counts)
        begin = len(self.text)
        self._make_room(2 * begin + len(tokens))
        self._scan()
        joined, _ = joined_text(tokens)
        self.text += joined
        self.parts = np.concatenate((self.parts, self._tokens))
        self.n = kernels.scan_tokens(
            self.text, self.parts, self.hash_multipliers, False, self.hashes, self.token_spans, self.counts,
            self._dedup_index, units, begin, self.n, _NO_INDEX, _NO_ROWS,
        )  # fmt: skip
        self._scan_grams(self.parts[:-1])

    def _read_counts(self, counts: Mapping[Any, float]) -> dict[str, float] | None:
        """Read counts; return a copy to compare with, or None if equal mappings may differ (the keys 1 and True)."""
        all_str = self._read_tokens(*in_units(counts))
        return dict(counts) if all_str else None

    def _read_tokens(self, tokens: Sequence[Any], units: np.ndarray | None) -> bool:
        """Read tokens, each once or with its count in `units`; return whether all are str."""
        self.text, plain = joined_text(tokens)
        self._make_room(2 * len(tokens))
        self.parts = self._tokens
        amounts = np.full(len(tokens), UNIT) if units is None else units
        self.n = kernels.scan_tokens(
            self.text, self.parts, self.hash_multipliers, self.pairs and units is None, self.hashes,
            self.token_spans, self.counts, self._dedup_index, amounts, 0, 0, _NO_INDEX, _NO_ROWS,
        )  # fmt: skip
        return plain

    def _make_room(self, most: int) -> None:
        if self._unbounded and most > len(self.hashes):
            self._allot(most)

    def _allot(self, room: int) -> None:
        self.hashes = np.zeros(room, np.uint64)
        self.token_spans = np.zeros((room, 3), np.int32)
        self.counts = np.zeros(room if self._counted else 0, np.int64)
        self.row_ids = np.zeros(room, np.int64)
        self._dedup_index = np.zeros(max(64, 1 << (4 * room).bit_length()), np.int32)
        bind = self.workspace.bind
        bind(Slot.HASHES, self.hashes)
        bind(Slot.TOKEN_SPANS, self.token_spans)
        bind(Slot.COUNTS, self.counts)
        bind(Slot.ROW_IDS, self.row_ids)
        bind(Slot.DEDUP_INDEX, self._dedup_index)

    def _layout(self, names: tuple[str, ...]) -> np.ndarray:
        """Return the cached rows of `parts` for parts of these names; the caller fills in where each part ends."""
        layout = self._layouts.get(names)
        if layout is None:
            if len(self._layouts) == _MOST_LAYOUTS:
                self._layouts.clear()
            rows = [(0, *self._salt(name), 1) for name in names]
            layout = self._layouts[names] = np.array(rows, np.uint64).reshape(-1, 5)
        return layout

    def _salt(self, name: str) -> tuple[int, int, int]:
        """Return the hash start value of a part, and offset and length of its prefix in `prefixes`."""
        known = self._salts.get(name)
        if known is None:
            prefix = np.frombuffer(f"{name}:".encode("utf-8", "replace") if name else b"", np.uint8)
            start = int(kernels.start_value(prefix[:-1], self.hash_multipliers))
            known = self._salts[name] = (start, len(self.prefixes), len(prefix))
            self.workspace.bind(Slot.PREFIXES, np.concatenate((self.prefixes, prefix)))
            self.longest_prefix = max(self.longest_prefix, len(prefix) + self._beyond)
        return known
