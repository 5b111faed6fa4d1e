"""A cache of mails that may be needed again: the latest ones are in memory, all others are read from the log."""

from __future__ import annotations

from collections import OrderedDict

from stream_nb.types import Mail

from ..errors import BadRecord
from ..log.base import Log, TopicPartition
from ..records.messages import read_message
from ..records.schemas import EMAILS

CACHE_BYTES = 32 << 20
"""Most bytes of one cache."""
ALL_BYTES = 128 << 20
"""Most bytes of all caches of a process, which has one for each of its partitions, and may have hundreds."""
_MAIL_BYTES = 300
_PART_BYTES = 150
_FEATURE_BYTES = 100
"""Approximate sizes of the objects without their text, which are most of a short mail."""


class MailCache:
    """Mails of one partition of `emails` by offset; a mail that is read again has the same parts.

    An id would not do: once it is forgotten, another mail may have it. The process has so many `caches`, one for each
    `partition`; `headers` is ``keep`` or ``safe``, as in `[learner] headers`.
    """

    def __init__(self, log: Log, partition: int, headers: str, caches: int = 1) -> None:
        self._log = log
        self._place = TopicPartition(EMAILS, partition)
        self._headers = headers
        self._latest: OrderedDict[int, tuple[Mail, int]] = OrderedDict()
        self._bytes = 0
        self._most = min(CACHE_BYTES, ALL_BYTES // caches)

    def put(self, next_offset: int, mail: Mail, nbytes: int) -> None:
        """Keep a mail in memory, by `next_offset`, the offset after its own on `emails`; the oldest mails are evicted
        when the cache is full. `nbytes` is the size of its record, which approximates that of its texts and names."""
        size = nbytes + _MAIL_BYTES + _PART_BYTES * len(mail.parts)
        size += _FEATURE_BYTES * (len(mail.words) + len(mail.features))
        self._bytes += size - self._latest.pop(next_offset, (mail, 0))[1]
        self._latest[next_offset] = (mail, size)
        while self._bytes > self._most:
            self._bytes -= self._latest.popitem(last=False)[1][1]

    def get(self, message_id: str, next_offset: int) -> Mail:
        """The mail `message_id` with this `next_offset` on `emails` (1 or more), from memory or else from the log.

        Raises:
            BadRecord: `mail-gone` if the mail is no longer on the log; or it cannot be read (see `read_message`).
        """
        if next_offset in self._latest:
            return self._latest[next_offset][0]
        record = self._log.read_at(self._place, next_offset - 1)
        if record is None:
            raise BadRecord("mail-gone", f"{self._place}@{next_offset - 1} of {message_id[:80]!r} is no longer kept")
        if record.key not in (None, message_id.encode()):
            raise BadRecord("mail-gone", f"{self._place}@{next_offset - 1} of {message_id[:80]!r} is another mail now")
        mail = read_message(record, self._headers).mail
        self.put(next_offset, mail, len(record.value or b""))
        return mail
