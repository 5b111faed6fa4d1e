"""The names of the topics, and the schemas of their records; the limits of values are in `values.py`.

| topic       | key                          | value                                        |
|-------------|------------------------------|----------------------------------------------|
| emails      | message id                   | raw mail or JSON `MailRecord` (`json_marks`) |
| labels      | message id                   | JSON `LabelRecord`                           |
| predictions | message id                   | JSON `PredictionRecord`                      |
| model       | see `model/changelog.py`     | deltas, snapshots, ledger entries            |
| monitor     | see `monitor/topic.py`       | the monitor's view, for dashboards           |
| quarantine  | key of the bad record        | JSON `QuarantineRecord`                      |
| health      | see `heartbeat.py`           | heartbeats of the stages                     |
| policy      | see `policy.py`              | changes of how scores become labels          |
| feeds       | see `mailbox/known_mails.py` | where the mails of followed mailboxes are    |
| sums        | see `model/sums.py`          | sums of the deltas on `model`                |
"""

from __future__ import annotations

from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta

from ..errors import UNDECODABLE, BadRecord
from ..log.base import Record, TopicSpec
from .json_marks import unmarked
from .values import LogOdds, NextOffset, Number, Originator, Share, Time, check_id, check_label, check_values

EMAILS = "emails"
LABELS = "labels"
PREDICTIONS = "predictions"
MODEL = "model"
MONITOR = "monitor"
QUARANTINE = "quarantine"
HEALTH = "health"
POLICY = "policy"
FEEDS = "feeds"
SUMS = "sums"

SILENCE = "silence"
"""The source of labels that nobody gave: the predicted labels of mails that nobody has labelled for long. Such a label
counts only if no other source has a vote, and never as evidence of how good predictions are."""

TOO_MANY_CLASSES = "too-many-classes"  # the reason of a quarantined label that is well-formed
DUPLICATE_MAIL, DUPLICATE_ID = "duplicate-mail", "duplicate-id"  # the reasons of quarantined mails that can be read

TOPICS = (
    TopicSpec(EMAILS, co_partitioned=True, compacted=False),
    TopicSpec(LABELS, co_partitioned=True, compacted=False),
    TopicSpec(PREDICTIONS, co_partitioned=True, compacted=False),
    TopicSpec(MODEL, co_partitioned=False, compacted=True),
    TopicSpec(MONITOR, co_partitioned=False, compacted=True),
    TopicSpec(QUARANTINE, co_partitioned=False, compacted=False),
    TopicSpec(HEALTH, co_partitioned=False, compacted=True),
    TopicSpec(POLICY, co_partitioned=False, compacted=True),
    TopicSpec(FEEDS, co_partitioned=False, compacted=True),
    TopicSpec(SUMS, co_partitioned=False, compacted=True),
)


class MailRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A message that is not a raw mail: plain text, words with counts, features by name, or any combination of these.

    A count is a whole number from 0 to `values.MAX_COUNT`. A feature is a number, a category (a text or a boolean), or
    null, which is the same as leaving it out; `values.check_values` has the limits. `originator` is the address of the
    list or person that it comes from, case-insensitive; `subject` is used like a raw mail's; "" means unknown.
    """

    id: str
    text: str = ""
    words: dict[str, int | float] = {}
    features: dict[str, int | float | str | bool | None] = {}
    originator: Originator = ""
    subject: str = ""


class LabelRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The label that `source` gives a message; None means that it should have no label.

    The latest label of a message counts; one of `SILENCE` only if there is no other. `timestamp` is when it was given,
    in seconds since 1970; None stands for the record's own. `forget` withdraws this source's vote on the message, so
    that the latest vote of another source counts again.
    """

    id: str
    label: str | None
    source: Annotated[str, Meta(min_length=1, max_length=998)]
    timestamp: Time | None = None
    forget: bool = False


class PredictionRecord(msgspec.Struct, frozen=True):
    """The score of a message on arrival, which never changes; accuracy is counted only from it.

    Args:
        id: The message id.
        label: The predicted label; None while the model knows no class.
        log_odds: The log-odds of the class `positive` against the best other class, -1e12 to 1e12.
        probability: The calibrated probability of `positive`, 0 to 1.
        positive: The positive class.
        threshold: The log-odds above which `label` is `positive`.
        labels_learned: How many labels the model had learned.
        scores: The score of each class, -1e12 to 1e12.
        known: Number of distinct features of the message that the model had seen before.
        unseen: Number of distinct features that it had not seen.
        topic: `emails`.
        partition: The mail's partition.
        next_offset: The offset after the mail's own.
        arrived_at: The time of the mail's record, in seconds since 1970; at most `scored_at`.
        scored_at: When it was scored, in seconds since 1970.
        subject: The mail's subject, shortened. It comes from a stranger: escape it.
        sender: The mail's sender, shortened. Escape it, too.
        policy: The offset on `policy` of the change used to choose `label`; -1 for the worker's own settings.
    """

    id: str
    label: str | None
    log_odds: LogOdds
    probability: Share
    positive: str
    threshold: float
    labels_learned: Number
    scores: dict[str, float]
    known: Number
    unseen: Number
    topic: str
    partition: Number
    next_offset: NextOffset
    arrived_at: Time
    scored_at: Time
    subject: str = ""
    sender: str = ""
    policy: Annotated[int, Meta(ge=-1, lt=1 << 62)] = -1

    @property
    def is_positive(self) -> bool:
        """Whether the positive class was predicted."""
        return self.label == self.positive


