"""Labels made on the page, appended to the log like any other label."""

from __future__ import annotations

import time

from ..log.base import Log, ProducerRecord
from ..records.forget import records_to_forget
from ..records.sanitize import show_safely
from ..records.schemas import LABELS, LabelRecord, decode_label, encode
from ..records.sources import SHOWN_SOURCE_CHARS, check_source


class LabelWriter:
    """Appends labels in the name of `source`."""

    def __init__(self, log: Log, source: str) -> None:
        self._log = log
        self._source = source

    def append(self, message_id: str, label: str | None, last_source: str, partition: int) -> LabelRecord:
        """Append a label; raises BadRecord for a label that no worker would accept, or an invalid source.

        `last_source` is the displayed name of the source that labelled the mail last. With `label` None, the mail gets
        no label; but if the last source is this one, its label is withdrawn instead, and those of others count again.

        Args:
            message_id: The mail's id, the key of its records.
            label: The class, or None.
            partition: The mail's partition.
        """
        check_source(self._source)
        forget = label is None and last_source == show_safely(self._source, SHOWN_SOURCE_CHARS)
        record = LabelRecord(message_id, label, self._source, time.time(), forget)
        value = encode(record)
        decode_label(value)
        self._log.append([ProducerRecord(LABELS, message_id.encode(), value, partition)])
        return record

    def forget_source(self, source: str) -> int:
        """Withdraw all labels of a source; returns their number.

        Args:
            source: The name of the source in its records.
        """
        records = records_to_forget(self._log, source, None, 0.0, time.time())
        self._log.append(records)
        return len(records)
