"""The mails that have passed: maps the hash of a mail's content to its id on the log."""

from __future__ import annotations

import threading
from collections import OrderedDict

from ..records.mail_id import content_of


class PassedMails:
    """The latest `remember` mails; one thread writes, another reads."""

    def __init__(self, remember: int) -> None:
        self._remember = remember
        self._ids: OrderedDict[str, str] = OrderedDict()
        self._lock = threading.Lock()

    def add(self, message_id: str) -> None:
        """Record that the mail `message_id` is on the log; ids without a content part are ignored."""
        content = content_of(message_id)
        if content is None:
            return
        with self._lock:
            self._ids[content] = message_id
            self._ids.move_to_end(content)
            if len(self._ids) > self._remember:
                self._ids.popitem(last=False)

    def find(self, content: str) -> str | None:
        """The id of the latest mail with this `content`, the hash in its id (`content_of`), or None.

        >>> passed = PassedMails(2)
        >>> for first in "abac":
        ...     passed.add(first * 32 + "." + "0" * 16)
        >>> passed.find("b" * 32), passed.find("a" * 32)
        (None, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.0000000000000000')
        """
        with self._lock:
            return self._ids.get(content)
