"""Search over all remembered mails, not only those that a page holds."""

from __future__ import annotations

import heapq
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from operator import itemgetter
from typing import NamedTuple

import msgspec

from ..errors import BadRecord
from ..log.base import Log, Record, TopicPartition
from ..log.ends import partition_shrank
from ..model.ledger import LearnedLabel
from ..records.schemas import LABELS, PREDICTIONS, PredictionRecord, read_label, read_prediction
from ..records.skipped import SkippedRecords
from ..records.values import Number
from .figures.joiner import LabelJoiner, ScoredMail
from .latest import first_offsets
from .mail_row import MailRow, mail_row
from .state import REMEMBER

FOUND_ROWS = 100


class SearchQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A search; a mail must match all criteria.

    Args:
        text: Words separated by spaces, each of which must occur in the subject, sender, id or label source; case is
            ignored.
        label: The predicted label; None: any.
        true_label: The given label; empty: mails without one; None: any.
        wrong: Only mails whose predicted label differs from the given one.
        id: The complete message id; empty: any.
        skip: How many of the newest matches to leave out of the rows, for the next page of results.
    """

    text: str = ""
    label: str | None = None
    true_label: str | None = None
    wrong: bool = False
    id: str = ""
    skip: Number = 0


class SearchResult(msgspec.Struct, frozen=True):
    """`rows` are the newest of the `found` matches after the skipped ones, at most 100; `remembered` mails were
    searched."""

    found: int
    remembered: int
    rows: list[MailRow]


class LabelledMail(NamedTuple):
    """A mail's prediction on arrival, and its current label."""

    prediction: PredictionRecord
    true_label: str


class MailSearch:
    """The latest `remember` predictions on a log with their labels; each call reads the new records first, and raises
    Restart if their topic was created anew."""

    def __init__(self, log: Log, remember: int = REMEMBER) -> None:
        self._log = log
        self._joiner = LabelJoiner(remember)
        self._texts: OrderedDict[str, str] = OrderedDict()
        self._remember = remember
        self._skipped = SkippedRecords()
        self._keep = {PREDICTIONS: remember, LABELS: 2 * remember}
        self._next_offsets: dict[TopicPartition, int] = {}

    def search(self, query: SearchQuery) -> SearchResult:
        """The matching mails, newest first. The rows have no learned labels (`with_learned`)."""
        self._follow()
        words = query.text.lower().split()
        found = [mail for mail in self._candidates(query.id) if self._fits(mail, query, words)]
        found.sort(key=lambda mail: -mail.prediction.arrived_at)
        rows = [mail_row(mail) for mail in found[query.skip : query.skip + FOUND_ROWS]]
        return SearchResult(len(found), len(self._joiner.mails), rows)

    def mails(self) -> list[ScoredMail]:
        """All remembered mails, oldest first."""
        self._follow()
        return list(self._joiner.mails.values())

    def labelled(self, most: int) -> list[LabelledMail]:
        """The `most` latest remembered mails that have a label, newest first."""
        self._follow()
        mails = self._joiner.mails.values()
        found = (LabelledMail(mail.prediction, mail.true_label) for mail in mails if mail.true_label is not None)
        return heapq.nlargest(most, found, key=lambda mail: mail.prediction.arrived_at)

    def find(self, message_id: str) -> MailRow | None:
        """The remembered mail with the id `message_id`, or None."""
        self._follow()
        mail = self._joiner.mails.get(message_id)
        return None if mail is None else mail_row(mail)

    def _candidates(self, message_id: str) -> Iterable[ScoredMail]:
        """The remembered mails, the newest first; only the one with this id unless it is empty."""
        if not message_id:
            return reversed(self._joiner.mails.values())
        mail = self._joiner.mails.get(message_id)
        return () if mail is None else (mail,)

    def _fits(self, mail: ScoredMail, query: SearchQuery, words: list[str]) -> bool:
        prediction, true_label = mail.prediction, mail.true_label
        if query.label is not None and prediction.label != query.label:
            return False
        if query.true_label is not None and (true_label or "") != query.true_label:
            return False
        if query.wrong and (true_label is None or true_label == prediction.label):
            return False
        text = self._texts[prediction.id]
        return all(word in text or word in mail.source.lower() for word in words)

    def _follow(self) -> None:
        for record in self._new_records():
            try:
                if record.topic == LABELS:
                    self._joiner.add_label(read_label(record), record.timestamp)
                else:
                    self._add(ScoredMail(read_prediction(record), 0.0))
            except BadRecord as error:
                if record.topic == PREDICTIONS:  # the worker quarantines bad labels
                    self._skipped.skip(record, error)

    def _new_records(self) -> list[Record]:
        """The latest of the new records, predictions before labels, those of all partitions together in order of time.

        Otherwise only the mails of the partition read last would be remembered.
        """
        found: list[Record] = []
        for topic, keep in self._keep.items():
            timed: list[tuple[float, Record]] = []
            ends = {place: self._log.end_offset(place) for place in self._log.places(topic)}
            for place, first in first_offsets(self._log, ends, keep).items():
                read_to, end, timestamp = self._next_offsets.get(place, 0), ends[place], 0.0
                if end < read_to:
                    raise partition_shrank(place, end, read_to)
                first = max(first, read_to)
                if first >= end:
                    continue
                for record in self._log.scan(place, first):
                    timestamp = max(timestamp, record.timestamp)
                    timed.append((timestamp, record))
                    end = max(end, record.offset + 1)
                self._next_offsets[place] = end
                timed.sort(key=itemgetter(0))
                del timed[:-keep]
            found += [record for _, record in timed]
        return found

    def _add(self, mail: ScoredMail) -> None:
        prediction = mail.prediction
        if self._joiner.add_mail(mail):
            self._texts[prediction.id] = f"{prediction.subject}\n{prediction.sender}\n{prediction.id}".lower()
        while len(self._texts) > self._remember:
            self._texts.popitem(last=False)


def with_learned(result: SearchResult, learned: Mapping[str, LearnedLabel]) -> SearchResult:
    """The result, whose rows have none, with the labels that the model has learned, by message id (`learned`)."""
    rows = [
        msgspec.structs.replace(row, learned_label=one.label, learned_at=one.timestamp, capped=one.capped)
        if (one := learned.get(row.id)) is not None
        else row
        for row in result.rows
    ]
    return SearchResult(result.found, result.remembered, rows)
