"""`stream-nb label MESSAGE_ID LABEL`."""

from __future__ import annotations

import sys
import time

import click

from ...settings import Settings
from ..messages import note, printable, say
from ..options import SourceType, Utf8Type, with_settings

SEARCHED = 100_000
"""How many of the latest mails are searched for the id: a label must not wait for a whole archive to be read."""


@click.command("label")
@click.argument("message_id", type=Utf8Type())
@click.argument("label", type=Utf8Type(), metavar="spam|ham|...|none")
@click.option(
    "--source",
    type=SourceType(),
    default="user",
    show_default=True,
    help="Who gives the label: a person, a rule, a program.",
)
@click.option("--new-class", is_flag=True, help="The class is meant to be new: do not ask.")
@with_settings
def command(settings: Settings, message_id: str, label: str, source: str, new_class: bool) -> None:
    """Put a label on the log: the name of any class, or none to withdraw what the message is called.

    A worker learns the label when it reads it; the latest label of a message counts. Angle brackets around the id are
    optional. A label may come before its mail: a note then says so. For a class that no label has named so far, where
    others are named, you are asked on a terminal; elsewhere a note says so.
    """
    import msgspec

    from ...errors import BadRecord, UserError
    from ...log.base import ProducerRecord
    from ...records.lookup import ID_BY_CONTENT, find_mail, strip_brackets
    from ...records.replay import classes_without
    from ...records.schemas import LABELS, LabelRecord, decode_label, encode
    from ...records.setup import open_ready_log

    record = LabelRecord(strip_brackets(message_id), None if label == "none" else label, source, time.time())
    try:
        decode_label(encode(record))
    except BadRecord as error:
        raise UserError(error.detail) from error
    with open_ready_log(settings, say) as log:
        found = find_mail(log, message_id, SEARCHED)
        if found is not None:
            record = msgspec.structs.replace(record, id=found.id)
        others = set[str]() if new_class or record.label is None else classes_without(log, {record.label})
        surprise = f"{label!r} is a new class; so far there are {', '.join(sorted(others))}"
        if others and sys.stdin.isatty() and not click.confirm(f"{surprise}. Is it meant?", err=True):
            raise UserError(f"nothing was labelled; --new-class gives the class {label!r} without a question")
        log.append([ProducerRecord(LABELS, record.id.encode(), encode(record))])
    said = "label withdrawn" if record.label is None else record.label
    click.echo(printable(f"{record.id}: {said}, from {source}"))
    if found is None:
        note(
            f"no mail {record.id!r} is among the latest {SEARCHED:,} on {settings.log}; the label waits for its mail "
            f"({ID_BY_CONTENT})"
        )
    if others and not sys.stdin.isatty():
        note(f"{surprise} (label it again to change it, --new-class if it is meant)")
