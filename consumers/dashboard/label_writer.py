"""Labels given on the page, appended to the log like any other label."""

from __future__ import annotations

import time

from ..log.base import Log, ProducerRecord
from ..records.forget import records_to_forget
from ..records.schemas import LABELS, LabelRecord, decode_label, encode


class LabelWriter:
    """Appends labels in the name of `source`."""

    def __init__(self, log: Log, source: str) -> None:
        self._log = log
        self._source = source

    def append(self, message_id: str, label: str | None) -> LabelRecord:
        """Append a label (None: the mail shall have none); raises BadRecord for one that no worker would accept."""
        record = LabelRecord(message_id, label, self._source, time.time())
        value = encode(record)
        decode_label(value)
        self._log.append([ProducerRecord(LABELS, message_id.encode(), value)])
        return record

    def forget_source(self, source: str) -> int:
        """Take back all labels of a source; returns how many that were."""
        records = records_to_forget(self._log, source, None, 0.0, time.time())
        self._log.append(records)
        return len(records)
