"""`stream-nb label MESSAGE_ID LABEL`."""

from __future__ import annotations

import time

import click

from consumers.commands.options import with_settings


@click.command("label")
@click.argument("message_id")
@click.argument("label", metavar="spam|ham|...|none")
@click.option("--source", default="user", show_default=True, help="Who says so.")
@with_settings
def command(settings, message_id: str, label: str, source: str) -> None:
    """Append a label to the log: any class name, or none to withdraw it.

    The model learns it when a worker reads it; the latest label of a message counts.
    """
    from consumers.errors import Unusable, UserError
    from consumers.log.base import Draft
    from consumers.opening import open_ready_log
    from consumers.records import LABELS, LabelRecord, decode_label, encode

    record = LabelRecord(message_id, None if label == "none" else label, source, time.time())
    value = encode(record)
    try:
        decode_label(value)
    except Unusable as error:
        raise UserError(error.detail) from error
    with open_ready_log(settings, say=click.echo) as log:
        log.append([Draft(LABELS, message_id.encode(), value)])
    click.echo(f"{message_id} is {label}, says {source}")
