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
    help="Days without a label before a mail is labelled; default: [silence] after_days.",
)
@with_settings
def command(settings: Settings, days: float | None) -> int:
    """Label mails as predicted if nobody complained about them, until Ctrl-C.

    A mail that was predicted with certainty on arrival, and that nobody has labelled for some days, gets the predicted
    class as a label of the source `silence`. Labels from people take precedence whenever they arrive, and quality
    figures ignore labels of silence. `stream-nb forget --source silence` withdraws all of them.
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
    say(f"silence: after {settings.silence.after_days:g} d, on {settings.log}; Ctrl-C stops")
    return supervise([partial(process.run, settings)], stop, process.PRELOAD)
