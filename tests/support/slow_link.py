"""A TCP proxy that lets only so many bytes a second through to the server."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import suppress

_PIECE = 4096


class SlowLink:
    """Listens on a free loopback port; what its clients send reaches `port` at `rate` bytes/s, all of them together."""

    def __init__(self, port: int, rate: float) -> None:
        self._target = ("127.0.0.1", port)
        self._rate = rate
        self._lock = threading.Lock()
        self._free_at = 0.0
        self.sent = 0
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = self._server.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Take no more connections."""
        self._server.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._server.accept()
                server = socket.create_connection(self._target)
                # With large buffers a client would believe that it has sent what is still on its way.
                client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2 * _PIECE)
                threading.Thread(target=self._copy, args=(client, server, self._wait), daemon=True).start()
                threading.Thread(target=self._copy, args=(server, client, lambda size: None), daemon=True).start()

    def _copy(self, source: socket.socket, target: socket.socket, wait) -> None:
        with suppress(OSError):
            while piece := source.recv(_PIECE):
                wait(len(piece))
                target.sendall(piece)
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _wait(self, size: int) -> None:
        with self._lock:
            self.sent += size
            now = time.monotonic()
            self._free_at = max(self._free_at, now) + size / self._rate
            pause = self._free_at - now
        time.sleep(pause)
