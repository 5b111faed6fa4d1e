"""The dashboard's HTTP server."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable

import uvicorn

from ..log.base import Log
from ..records.sources import check_own_source
from ..runtime.addresses import host_and_port
from ..runtime.listening_socket import BACKLOG, open_socket
from ..settings import Settings
from .app import create_app
from .limits import Limits, limited


def _is_not_cancelled(record: logging.LogRecord) -> bool:
    """False for uvicorn's log records about requests that are cancelled because the server stops."""
    return record.exc_info is None or not isinstance(record.exc_info[1], asyncio.CancelledError)


class DashboardServer:
    """Serves the page on `settings.dashboard.host` and `port` (0: any free one; `port` then has its number).

    `open_log` is called in each thread that uses the log, and again after a fault.
    """

    def __init__(self, open_log: Callable[[], Log], settings: Settings) -> None:
        check_own_source(settings.dashboard.source, "[dashboard] source")
        host, port = settings.dashboard.host, settings.dashboard.port
        self._streams_stop = threading.Event()
        limits = Limits()
        app = create_app(open_log, settings, self._streams_stop, limits)
        self._socket = open_socket(
            host, port, f"dashboard {host_and_port(host, port)}", "choose another --host or --port"
        )
        self._socket.listen(BACKLOG)  # a browser that is already there waits for the server
        self.port: int = self._socket.getsockname()[1]
        self.url = f"http://{host_and_port(host, self.port)}/"
        config = uvicorn.Config(
            app,
            http=limited(limits),
            log_level="error",  # uvicorn warns once per bad request, so a stranger could fill the disk
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=3,
            limit_concurrency=1_000,
        )
        logging.getLogger("uvicorn.error").addFilter(_is_not_cancelled)
        self._server = uvicorn.Server(config)

    def run(self, stop: threading.Event) -> None:
        """Serve until `stop` is set; the caller handles signals."""
        # Outside the main thread uvicorn does not install signal handlers. A second Ctrl-C ends this thread only, and
        # the process would wait for another one unless that is a daemon.
        server = threading.Thread(target=self._server.run, args=([self._socket],), name="dashboard", daemon=True)
        server.start()
        while server.is_alive() and not stop.wait(0.2):
            pass
        # End the viewers' event streams first; otherwise the server waits and then cuts them off with a traceback.
        self._streams_stop.set()
        self._server.should_exit = True
        server.join()
        self._socket.close()
