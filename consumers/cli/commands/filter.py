"""`stream-nb filter`."""

from __future__ import annotations

from functools import partial

import click

from ...settings import Settings
from ..messages import say
from ..options import with_given, with_settings


@click.command("filter")
@click.option(
    "--host", help="Address to listen on; other machines can send labels only with STREAM_NB_FILTER_PASSWORD."
)
@click.option("--port", type=click.IntRange(0, 65535), help="Port to listen on; 0 uses any free one.")
@with_settings
def command(settings: Settings, host: str | None, port: int | None) -> None:
    """Answer mail servers in rspamd's and SpamAssassin's protocols until Ctrl-C.

    The filter writes each mail to the log and answers with its prediction; start a worker with `stream-nb worker`.
    """
    from ...filter.server import FilterServer
    from ...records.setup import open_ready_log
    from ...runtime.addresses import host_and_port
    from ...runtime.log_lines import start_logging
    from ...runtime.shutdown import stop_on_signals

    settings = with_given(settings, "filter", host=host, port=port)
    open_ready_log(settings, say).close()
    start_logging("filter")  # only now: a Kafka client that is closed at once logs its connections as broken
    stop = stop_on_signals()
    server = FilterServer(partial(open_ready_log, settings, say, create=False), settings)
    where = f"{host_and_port(settings.filter.host, server.port)} on {settings.log}"
    server.run(stop, lambda: say(f"filter: {where}; Ctrl-C stops"))
