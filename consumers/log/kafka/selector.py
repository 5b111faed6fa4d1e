"""What the client waits with for its sockets.

Before each wait kafka-python (3.0) asks for the key of a socket that mostly is not registered, to register it. The
standard library answers with an error whose text names both ends of the connection, which takes two calls of the
system: at 100 mails a second that was a quarter of what the thread that writes takes.
"""

from __future__ import annotations

import selectors
from typing import Any


class QuickSelector(selectors.DefaultSelector):
    """The selector of this system; to be told that a socket is not registered costs no text about it."""

    def __init__(self) -> None:
        super().__init__()
        self._keys: dict[object, selectors.SelectorKey] = {}

    def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        """Wait for `events` of `fileobj`, too; its key has `data`."""
        key = self._keys[fileobj] = super().register(fileobj, events, data)
        return key

    def modify(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        """Wait for other `events` of `fileobj`, or change its `data`."""
        key = self._keys[fileobj] = super().modify(fileobj, events, data)
        return key

    def unregister(self, fileobj: Any) -> selectors.SelectorKey:
        """Wait for `fileobj` no longer."""
        self._keys.pop(fileobj, None)
        return super().unregister(fileobj)

    def get_key(self, fileobj: Any) -> selectors.SelectorKey:
        """The key of `fileobj`; raises KeyError where it is not waited for."""
        return self._keys[fileobj]
