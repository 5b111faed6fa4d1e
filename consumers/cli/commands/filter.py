"""`stream-nb filter`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import msgspec

from ..options import with_settings

if TYPE_CHECKING:
    from ...log.base import Log
    from ...settings import Settings


@click.command("filter")
@click.option(
    "--host", help="Address to listen on; other machines can send labels only with STREAM_NB_FILTER_PASSWORD."
)
@click.option("--port", type=click.IntRange(0, 65535), help="Port to listen on; 0 takes any free one.")
@with_settings
def command(settings: Settings, host: str | None, port: int | None) -> None:
    """Answer mail servers in rspamd's and SpamAssassin's protocols, until Ctrl-C.

    Each mail goes onto the log, and its prediction is the answer: start a worker with `stream-nb worker`.
    """
    from ...filter.server import FilterServer
    from ...records.setup import open_ready_log
    from ...runtime.log_lines import start_logging
    from ...runtime.shutdown import stop_on_signals

    given = {"host": host, "port": port}
    changes = {name: value for name, value in given.items() if value is not None}
    settings = msgspec.structs.replace(settings, filter=msgspec.structs.replace(settings.filter, **changes))

    def notify(text: str) -> None:
        click.echo(text, err=True)

    def open_log() -> Log:
        return open_ready_log(settings, notify, create=False)

    open_ready_log(settings, notify).close()
    start_logging("filter")  # a client that is closed at once calls its connections broken
    stop = stop_on_signals()
    server = FilterServer(open_log, settings)

    def ready() -> None:
        click.echo(f"filter: {settings.filter.host}:{server.port} on {settings.log}; Ctrl-C stops", err=True)

    server.run(stop, ready)
