"""`stream-nb label MESSAGE_ID LABEL`."""

from __future__ import annotations

import time

import click

from ..options import note, with_settings

SEARCHED = 100_000
"""Of the mails on the log so many, the latest, are searched for the id: a label must not wait for a whole archive."""


@click.command("label")
@click.argument("message_id")
@click.argument("label", metavar="spam|ham|...|none")
@click.option("--source", default="user", show_default=True, help="Who says so.")
@with_settings
def command(settings, message_id: str, label: str, source: str) -> None:
    """Append a label to the log: any class name, or none to withdraw it.

    The model learns it when a worker reads it; the latest label of a message counts. Angle brackets around the id are
    optional. A label may come before its mail and a class may be new: both are taken, and said.
    """
    import msgspec

    from ...errors import BadRecord, UserError
    from ...log.base import ProducerRecord
    from ...records.lookup import find_mail, strip_brackets
    from ...records.schemas import LABELS, LabelRecord, decode_label, encode
    from ...records.setup import open_ready_log

    record = LabelRecord(strip_brackets(message_id), None if label == "none" else label, source, time.time())
    try:
        decode_label(encode(record))
    except BadRecord as error:
        raise UserError(error.detail) from error
    with open_ready_log(settings, notify=click.echo) as log:
        found = find_mail(log, message_id, SEARCHED)
        if found is not None:
            record = msgspec.structs.replace(record, id=found.id)
        others = _other_classes(log, record.label)
        log.append([ProducerRecord(LABELS, record.id.encode(), encode(record))])
    click.echo(f"{record.id} is {label}, says {source}")
    if found is None:
        note(f"no mail {record.id!r} is among the latest {SEARCHED:,} on {settings.log}; the label waits for it")
    if others:
        named = ", ".join(sorted(others))
        note(f"{label!r} is a new class; so far there are {named} (label it again to change it)")


def _other_classes(log, label: str | None) -> set[str]:
    """The classes of a log on which nothing was ever called `label`; none of them where something was."""
    from ...records.replay import read_labels

    others = set()
    for _, said in read_labels(log):
        if label in (None, said.label):
            return set()
        others.add(said.label)
    return others - {None}
