"""A TCP proxy that cuts connections."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress


class CuttingProxy:
    """Forwards connections to a port of 127.0.0.1, and cuts them when told to; `cut` counts the cuts."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.cut = 0
        self._limit: int | None = None
        self._until = 0
        self._lock = threading.Lock()
        self._open: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self._start(self._accept)

    def cut_after(self, bytes_each: int) -> None:
        """Cut the open connections, and each new one after `bytes_each` bytes to its client, until `heal_after`."""
        with self._lock:
            self._limit, self._until = bytes_each, 1 << 30
            self._end_all()

    def heal_after(self, connections: int) -> None:
        """Cut this number of further connections, and none after them."""
        with self._lock:
            self._until = self.cut + connections

    def close(self) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        with self._lock:
            self._end_all()
        for thread in self._threads:
            thread.join(60)

    def _end_all(self) -> None:
        for one in self._open:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        self._open = []

    def _start(self, target, *arguments) -> None:
        self._threads.append(threading.Thread(target=target, args=arguments, daemon=True))
        self._threads[-1].start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
                server = socket.create_connection(("127.0.0.1", self._target))
            except OSError:
                return
            with self._lock:
                self._open += [client, server]
            self._start(self._pass, client, server, False)
            self._start(self._pass, server, client, True)

    def _pass(self, source: socket.socket, target: socket.socket, counted: bool) -> None:
        passed = 0
        with suppress(OSError):
            while piece := source.recv(512):
                with self._lock:
                    limit = self._limit if self.cut < self._until else None
                    if counted and limit is not None and passed + len(piece) > limit:
                        self.cut += 1
                        break
                target.sendall(piece)
                passed += len(piece)
        for one in (source, target):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        if counted:
            for one in (source, target):
                one.close()
