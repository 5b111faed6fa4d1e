"""JSON lines: each message has text, counted words, named features, or several of these."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

import msgspec

from stream_nb.mail.identification import MAX_ID_CHARS

from ...errors import BadRecord, UserError
from ...records.schemas import MailRecord, encode
from ...records.values import Originator, check_values
from ..feeder import Item
from .lines import check_label, read_objects

EXPECTED = (
    "one object on each line, with id, text, words, features, originator, subject and label, or a table with its "
    "--label-column"
)


class JsonLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line; the default `id` is a hash of the content."""

    id: str = ""
    text: str = ""
    label: str | None = None
    words: dict[str, int | float] = {}
    features: dict[str, int | float | str | bool | None] = {}
    originator: Originator = ""
    subject: str = ""


_decode = msgspec.json.Decoder(JsonLine).decode


def read_json_lines(lines: Iterable[bytes], name: str) -> Iterator[Item]:
    """The items of all `lines` of a file of JSON lines; blank lines are skipped.

    Raises UserError with `name` and the line's number.
    """
    for where, _, found in read_objects(lines, name, _decode, EXPECTED):
        try:
            check_values(found.words, found.features)
        except BadRecord as error:
            raise UserError(f"{where}: {error.detail}") from error
        if len(found.id) > MAX_ID_CHARS or not found.id.isprintable():
            raise UserError(f"{where}: id {found.id[:40]!r} is not at most {MAX_ID_CHARS} printable characters")
        check_label(found.label, where)
        yield _item(found)


def _item(line: JsonLine) -> Item:
    words, features = dict(sorted(line.words.items())), dict(sorted(line.features.items()))
    message = MailRecord(line.id, line.text, words, features, line.originator, line.subject)
    message_id = line.id or "sha256:" + hashlib.sha256(encode(message)).hexdigest()[:32]
    return Item(message_id, encode(msgspec.structs.replace(message, id=message_id)), line.label)
