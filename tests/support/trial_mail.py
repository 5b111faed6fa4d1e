"""Generated mail as irregular as real streams: late, early, changed, withdrawn and invalid labels, duplicates.

Every third mail has numbers and a category, and few mails are of a third class.
"""

from __future__ import annotations

import time
from random import Random

from consumers.ingest.feeder import Item
from consumers.ingest.synthetic import synthetic_mails
from consumers.log.base import ProducerRecord
from consumers.records.schemas import EMAILS, LABELS, LabelRecord, MailRecord, encode

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
        item, n = next(self._items), self._count
        if n % 3 == 0:
            item = item._replace(value=self._with_features(item))
        if n % 23 == 0:
            item = item._replace(label="news")
        key = item.id.encode()
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

    def _with_features(self, item: Item) -> bytes:
        size = self._draw.lognormvariate(8.0 if item.label == "spam" else 9.0, 1.0)
        features = {"size": size, "hour": self._draw.randrange(24), "kind": self._draw.choice(("html", "plain", None))}
        return encode(MailRecord(item.id, item.value.decode("utf-8", "replace"), features=features))


def _label(label: LabelRecord) -> ProducerRecord:
    return ProducerRecord(LABELS, label.id.encode(), encode(label))
