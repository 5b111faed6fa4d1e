"""The record that begins a model on the log: the secret of its word hash, and the kind of model."""

from __future__ import annotations

import re
import secrets
from typing import NamedTuple

from stream_nb.features.hash_key import SHORTEST_KEY

from ..log.base import ProducerRecord
from ..records.schemas import MODEL

KEY_BYTES = 32

_GRAMS = "+grams"
_KEY = re.compile(rb"key/([A-Za-z]+)(\+grams)?/.+", re.DOTALL)


class Secret(NamedTuple):
    """The secret of a model's word hash, the name of the model's class, and whether it has character n-grams."""

    value: bytes
    kind: str
    grams: bool


def secret_record(kind: str, grams: bool, value: bytes | None = None) -> ProducerRecord:
    """A record with the secret `value` (None: a new one) of a model of the class `kind`, with or without `grams`. Its
    key is unique, so that the first such record stays on the log."""
    key = f"key/{kind}{_GRAMS * grams}/{secrets.token_hex(8)}"
    return ProducerRecord(MODEL, key.encode(), value or secrets.token_bytes(KEY_BYTES), partition=0)


def decode_secret(key: bytes, value: bytes) -> Secret | None:
    """The secret in a record of the changelog with this `key` and `value`; None if the record is none."""
    found = _KEY.fullmatch(key)
    return Secret(value, found[1].decode(), found[2] is not None) if found and len(value) >= SHORTEST_KEY else None
