"""`stream-nb combiner`."""

from __future__ import annotations

from functools import partial

import click

from ...settings import Settings
from ..messages import say
from ..options import with_settings


@click.command("combiner")
@with_settings
def command(settings: Settings) -> int:
    """Add up the workers' deltas until Ctrl-C, for processes that follow sums.

    Each worker applies what the others learn. With thousands of labels per second, applying sums costs less: set
    `[learner] follow = "sums"` for all processes, and run one combiner. On Kafka, a second one takes over when the
    first ends. Without a combiner, such processes see the labels of others only late, for example when they start.
    """
    from ...combiner import process
    from ...records.setup import open_ready_log
    from ...runtime.shutdown import stop_on_signals
    from ...runtime.supervisor import supervise

    stop = stop_on_signals()
    open_ready_log(settings, say).close()
    say(f"combiner on {settings.log}; Ctrl-C stops")
    return supervise([partial(process.run, settings)], stop, process.PRELOAD)
