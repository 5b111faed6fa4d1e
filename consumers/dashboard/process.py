"""A dashboard process, run by `stream-nb dashboard`, and by the demo under a supervisor."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from threading import Event

from ..settings import Settings

PRELOAD = f"{__package__}.server"
"""The module to import before the process is forked (`supervise`)."""


def run(settings: Settings, stop: Event, notify: Callable[[str], None] = lambda text: None) -> None:
    """Serve the page until `stop` is set; `notify` is called with a message for the user at the start.

    Raises UserError if the port is in use, and LogUnavailable if the log cannot be reached.
    """
    # Imported here, because the supervisor imports this module and must stay small.
    from ..records.setup import open_ready_log
    from ..runtime.log_lines import start_logging
    from .server import DashboardServer

    server = DashboardServer(partial(open_ready_log, settings, notify, create=False), settings)
    open_ready_log(settings, notify).close()
    start_logging("dashboard")  # only now: a Kafka client that is closed at once logs its connections as broken
    notify(f"dashboard: {server.url}{'?token=...' if settings.dashboard.token else ''}; Ctrl-C stops")
    server.run(stop)
