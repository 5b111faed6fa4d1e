"""Policy changes on the compacted topic `policy`: how scores become labels from now on, who changed it, and when.

The newest record applies to mails scored after a worker has read it; predictions store the offset of the record that
applied. A change is undone by another record. The latest `KEPT` stay on the topic.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from ..errors import UNDECODABLE, BadRecord
from ..log.base import ProducerRecord, Record, TopicPartition
from .schemas import POLICY, encode
from .values import MAX_LOG_ODDS, LogOdds, Share, Time

POLICY_PARTITION = TopicPartition(POLICY, 0)
KEPT = 256
MAX_CHANGE_SOURCE_CHARS = 200


class PolicyValues(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of a policy, as `[learner]` has them: see `consumers.settings.LearnerSettings`."""

    threshold: LogOdds = 0.0
    lose_at_most: Share | None = None
    false_positive_cost: Annotated[float, Meta(gt=0, le=MAX_LOG_ODDS)] = 1.0
    unsure: Annotated[float, Meta(ge=0, le=MAX_LOG_ODDS)] = 0.0


class PolicyRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A change by `source` at `timestamp` (seconds since 1970). `policy` None means the workers' own settings again."""

    policy: PolicyValues | None
    source: str
    timestamp: Time


_decode = msgspec.json.Decoder(PolicyRecord).decode


def decode_policy(value: bytes | None) -> PolicyRecord:
    """Decode the change in `value`, that of a record of `policy` or None.

    Raises:
        BadRecord: `bad-json`: not a change, or a value out of range; `bad-policy`: two values that exclude each
            other; `bad-source`: a source of more than `MAX_CHANGE_SOURCE_CHARS` characters.
    """
    try:
        change = _decode(value or b"")
    except UNDECODABLE as error:
        raise BadRecord("bad-json", f"policy: {error}") from error
    values = change.policy
    if values is not None and values.lose_at_most is not None and values.false_positive_cost != 1.0:
        raise BadRecord("bad-policy", "lose_at_most and false_positive_cost exclude each other: give one of them")
    if len(change.source) > MAX_CHANGE_SOURCE_CHARS:
        raise BadRecord("bad-source", f"source of {len(change.source)} characters, at most {MAX_CHANGE_SOURCE_CHARS}")
    return change


def read_policy(record: Record) -> PolicyRecord:
    """Decode the change in a record of `policy`; raises BadRecord."""
    if slot_of(record.key) is None:
        raise BadRecord("bad-key", f"key {record.key!r:.80} of a policy")
    return decode_policy(record.value)


def slot_of(key: bytes | None) -> int | None:
    """The slot in the `key` of a record, 0 to `KEPT` - 1; None for another key, or none.

    >>> slot_of(b"policy/7")
    7
    """
    head, _, number = (key or b"").partition(b"/")
    if head != b"policy" or not number.isdigit() or len(number) > 3:
        return None
    return int(number) if int(number) < KEPT else None


def policy_record(change: PolicyRecord, last_slot: int) -> ProducerRecord:
    """Encode a change as a record; `last_slot` is the slot of the previous change, 0 to `KEPT` - 1, or -1 if this is
    the first.

    Raises:
        BadRecord: As in `decode_policy`, for a change that no reader accepts.
    """
    value = encode(change)
    decode_policy(value)
    return ProducerRecord(POLICY, b"policy/%d" % ((last_slot + 1) % KEPT), value, 0)
