"""Serves /healthz, /readyz and /metrics of a process, for probes and Prometheus."""

from __future__ import annotations

import socket
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from socketserver import ThreadingTCPServer
from typing import Any

from prometheus_client import CollectorRegistry
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

from ..errors import UserError
from .addresses import address_family, host_and_port

LONGEST_TURN_S = 60.0
"""A loop that has not ended a turn for this long counts as dead."""
IDLE_S = 10.0
"""A client that sends or reads nothing for this long is disconnected, because each client uses a thread."""
MOST_CONNECTIONS = 50
"""Above this the oldest connection is closed, so that a client that holds connections can neither keep probes out nor
use up threads and files."""


class Pulse:
    """Tells whether a loop is alive: its last turn (or the creation of this object) was not more than `limit_s` seconds
    ago by `clock`, which is monotonic."""

    def __init__(self, limit_s: float = LONGEST_TURN_S, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit_s = limit_s
        self._clock = clock
        self._last = clock()
        self.ready = False

    def beat(self, ready: bool) -> None:
        """Record the end of a turn; `ready` tells whether the loop is working on its assignment."""
        self._last = self._clock()
        self.ready = ready

    @property
    def alive(self) -> bool:
        """Whether the last turn ended within the limit."""
        return self._clock() - self._last <= self._limit_s


class HealthServer:
    """Answers GET /healthz (alive?), /readyz (ready?) and /metrics from a background thread.

    /healthz and /readyz answer 200 for yes, 503 for no.

    Args:
        host: Name or address of this machine to listen on; 127.0.0.1 can be reached from this machine only.
        port: 0 to 65535; 0 picks any free port, see `self.port`.
        pulse: Whether the process is alive and ready.
        registry: The metrics, collected anew for each answer.
        setting: The names of the settings of host and port, for errors.

    Raises:
        UserError: The port is in use or invalid, or the host is not this machine.
    """

    def __init__(self, host: str, port: int, pulse: Pulse, registry: CollectorRegistry, setting: str) -> None:
        try:
            self._server = _Server((host, port), _handler(pulse, registry))
        except (OSError, OverflowError) as error:
            why = error.strerror if isinstance(error, OSError) else "ports end at 65535"
            raise UserError(
                f"health port {host_and_port(host, port)}: {why}; choose another one with {setting}"
            ) from error
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, name="health", daemon=True).start()

    def close(self) -> None:
        """Stop answering."""
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingTCPServer):
    """Not a `ThreadingHTTPServer`, which looks up the name of this machine: without DNS that takes seconds."""

    allow_reuse_address = daemon_threads = True

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        self._open: dict[socket.socket, None] = {}  # oldest first
        self._lock = threading.Lock()
        self.address_family = address_family(*address)
        super().__init__(address, handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer in a new thread, and close the oldest connection if there are too many."""
        with self._lock:
            self._open[request] = None
            if len(self._open) > MOST_CONNECTIONS:
                oldest = next(iter(self._open))
                del self._open[oldest]
                with suppress(OSError):  # it is closed already
                    oldest.shutdown(socket.SHUT_RDWR)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """Close a connection, and stop counting it."""
        with self._lock:
            self._open.pop(request, None)
        super().shutdown_request(request)

    def handle_error(self, request: object, client_address: object) -> None:
        """Print no traceback for a client that has disconnected: strangers could fill the disk with them."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)  # pyright: ignore[reportArgumentType]


def _handler(pulse: Pulse, registry: CollectorRegistry) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        timeout = IDLE_S

        def do_GET(self) -> None:
            if self.path == "/metrics":
                self._answer(200, CONTENT_TYPE_LATEST, generate_latest(registry))
            elif self.path == "/healthz":
                self._answer_probe(pulse.alive)
            elif self.path == "/readyz":
                self._answer_probe(pulse.alive and pulse.ready)
            else:
                self._answer(404, "text/plain", b"/healthz, /readyz, /metrics\n")

        def _answer_probe(self, good: bool) -> None:
            self._answer(200 if good else 503, "text/plain", b"ok\n" if good else b"not yet\n")

        def _answer(self, status: int, kind: str, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Log nothing, because probes arrive every few seconds."""

    return Handler
