"""`stream-nb monitor`."""

from __future__ import annotations

from functools import partial

import click

from ...settings import Settings
from ..messages import say
from ..options import with_given, with_settings


@click.command("monitor")
@click.option("--port", type=click.IntRange(0, 65535), help="Port of /metrics, /healthz and /readyz; 0 disables them.")
@with_settings
def command(settings: Settings, port: int | None) -> int:
    """Measure the model's quality until Ctrl-C; the next start resumes where it stopped.

    The monitor reads predictions and labels, and writes its figures to the log for dashboards. A process that fails is
    restarted from the log.
    """
    from ...monitor import process
    from ...records.setup import open_ready_log
    from ...runtime.shutdown import stop_on_signals
    from ...runtime.supervisor import supervise

    settings = with_given(settings, "monitor", port=port)
    stop = stop_on_signals()
    open_ready_log(settings, say).close()
    return supervise([partial(process.run, settings, notify=say)], stop, process.PRELOAD)
