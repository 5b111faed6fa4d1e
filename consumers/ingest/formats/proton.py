"""Proton Mail's export: mails ``NAME.eml``, each with a file ``NAME.metadata.json`` that lists its labels."""

from __future__ import annotations

from pathlib import Path

import msgspec

from ...errors import UNDECODABLE
from ...runtime.paths import is_file
from .base import open_file

METADATA = ".metadata.json"
MAIL = ".eml"
MAX_METADATA_BYTES = 4 << 20

_SPAM, _TRASH, _OUTBOX, _SCHEDULED = "4", "3", "9", "12"
_DRAFTS, _SENT = {"1", "8"}, {"2", "7"}  # all of them, and those in the folder
_UNLABELLED = {_TRASH, _OUTBOX, _SCHEDULED, *_DRAFTS, *_SENT}


class _Payload(msgspec.Struct):
    labels: list[str] = msgspec.field(name="LabelIDs")


class _Metadata(msgspec.Struct):
    payload: _Payload = msgspec.field(name="Payload")


_DECODER = msgspec.json.Decoder(_Metadata)


def is_exported(mail: Path) -> bool:
    """Whether the file `mail` was exported by Proton Mail."""
    return mail.suffix == MAIL and is_file(mail.with_suffix(METADATA))


def proton_class(mail: Path) -> str | None:
    """The class of the exported file `mail`: ``spam`` for Spam, None for trash, drafts and sent mail, else ``ham``.

    `class_labels` has the reasons for these exceptions. A mail without readable labels has no class either.

    Raises:
        UserError: The file with its labels cannot be opened.
    """
    if not is_exported(mail):
        return None
    with open_file(mail.with_suffix(METADATA)) as stream:
        text = stream.read(MAX_METADATA_BYTES)
    try:
        labels = _DECODER.decode(text).payload.labels
    except UNDECODABLE:
        return None
    if not labels or not _UNLABELLED.isdisjoint(labels):
        return None
    return "spam" if _SPAM in labels else "ham"
