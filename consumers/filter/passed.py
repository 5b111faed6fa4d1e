"""Which mails have passed: from the hash of a mail's content to the id it has on the log."""

from __future__ import annotations

import threading
from collections import OrderedDict

from .mail_id import content_of


class PassedMails:
    """The latest `remember` mails, written by one thread and read by another."""

    def __init__(self, remember: int) -> None:
        self._remember = remember
        self._ids: OrderedDict[str, str] = OrderedDict()
        self._lock = threading.Lock()

    def add(self, message_id: str) -> None:
        """A mail is on the log under this id; ids that are not ours are left out.

        Args:
            message_id: An id, of ours or not.
        """
        content = content_of(message_id)
        if content is None:
            return
        with self._lock:
            self._ids[content] = message_id
            self._ids.move_to_end(content)
            if len(self._ids) > self._remember:
                self._ids.popitem(last=False)

    def find(self, content: str) -> str | None:
        """The id of the latest mail with this content hash, or None.

        Args:
            content: What `content_of` gives.

        >>> passed = PassedMails(2)
        >>> for first in "abc":
        ...     passed.add(first * 32 + "." + "0" * 16)
        >>> passed.find("a" * 32), passed.find("c" * 32)
        (None, 'cccccccccccccccccccccccccccccccc.0000000000000000')
        """
        with self._lock:
            return self._ids.get(content)
