"""Labels made on the page, appended to the log like any other label."""

from __future__ import annotations

import time

from ..log.base import Log, ProducerRecord
from ..records.forget import records_to_forget
from ..records.schemas import LABELS, LabelRecord, decode_label, encode
from ..records.sources import check_source


class LabelWriter:
    """Appends labels in the name of `source`."""

    def __init__(self, log: Log, source: str) -> None:
        self._log = log
        self._source = source

    def append(self, message_id: str, label: str | None, forget: bool, partition: int) -> LabelRecord:
        """Append a label; raises BadRecord for a label that no worker would accept, or an invalid source.

        Args:
            message_id: The mail's id, the key of its records.
            label: The class; None: the mail has none.
            forget: Whether to withdraw the source's label, so that those of others count again.
            partition: The mail's partition.
        """
        check_source(self._source)
        record = LabelRecord(message_id, label, self._source, time.time(), forget)
        value = encode(record)
        decode_label(value)
        self._log.append([ProducerRecord(LABELS, message_id.encode(), value, partition)])
        return record

    def forget_source(self, source: str) -> int:
        """Withdraw all labels of `source`, the name in its records; returns their number."""
        records = records_to_forget(self._log, source, None, 0.0, time.time())
        self._log.append(records)
        return len(records)
