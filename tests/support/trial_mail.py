"""Generated mail as irregular as real streams: late, early, changed, withdrawn and invalid labels, duplicates."""

from __future__ import annotations

import time
from random import Random

from consumers.ingest.synthetic import synthetic_mails
from consumers.log.base import ProducerRecord
from consumers.records.schemas import EMAILS, LABELS, LabelRecord, encode

LABEL_DELAY = 30
"""The mean number of mails between a mail and its label."""


class TrialMail:
    """An endless stream of mails and their labels."""

    def __init__(self, draw: Random, seed: int) -> None:
        self._draw = draw
        self._items = synthetic_mails(1_000_000, seed)
        self._count = 0
        self._late: list[tuple[int, LabelRecord]] = []

    def late_labels(self) -> list[ProducerRecord]:
        """The labels that are not due yet."""
        return [_label(label) for _, label in self._late]

    def next_records(self) -> list[ProducerRecord]:
        """The next mail, and the labels that are due."""
        item = next(self._items)
        n, key = self._count, item.id.encode()
        self._count += 1
        late = self._late
        mail = ProducerRecord(EMAILS, key, item.value)
        label = LabelRecord(item.id, item.label, "feed", time.time())
        wrong = LabelRecord(item.id, "ham" if item.label == "spam" else "spam", "somebody", time.time())
        records = [mail]
        if n % 25 == 3:
            records.insert(0, _label(label))
        elif n % 20 == 5:
            late += [(n + 5, wrong), (n + LABEL_DELAY, label)]
        elif n % 20 == 11:
            late += [(n + 5, label), (n + LABEL_DELAY, LabelRecord(item.id, None, "feed", time.time()))]
        else:
            late.append((n + self._draw.randrange(2 * LABEL_DELAY), label))
        if n % 50 == 7:
            records.append(mail)
        if n % 100 == 9:
            records.append(ProducerRecord(LABELS, key, b"{broken"))
        due = [entry for entry in late if entry[0] <= n]
        for entry in due:
            late.remove(entry)
            records.append(_label(entry[1]))
        return records


def _label(label: LabelRecord) -> ProducerRecord:
    return ProducerRecord(LABELS, label.id.encode(), encode(label))
