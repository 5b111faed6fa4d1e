"""`stream-nb dashboard`."""

from __future__ import annotations

from functools import partial

import click
import msgspec

from ...settings import Settings
from ..options import child_option, with_settings


@click.command("dashboard")
@click.option("--host", help="Address to serve on; another one than loopback needs STREAM_NB_DASHBOARD_TOKEN.")
@click.option("--port", type=click.IntRange(0, 65535), help="Port to serve on; 0 takes any free one.")
@click.option("--source", help="Source of the labels that the page's buttons give.")
@child_option
@with_settings
def command(settings: Settings, host: str | None, port: int | None, source: str | None, child: bool) -> None:
    """Serve the page with live figures and label buttons, until Ctrl-C.

    The figures come from a monitor on the same log; start one with `stream-nb monitor`.
    """
    from ...dashboard.server import DashboardServer
    from ...records.setup import open_ready_log
    from ...runtime.shutdown import stop_on_signals, stop_with_parent

    given = {"host": host, "port": port, "source": source}
    changes = {name: value for name, value in given.items() if value is not None}
    settings = msgspec.structs.replace(settings, dashboard=msgspec.structs.replace(settings.dashboard, **changes))

    def open_log():
        return open_ready_log(settings, say)

    stop = stop_with_parent() if child else stop_on_signals()
    say = (lambda text: None) if child else partial(click.echo, err=True)
    server = DashboardServer(open_log, settings)
    open_log().close()
    say(f"dashboard: {server.url}{'?token=...' if settings.dashboard.token else ''}; Ctrl-C stops")
    server.run(stop)
