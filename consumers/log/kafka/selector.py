"""The selector with which the client waits for its sockets.

Before each wait kafka-python (3.0) asks for the key of a socket that is usually not registered, in order to register
it. The standard library raises an error whose text names both ends of the connection, which takes two system calls: at
100 mails a second this was a quarter of the writing thread's time.
"""

from __future__ import annotations

import selectors
from typing import Any


class QuickSelector(selectors.DefaultSelector):
    """The system's default selector, whose error for an unregistered socket is cheap."""

    def __init__(self) -> None:
        super().__init__()
        self._keys: dict[object, selectors.SelectorKey] = {}

    def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        """Also wait for `events` of `fileobj`; its key holds `data`."""
        key = self._keys[fileobj] = super().register(fileobj, events, data)
        return key

    def modify(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        """Wait for other `events` of `fileobj`, or change its `data`."""
        key = self._keys[fileobj] = super().modify(fileobj, events, data)
        return key

    def unregister(self, fileobj: Any) -> selectors.SelectorKey:
        """Stop waiting for `fileobj`."""
        self._keys.pop(fileobj, None)
        return super().unregister(fileobj)

    def get_key(self, fileobj: Any) -> selectors.SelectorKey:
        """The key of `fileobj`; raises KeyError if it is not registered."""
        return self._keys[fileobj]
