"""Mails that may be needed again: the latest in memory, all others read again from the log."""

from __future__ import annotations

from collections import OrderedDict

from stream_nb.types import Mail

from ..errors import BadRecord
from ..log.base import Log, TopicPartition
from ..records.messages import read_message
from ..records.schemas import EMAILS

CACHE_BYTES = 32 << 20


class MailCache:
    """Mails of one partition of `emails` by message id; reading one again gives the same parts."""

    def __init__(self, log: Log, partition: int, headers: str) -> None:
        self._log = log
        self._at = TopicPartition(EMAILS, partition)
        self._headers = headers
        self._recent: OrderedDict[str, tuple[Mail, int]] = OrderedDict()
        self._bytes = 0

    def put(self, message_id: str, mail: Mail) -> None:
        """Keep a mail at hand, at the price of the oldest ones."""
        size = sum([len(text) for _, text in mail.parts]) + sum([len(word) for word, _ in mail.words])
        self._recent[message_id] = (mail, size)
        self._bytes += size
        while self._bytes > CACHE_BYTES:
            self._bytes -= self._recent.popitem(last=False)[1][1]

    def get(self, message_id: str, next_offset: int) -> Mail:
        """The mail that ends at `next_offset`; raises BadRecord('mail-gone') when the log no longer keeps it."""
        if message_id in self._recent:
            return self._recent[message_id][0]
        record = self._log.read_at(self._at, next_offset - 1)
        if record is None:
            raise BadRecord("mail-gone", f"{self._at}@{next_offset - 1} of {message_id[:80]!r} is no longer kept")
        mail = read_message(record, self._headers).mail
        self.put(message_id, mail)
        return mail
