"""`stream-nb feed PATH`: feed the mails of files, folders or standard input."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import replace

import click

from ..errors import UserError
from ..ingest.class_case import note_on_case
from ..ingest.class_runs import ClassRuns
from ..ingest.feeder import Feeder
from ..ingest.formats.summary import NOT_SENT, summarize
from ..ingest.log_mails import is_same_log
from ..records.number_text import many
from ..records.replay import classes_if_new
from ..records.setup import open_ready_log
from ..runtime.shutdown import interrupt_on_signals
from ..settings import Settings
from .mails import open_mails
from .messages import note, say
from .options import SourceOptions
from .progress import progress_bar


def feed_files(
    settings: Settings, chosen: SourceOptions, rate: float, labels: bool, label_delay: int, dry_run: bool
) -> None:
    """Write the chosen mails to the log, and their labels if asked for; print the totals. Raises UserError.

    Args:
        rate: Mails per second; 0 for full speed.
        labels: Whether to send the labels; implied if `chosen` names a class or a column with the class.
        label_delay: How many mails after its mail each label is sent.
        dry_run: Only print what the source contains.
    """
    labels = labels or chosen.label is not None or (chosen.columns is not None and chosen.columns.label is not None)
    if is_same_log(chosen.path, settings.log):
        raise UserError(f"{chosen.path} is the log to write to; name another one with --log")
    source, total, items = open_mails(chosen, settings, labels)
    runs = ClassRuns()
    if dry_run:
        watched = replace(source, read=lambda: runs.watch(source))  # standard input can be read only once
        click.echo(summarize(watched, chosen.limit, count=True, sent=labels))
        for file in (source.files or ())[: chosen.limit]:  # whose labels are known without reading them
            runs.add(file.label)
        _note_classes(runs)
        return
    say(summarize(source, chosen.limit, sent=labels))
    interrupt_on_signals()
    known = set[str]()
    with open_ready_log(settings, say) as log:
        if labels:
            wanted = {file.label for file in source.files or ()} | {chosen.label}
            classes = {label for label in wanted if label is not None}
            if known := classes_if_new(log, classes):
                note(f"new classes: {', '.join(sorted(classes - known))}; existing: {', '.join(sorted(known))}")
        delays = itertools.repeat(label_delay) if labels else None
        with progress_bar(total) as progress:
            fed = Feeder(log, rate, delays, total=total, progress=progress).run(runs.watch(items))
    if labels:
        _note_classes(runs, known)
    hint = NOT_SENT if fed.unsent and source.files is None else ""
    click.echo(f"{many(fed.mails, 'mail')} and {many(fed.labels, 'label')} are on {settings.log}{hint}")


def _note_classes(runs: ClassRuns, known: Iterable[str] = ()) -> None:
    if runs.note is not None:
        note(f"{runs.note}; --shuffle 0 mixes them")
    if case := note_on_case(runs.classes.union(known)):
        note(case)
