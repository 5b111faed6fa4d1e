"""`stream-nb forget`."""

from __future__ import annotations

import datetime
import time

import click

from ..options import note, with_settings


@click.command("forget")
@click.option("--source", help="Take back every label of this source.")
@click.option("--since", metavar="TIME", help="With --source: only labels said at or after this time (ISO 8601).")
@click.option("--message", metavar="ID", help="Take back every label of this message.")
@with_settings
def command(settings, source: str | None, since: str | None, message: str | None) -> None:
    """Take back what a source, or one message's labels, has taught, as ordinary label records.

    What others said of the same messages counts again. Angle brackets around an id are optional.
    """
    from ...errors import UserError
    from ...records.forget import records_to_forget
    from ...records.setup import open_ready_log

    if (source is None) == (message is None):
        raise UserError("forget: give --source NAME or --message ID, one of them")
    if since is not None and source is None:
        raise UserError("forget: --since goes with --source")
    try:
        after = datetime.datetime.fromisoformat(since).timestamp() if since else 0.0
    except ValueError as error:
        raise UserError(f"forget: --since {since!r} is not an ISO 8601 time such as 2026-11-21T06:00") from error
    with open_ready_log(settings, notify=click.echo) as log:
        drafts = records_to_forget(log, source=source, message=message, since=after, now=time.time())
        log.append(drafts)
    if not drafts:
        name = f"of {message!r}" if source is None else f"by {source!r}"
        note(f"no label {name} stands on {settings.log}")
    click.echo(f"{len(drafts)} labels taken back; workers unlearn them as they read on")
