"""The monitor's records on its compacted topic.

| key                     | value                                                        |
|-------------------------|--------------------------------------------------------------|
| `totals`                | `Totals`, what a restart of the monitor needs                |
| `view`                  | `View`, the figures                                          |
| `curves`                | window -> `Curve`                                            |
| `heartbeat`             | `Heartbeat`, every few seconds whatever happens              |
| `mail/<p>/<slot>`       | `Row`, one of the latest mails of partition p                |
| `history/<step>/<slot>` | `Point`                                                      |

Slots are used again in turn, so the topic's size after compaction does not grow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

import msgspec

from ..errors import BadRecord
from ..log.base import Log, ProducerRecord, Record, TopicPartition
from ..records.schemas import MONITOR, encode
from ..records.skipped import SkippedRecords
from .heartbeat import Heartbeat
from .history import Point
from .joiner import ScoredMail
from .state import Totals
from .view import Curve, Row, View, row_of

Value = TypeVar("Value")

AT = TopicPartition(MONITOR, 0)
ROWS = 2_000
"""Mails kept on the topic, over all partitions."""

TOTALS, VIEW, CURVES, HEARTBEAT = b"totals", b"view", b"curves", b"heartbeat"

decode_totals = msgspec.json.Decoder(Totals).decode
decode_view = msgspec.json.Decoder(View).decode
decode_curves = msgspec.json.Decoder(dict[str, Curve]).decode
decode_heartbeat = msgspec.json.Decoder(Heartbeat).decode
decode_row = msgspec.json.Decoder(Row).decode
decode_point = msgspec.json.Decoder(Point).decode


def draft(key: bytes, value: object) -> ProducerRecord:
    """A record of the view."""
    return ProducerRecord(MONITOR, key, encode(value), partition=0)


def draft_rows(changed: Iterable[ScoredMail], newest: Mapping[int, int]) -> list[ProducerRecord]:
    """Records of the mails that changed and still have a slot; `newest` is the next offset of each partition."""
    ring = ROWS // max(1, len(newest))
    drafts = []
    for seen in changed:
        partition, offset = seen.place
        if offset >= newest[partition] - ring:
            drafts.append(draft(b"mail/%d/%d" % (partition, offset % ring), row_of(seen)))
    return drafts


def draft_point(step: int, place: int, point: Point) -> ProducerRecord:
    """A history point's record."""
    return draft(b"history/%d/%d" % (step, place), point)


def read_from(log: Log, next_offset: int, timeout_s: float = 0.0) -> list[Record]:
    """Records of the view at or after an offset."""
    return log.read({AT: next_offset}, timeout_s=timeout_s)


def read_last(log: Log, key: bytes, decode: Callable[[bytes], Value], skipped: SkippedRecords) -> Value | None:
    """The newest value of a key, decoded; None when there is none.

    `skipped` is told of values that are no such thing.
    """
    next_offset, end, value = log.start_offset(AT), log.end_offset(AT), None
    while next_offset < end:
        records = read_from(log, next_offset, timeout_s=5.0)
        if not records:
            break
        for record in records:
            if record.key == key:
                try:
                    value = decoded(decode, record)
                except BadRecord as error:
                    skipped.skip(record, error)
        next_offset = records[-1].offset + 1
    return value


def decoded(decode: Callable[[bytes], Value], record: Record) -> Value:
    """What a record holds; raises BadRecord where it is no such thing."""
    try:
        return decode(record.value or b"")
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadRecord("bad-json", f"{record.key!r:.80} of the view: {error}") from error
