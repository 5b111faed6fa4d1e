"""Parses the records on `emails`, raw mail or JSON, into messages that can be scored."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

import msgspec

from stream_nb.errors import MailError
from stream_nb.mail import read_mail
from stream_nb.mail.identification import MAX_ID_CHARS
from stream_nb.mail.limits import MAX_MAIL_BYTES
from stream_nb.mail.normalization import normalized
from stream_nb.mail.sanitize import display
from stream_nb.tabular.feature_text import feature_text
from stream_nb.types import FeatureValue, Mail, Part

from ..errors import BadRecord
from ..log.base import Record
from .json_marks import is_object
from .schemas import EMAILS, MailRecord, decode_mail_record
from .values import is_number

_SHOWN = 10


class MailPlace(msgspec.Struct, frozen=True):
    """The place of a mail on `emails`; prints as ``emails[0]@7``."""

    partition: int
    offset: int

    def __str__(self) -> str:
        return f"{EMAILS}[{self.partition}]@{self.offset}"


class Message(NamedTuple):
    """A message ready for the learner; `subject` and `sender` are short and for display."""

    id: str
    mail: Mail
    subject: str
    sender: str


def as_value(raw: bytes) -> bytes:
    """A `raw` mail (RFC 5322) as a record's value; a line break is put before bytes that would mark an object."""
    return b"\n" + raw if is_object(raw) else raw


def read_message(record: Record, headers: str) -> Message:
    """Parse a record of `emails`. Its key is the message id; the id of a raw mail without a key is its Message-ID, or
    the hash of its content. `headers` is ``keep`` or ``safe``, as in `[learner] headers`.

    Raises:
        BadRecord: The record cannot be used; the reason is `empty`, `oversized`, `bad-json`, ...
    """
    return read_value(record.value, _key(record), headers)


def read_value(value: bytes | None, key: str | None, headers: str) -> Message:
    """Parse a `value`, a JSON message if `is_object`, else a raw mail, or None, with the `key` and the `headers` as in
    `read_message`. Without a key, the id is that in the message, or the hash of its content.

    Raises:
        BadRecord: As in `read_message`; `bad-key` for a JSON message with an id other than `key`.
    """
    if not value:
        raise BadRecord("empty", "mail without a byte")
    try:
        if is_object(value):
            return _read_json(value, key)
        parsed = read_mail(value, headers=headers)
    except MailError as error:
        raise BadRecord(error.reason, str(error)) from error
    except (BadRecord, MemoryError):
        raise
    except Exception as error:  # a defect of a parser: a worker that ended would meet the same mail at its next start
        raise BadRecord("unreadable", f"reading it fails: {error!r:.200}") from error
    return Message(key or parsed.message_id, parsed.mail, parsed.subject, parsed.sender)


def _read_json(value: bytes, key: str | None) -> Message:
    if len(value) > MAX_MAIL_BYTES:
        raise BadRecord("oversized", f"message of {len(value)} bytes, at most {MAX_MAIL_BYTES} are allowed")
    record = decode_mail_record(value)
    if key is not None and key != record.id:
        raise BadRecord("bad-key", f"key {key[:80]!r} of a message is not its id {record.id[:80]!r}")
    words = tuple([(word, int(count)) for word, count in sorted(record.words.items())])
    features = tuple([(name, value) for name, value in sorted(record.features.items()) if value is not None])
    mail = Mail(_parts(record), words, features, record.originator.lower())
    return Message(record.id, mail, display(record.subject or _title(record)), display(record.originator))


def _parts(record: MailRecord) -> tuple[Part, ...]:
    """The parts that a raw mail would have: the subject, and the text with the subject at its beginning."""
    if not record.subject:
        (text,) = normalized([record.text.encode()])
        return (Part("", text),)
    subject, text = normalized([record.subject.encode(), f"{record.subject}\n{record.text}".encode()])
    return (Part("subject", subject), Part("", text))


def _title(record: MailRecord) -> str:
    """The title of a JSON message in lists: its text, else its first words and features."""
    features = ((name, value) for name, value in record.features.items() if value is not None)
    return record.text or listed(record.words.items(), features)


def listed(words: Iterable[tuple[str, float]], features: Iterable[tuple[str, FeatureValue]]) -> str:
    """The first `words`, with their counts, and `features`, with their values, of a message, for people.

    >>> listed([("free", 100), ("money", 10)], [("size", 12041), ("language", "en")])
    'free 100, money 10, size 12,041, language en'
    """
    counts = [f"{word} {count}" for word, count in islice(words, _SHOWN)]
    values = [
        feature_text(name, float(value) if is_number(value) else value) for name, value in islice(features, _SHOWN)
    ]
    return ", ".join(counts + values)


def _key(record: Record) -> str | None:
    if record.key is None:
        return None
    try:
        key = record.key.decode()
    except UnicodeDecodeError as error:
        raise BadRecord("bad-id", f"key {record.key[:80]!r} is not UTF-8") from error
    if not 0 < len(key) <= MAX_ID_CHARS:
        raise BadRecord("bad-id", f"key of {len(key)} characters, 1 to {MAX_ID_CHARS} are allowed")
    return key
