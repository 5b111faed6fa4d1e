"""`stream-nb label MESSAGE_ID LABEL`."""

from __future__ import annotations

import sys
import time
from typing import TextIO

import click

from ...settings import Settings
from ..messages import note, printable
from ..options import SourceType, Utf8Type, with_settings

SEARCHED = 100_000
"""Number of latest mails searched for the id, because labelling must not wait until a whole archive is read."""


@click.command("label")
@click.argument("message_id", type=Utf8Type())
@click.argument("label", type=Utf8Type(), metavar="spam|ham|...|none")
@click.option(
    "--source",
    type=SourceType(),
    default="user",
    show_default=True,
    help="Who labels: a person, a rule, a program.",
)
@click.option("--new-class", is_flag=True, help="Accept a new class without asking.")
@with_settings
def command(settings: Settings, message_id: str, label: str, source: str, new_class: bool) -> None:
    """Label a message with any class name, or with none to withdraw its label, whoever gave it.

    A worker learns the label when it reads it from the log; the latest label of a message counts. Angle brackets around
    the id are optional. A label may arrive before its mail; a note then says so. If the class is new and others exist,
    the command asks for confirmation on a terminal; elsewhere it prints a note.
    """
    import msgspec

    from ...errors import UserError
    from ...log.base import ProducerRecord
    from ...records.lookup import ID_BY_CONTENT, find_mail, strip_brackets
    from ...records.replay import classes_if_new
    from ...records.schemas import LABELS, LabelRecord, decode_label, encode
    from ...records.setup import open_existing_log

    record = LabelRecord(strip_brackets(message_id), None if label == "none" else label, source, time.time())
    decode_label(encode(record))  # raises BadRecord for one that no worker accepts
    with open_existing_log(settings) as log:
        found = find_mail(log, message_id, SEARCHED)
        if found is not None:
            record = msgspec.structs.replace(record, id=found.id)
        others = set[str]() if new_class or record.label is None else classes_if_new(log, {record.label})
        surprise = f"{label!r} is a new class; existing: {', '.join(sorted(others))}"
        stdin: TextIO | None = sys.stdin  # None if the caller has closed it
        can_ask = stdin is not None and stdin.isatty()
        if others and can_ask and not click.confirm(f"{surprise}. Create it?", err=True):
            raise UserError(f"nothing was labelled; --new-class creates the class {label!r} without asking")
        partition = None if found is None else found.place.partition
        log.append([ProducerRecord(LABELS, record.id.encode(), encode(record), partition)])
    said = "label withdrawn" if record.label is None else record.label
    click.echo(printable(f"{record.id}: {said}, from {source}"))
    if found is None:
        note(
            f"no mail {record.id!r} is among the latest {SEARCHED:,} on {settings.log}; the label waits for its mail "
            f"({ID_BY_CONTENT})"
        )
    if others and not can_ask:
        note(f"{surprise} (label the message again to change it; --new-class suppresses this note)")
