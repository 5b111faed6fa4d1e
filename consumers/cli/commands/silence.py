"""`stream-nb silence`."""

from __future__ import annotations

from functools import partial

import click

from ...settings import Settings
from ..messages import say
from ..numeric import FiniteRange
from ..options import with_given, with_settings


@click.command("silence")
@click.option(
    "--days",
    type=FiniteRange(min=0, min_open=True),
    help="How long nobody labelled a mail, in days; default: [silence] after_days.",
)
@with_settings
def command(settings: Settings, days: float | None) -> int:
    """Label mails that nobody complained about as they were predicted, until Ctrl-C.

    A mail whose class was sure when it arrived, and that nobody has labelled for some days, gets that class as a label
    of the source `silence`. What people say counts before it, whenever they say it, and figures of how good the filter
    is leave it out. `stream-nb forget --source silence` takes all these labels back.
    """
    from ...records.setup import open_ready_log
    from ...runtime.shutdown import stop_on_signals
    from ...runtime.supervisor import supervise
    from ...silence import process
    from ...silence.stage import check_days

    settings = with_given(settings, "silence", after_days=days)
    check_days(settings)
    stop = stop_on_signals()
    open_ready_log(settings, say).close()
    say(f"silence: after {settings.silence.after_days:g} days, on {settings.log}; Ctrl-C stops")
    return supervise([partial(process.run, settings)], stop, process.PRELOAD)
