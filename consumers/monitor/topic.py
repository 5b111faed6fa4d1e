"""The records of the compacted topic `monitor`.

| key                     | value                                                  |
|-------------------------|--------------------------------------------------------|
| `totals`                | `MonitorTotals`, what a restart of the monitor needs   |
| `view`                  | `View`, the figures                                    |
| `curves`                | `Curves`                                               |
| `mail/<p>/<slot>`       | `MailRow`, one of the latest mails of partition p      |
| `mail/audit/<slot>`     | `MailRow`, one of the latest mails drawn for the audit |
| `history/<step>/<slot>` | `HistoryPoint`                                         |

Each value is wrapped in an envelope, ``{"format": 3, "value": ...}``. Slots are reused in turn, so the topic's size
after compaction is bounded.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeAlias, TypeVar

import msgspec

from ..errors import UNDECODABLE, BadRecord
from ..log.base import Log, ProducerRecord, Record, TopicPartition
from ..log.outputs import wait_for_outputs
from ..records.schemas import MONITOR, encode
from ..records.skipped import SkippedRecords, readable
from .figures.curves import Curves
from .figures.history import HistoryPoint
from .figures.joiner import ScoredMail
from .mail_row import MailRow, mail_row
from .totals import MonitorTotals
from .view import View

FORMAT = 3
"""The version of the records' format. Records of another version are skipped; the monitor writes new ones."""

MONITOR_PARTITION = TopicPartition(MONITOR, 0)
MAX_MAILS = 2_000
"""Mails kept on the topic, over all partitions, besides those drawn for the audit."""

TOTALS, VIEW, CURVES = b"totals", b"view", b"curves"

Value: TypeAlias = MonitorTotals | View | Curves | MailRow | HistoryPoint
Kind = TypeVar("Kind", MonitorTotals, View, Curves, MailRow, HistoryPoint)

_DECODERS: dict[bytes, msgspec.json.Decoder[Value]] = {
    TOTALS: msgspec.json.Decoder(MonitorTotals),
    VIEW: msgspec.json.Decoder(View),
    CURVES: msgspec.json.Decoder(Curves),
    b"mail": msgspec.json.Decoder(MailRow),
    b"history": msgspec.json.Decoder(HistoryPoint),
}


class Envelope(msgspec.Struct, frozen=True):
    """The wrapper of every value on the topic."""

    format: int
    value: msgspec.Raw


class ViewRecord(NamedTuple):
    """A value of the topic, and the JSON that it was decoded from."""

    value: Value
    json: bytes


_envelope = msgspec.json.Decoder(Envelope)


def view_record(key: bytes, value: Value) -> ProducerRecord:
    """The record of a `value`, encoded as JSON, with a `key`, one of those above."""
    return ProducerRecord(MONITOR, key, encode(Envelope(FORMAT, msgspec.Raw(encode(value)))), partition=0)


def mail_records(mails: Iterable[ScoredMail], next_offsets: Mapping[int, int]) -> list[ProducerRecord]:
    """The records of those mails that still have a slot; `next_offsets` is the next offset of `emails` by partition.

    Mails drawn for the audit have slots of their own, because people label them later than most mails stay.
    """
    ring = MAX_MAILS // max(1, len(next_offsets))
    records: list[ProducerRecord] = []
    for mail in mails:
        place = mail.place
        if mail.audit_slot is not None:
            records.append(view_record(b"mail/audit/%d" % mail.audit_slot, mail_row(mail)))
        elif place.offset >= next_offsets[place.partition] - ring:
            records.append(view_record(b"mail/%d/%d" % (place.partition, place.offset % ring), mail_row(mail)))
    return records


def history_record(slot: int, point: HistoryPoint) -> ProducerRecord:
    """The record of a history point with this `slot` (0 or more) in the ring of its step."""
    return view_record(b"history/%d/%d" % (point.step_s, slot), point)


def decode_record(record: Record) -> ViewRecord:
    """The value of a record; raises BadRecord if its key or its format is unknown, or its value does not decode."""
    decoder = _DECODERS.get((record.key or b"").partition(b"/")[0])
    if decoder is None:
        raise BadRecord("bad-key", f"key {record.key!r:.80} of the monitor's view")
    try:
        envelope = _envelope.decode(record.value or b"")
    except UNDECODABLE as error:
        raise BadRecord("bad-format", f"{record.key!r:.80} is not of format {FORMAT}: {error}") from error
    if envelope.format != FORMAT:
        raise BadRecord("bad-format", f"{record.key!r:.80} is of format {envelope.format}, not {FORMAT}")
    json = bytes(envelope.value)
    try:
        return ViewRecord(decoder.decode(json), json)
    except UNDECODABLE as error:
        raise BadRecord("bad-json", f"{record.key!r:.80} of the monitor's view: {error}") from error


def read_last(log: Log, key: bytes, kind: type[Kind], skipped: SkippedRecords) -> Kind | None:
    """The newest value, of type `kind`, of a `key`, one of those above, or None, once the outputs of all commits can be
    read. Raises like `wait_for_outputs`. `skipped` counts the records that do not decode."""
    newest: Kind | None = None
    wait_for_outputs(log, [MONITOR_PARTITION])
    of_key = (record for record in log.scan(MONITOR_PARTITION) if record.key == key)
    for _, (value, _) in readable(of_key, decode_record, skipped):
        if isinstance(value, kind):
            newest = value
    return newest
