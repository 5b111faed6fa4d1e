"""`stream-nb worker`."""

from __future__ import annotations

from functools import partial

import click

from ...records.number_text import many
from ...settings import Settings
from ..messages import say
from ..numeric import count
from ..options import with_settings


@click.command("worker")
@click.option(
    "--processes", type=count(1, 1_000), default=1, show_default=True, help="Number of processes; 1 on SQLite."
)
@with_settings
def command(settings: Settings, processes: int) -> int:
    """Score mails and learn labels until Ctrl-C; the next start resumes where it stopped.

    A process that fails is restarted from the log. On Kafka, workers share the partitions, and each scores with the
    sum of what all have learned. SQLite has one partition and therefore one worker.
    """
    from ...errors import UserError
    from ...records.setup import open_ready_log
    from ...runtime.shutdown import stop_on_signals
    from ...runtime.supervisor import supervise
    from ...worker import process
    from ..worker_start import WorkerStart

    if processes > 1 and settings.log.startswith("sqlite:"):
        raise UserError(
            f"--processes {processes} on {settings.log}: SQLite has one partition and therefore one worker; "
            "leave out --processes, or use Kafka"
        )
    stop = stop_on_signals()
    process.check_start(settings, processes)
    open_ready_log(settings, say).close()
    say(f"worker: {many(processes, 'process', 'processes')} on {settings.log}; Ctrl-C stops")
    with WorkerStart(settings) as start:
        return supervise([partial(process.run, settings)] * processes, stop, process.PRELOAD, started=start.end)
