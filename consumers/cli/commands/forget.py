"""`stream-nb forget`."""

from __future__ import annotations

import datetime
import math
import time

import click

from ...settings import Settings
from ..messages import note
from ..options import with_settings


@click.command("forget")
@click.option("--source", help="Withdraw the labels of this source.")
@click.option("--since", metavar="TIME", help="With --source: only labels since a local time, as in 2026-11-21T06:00.")
@click.option("--message", metavar="ID", help="Withdraw all labels of this message.")
@with_settings
def command(settings: Settings, source: str | None, since: str | None, message: str | None) -> None:
    """Withdraw the labels of one source or of one message.

    Labels of other sources for the same messages count again. Workers unlearn the labels when they read the
    withdrawals from the log. Angle brackets around an id are optional.
    """
    from ...errors import UserError
    from ...records.forget import records_to_forget
    from ...records.number_text import many
    from ...records.setup import open_existing_log

    if (source is None) == (message is None):
        raise UserError("forget: give either --source NAME or --message ID")
    if since is not None and source is None:
        raise UserError("forget: --since needs --source NAME")
    try:
        after = datetime.datetime.fromisoformat(since).timestamp() if since is not None else -math.inf
    except ValueError as error:
        raise UserError(f"forget: --since {since!r} is not an ISO 8601 time such as 2026-11-21T06:00") from error
    with open_existing_log(settings) as log:
        records = records_to_forget(log, source=source, message=message, since=after, now=time.time())
        log.append(records)
    if not records:
        which = f"of message {message!r}" if source is None else f"from source {source!r}"
        which += f" since {since}" if since else ""
        note(f"no label {which} is on {settings.log}")
    effect = "; workers unlearn what they taught when they read this" if records else ""
    click.echo(f"{many(len(records), 'label')} withdrawn{effect}")
