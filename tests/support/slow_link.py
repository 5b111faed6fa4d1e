"""A TCP proxy with limited bandwidth."""

from __future__ import annotations

import math
import socket
import threading
import time
from contextlib import suppress

_PIECE = 4096


class SlowLink:
    """Listens on a free loopback port, and forwards what all clients together send to `port` at `rate` bytes/s, and
    replies at `back` bytes/s."""

    def __init__(self, port: int, rate: float = math.inf, back: float = math.inf) -> None:
        self._target = ("127.0.0.1", port)
        self._there, self._back = _Way(rate), _Way(back)
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = self._server.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def sent(self) -> int:
        """Number of bytes that clients have sent."""
        return self._there.bytes

    def close(self) -> None:
        """Accept no more connections."""
        self._server.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._server.accept()
                server = socket.create_connection(self._target)
                # With large buffers a client would count bytes as sent that are still on their way.
                client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2 * _PIECE)
                threading.Thread(target=self._copy, args=(client, server, self._there), daemon=True).start()
                threading.Thread(target=self._copy, args=(server, client, self._back), daemon=True).start()

    def _copy(self, source: socket.socket, target: socket.socket, way: _Way) -> None:
        with suppress(OSError):
            while piece := source.recv(_PIECE):
                way.take(len(piece))
                target.sendall(piece)
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


class _Way:
    """One direction of the link."""

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._lock = threading.Lock()
        self._free_at = 0.0
        self.bytes = 0

    def take(self, size: int) -> None:
        """Wait as long as the transfer of this number of bytes takes."""
        with self._lock:
            self.bytes += size
            now = time.monotonic()
            self._free_at = max(self._free_at, now) + size / self._rate
            pause = self._free_at - now
        time.sleep(pause)