class QuarantineRecord(msgspec.Struct, frozen=True):
    """A note about a record that cannot be used; the record itself stays on its topic.

    Args:
        reason: One of a few fixed words, to count by.
        detail: What is wrong with the value.
        topic: The record's topic.
        partition: The record's partition.
        offset: The record's offset; -1 for a label that was evicted before its mail arrived.
        timestamp: When the record was quarantined, in seconds since 1970.
    """

    reason: str
    detail: str
    topic: str
    partition: int
    offset: int
    timestamp: float


encode = msgspec.json.Encoder().encode
_mail = msgspec.json.Decoder(MailRecord)
_label = msgspec.json.Decoder(LabelRecord)
_prediction = msgspec.json.Decoder(PredictionRecord)
_quarantine = msgspec.json.Decoder(QuarantineRecord)

_Record = TypeVar("_Record", MailRecord, LabelRecord, PredictionRecord, QuarantineRecord)

MAIL_FORM = (
    '{"id", "text", "words": {word: count}, "features": {name: number (not NaN), text, boolean or null}, "originator", '
    '"subject"}'
)
LABEL_RECORD_FORM = '{"id", "label": text or null, "source", "timestamp": seconds since 1970, "forget": boolean}'


def _decode(decoder: msgspec.json.Decoder[_Record], value: bytes | None, what: str, form: str = "") -> _Record:
    """Decode a value; `form` describes the expected JSON, for records that other programs write."""
    expected = f"; expected {form}" if form else ""
    if not value:
        raise BadRecord("empty", f"{what} record without a byte{expected}")
    try:
        return decoder.decode(unmarked(value))
    except UNDECODABLE as error:
        raise BadRecord("bad-json", f"{what} record: {error}{expected}") from error


def decode_mail_record(value: bytes | None) -> MailRecord:
    """Decode a JSON message, the `value` of a record of `emails`; raises BadRecord (`empty`, `bad-json`, `bad-id`,
    `bad-count` or `bad-feature`)."""
    record = _decode(_mail, value, "mail", MAIL_FORM)
    check_id(record.id)
    check_values(record.words, record.features)
    return record


def decode_label(value: bytes | None) -> LabelRecord:
    """Decode a label, the `value` of a record of `labels`; raises BadRecord (`empty`, `bad-json`, `bad-id` or
    `bad-label`)."""
    record = _decode(_label, value, "label", LABEL_RECORD_FORM)
    check_id(record.id)
    check_label(record.label)
    return record


def read_label(record: Record) -> LabelRecord:
    """Decode the label in a record of `labels`; raises BadRecord for one that workers reject."""
    label = decode_label(record.value)
    _check_key(record, label.id, "label")
    return label


def decode_prediction(value: bytes | None) -> PredictionRecord:
    """Decode a prediction, the `value` of a record of `predictions`; raises BadRecord (`empty` or `bad-json`)."""
    return _decode(_prediction, value, "prediction")


def read_prediction(record: Record) -> PredictionRecord:
    """Decode the prediction in a record of `predictions`; raises BadRecord for one that no worker wrote."""
    prediction = decode_prediction(record.value)
    _check_key(record, prediction.id, "prediction")
    if (prediction.topic, prediction.partition) != (EMAILS, record.partition):
        raise BadRecord("bad-place", f"prediction of a mail on {prediction.topic[:80]!r}[{prediction.partition}]")
    return prediction


def decode_quarantine(value: bytes | None) -> QuarantineRecord:
    """Decode a quarantine entry, the `value` of a record of `quarantine`; raises BadRecord (`empty` or `bad-json`)."""
    return _decode(_quarantine, value, "quarantine")


def _check_key(record: Record, message_id: str, what: str) -> None:
    if record.key != message_id.encode():
        raise BadRecord("bad-key", f"key {record.key!r:.80} of a {what} is not its id {message_id[:80]!r}")
